// A server that answers as Apple documents it (HTTP/2, `POST /3/device/{token}`): 200, or a status with `{"reason": …}`.
import { createSecureServer, createServer, type Http2Server, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';

export interface AppleServer {
  /** Without TLS `http://…`. */
  address: string;
  pushes: {
    token: string;
    headers: IncomingHttpHeaders;
    payload: Record<string, unknown>;
    subject: string;
  }[];
  /** What a token is answered with, in place of 200; `hang` is no answer at all. */
  answers: Map<string, { status: number; body?: unknown } | 'hang' | 'endless' | 'reset'>;
  sessions: number;
  /** Ends all connections as Apple does before it stops: GOAWAY. */
  goAway(): void;
  stop(): Promise<void>;
}

export async function startApple(tls?: { key: string; cert: string; ca: string }): Promise<AppleServer> {
  const server = (
    tls ? createSecureServer({ ...tls, requestCert: true, rejectUnauthorized: true }) : createServer()
  ) as Http2Server;
  const open = new Set<Parameters<Parameters<Http2Server['on']>[1]>[0]>();
  const state: AppleServer = {
    ...{ address: '', pushes: [], answers: new Map(), sessions: 0 },
    goAway() {
      for (const session of open) (session as { close(): void }).close();
    },
    stop: () =>
      new Promise((resolve) => {
        for (const session of open) (session as { destroy(): void }).destroy();
        server.close(() => resolve());
      }),
  };
  server.on('session', (session) => {
    state.sessions += 1;
    open.add(session);
    session.on('close', () => open.delete(session));
    session.on('error', () => {});
  });
  server.on('stream', async (stream, headers) => {
    stream.on('error', () => {});
    let text = '';
    for await (const chunk of stream) text += chunk;
    const token = String(headers[':path']).replace(/^\/3\/device\//, '');
    const subject: unknown = (stream.session?.socket as TLSSocket | undefined)?.getPeerCertificate?.()?.subject?.CN;
    const known = state.answers.get(token) ?? { status: 200 };
    state.pushes.push({ token, headers, payload: JSON.parse(text), subject: String(subject ?? '') });
    if (known === 'hang') return;
    if (known === 'reset') return void stream.close(2);
    if (known === 'endless') {
      stream.respond({ ':status': 400 });
      const more = () => {
        while (!stream.destroyed && stream.write('x'.repeat(10_000)));
      };
      stream.on('drain', more);
      return more();
    }
    stream.respond({ ':status': known.status, 'apns-id': 'x' });
    stream.end(known.body === undefined ? '' : JSON.stringify(known.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.address = `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as AddressInfo).port}`;
  return state;
}
