import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { readBytes } from './body.ts';

it.each([
  ['in the midst of it', 'content-length: 9\r\n\r\nabc'],
  ['after all of it', 'content-length: 3\r\n\r\nabc'],
])('of a caller who went away %s before it was asked for is broken', async (_, rest) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port);
  client.write(`POST / HTTP/1.1\r\nhost: x\r\n${rest}`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  request.on('error', () => {});
  const gone = new Promise((resolve) => request.once('close', resolve));
  client.destroy();
  await gone;
  await expect(readBytes(request, 100)).rejects.toMatchObject({ key: 'http.bodyBroken' });
  server.close();
});
