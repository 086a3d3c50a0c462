// A real web server for tests, on a free port of this machine.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Remote {
  url: string;
  /** Connections that were opened to it. */
  connections(): number;
  stop(): Promise<void>;
}

export async function startRemote(listener: RequestListener): Promise<Remote> {
  const server = createServer(listener);
  let count = 0;
  server.on('connection', () => {
    count += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A request as a server saw it. */
export interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export async function seenOf(request: IncomingMessage): Promise<Seen> {
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk);
  const { method = '', url = '', headers } = request;
  return { method, url, headers, body: Buffer.concat(body).toString() };
}
