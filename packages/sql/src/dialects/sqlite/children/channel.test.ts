import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { receiveMessages, sendMessage } from './channel.ts';

let near: Socket;
let far: Socket;
const server = createServer();

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  near = connect((server.address() as { port: number }).port, '127.0.0.1');
  [far] = (await once(server, 'connection')) as [Socket];
});

afterAll(() => {
  near.destroy();
  server.close();
});

it('brings each message as it was, wherever the bytes are cut', async () => {
  const messages = [
    { text: 'a'.repeat(70_000) },
    [],
    { big: 2n ** 63n, bytes: new Uint8Array([1, 2, 3]) },
    null,
    ['é', NaN],
  ];
  const sent: Buffer[] = [];
  receiveMessages(far, () => {});
  far.on('data', (chunk: Buffer) => sent.push(chunk));
  for (const message of messages) sendMessage(near, message);
  await expect.poll(() => sent.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(70_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const bytes = Buffer.concat(sent);
  const cut = fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 30 });
  fc.assert(
    fc.property(cut, (places) => {
      let hear = (_chunk: Buffer) => {};
      const received: unknown[] = [];
      const socket = { on: (_event: string, listener: typeof hear) => (hear = listener) } as unknown as Socket;
      receiveMessages(socket, (message) => received.push(message));
      const ends = [...new Set(places), bytes.length].sort((a, b) => a - b);
      for (const [i, end] of ends.entries()) hear(bytes.subarray(ends[i - 1] ?? 0, end));
      expect(received).toEqual(messages);
    }),
  );
});
