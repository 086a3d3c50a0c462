// A server that speaks as a provider does, and the mail that tests send there.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseMail } from '@sluice/testkit/mail-server';
import type { Mail } from './transport.ts';

export interface ApiRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

export interface ApiServer {
  base: string;
  requests: ApiRequest[];
  /** What is answered from now on. */
  answer(status: number, body: unknown, headers?: Record<string, string>): void;
  stop(): Promise<void>;
}

export async function startApi(): Promise<ApiServer> {
  const requests: ApiRequest[] = [];
  let next: [status: number, body: unknown, headers?: Record<string, string>] = [200, {}];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers, bytes: Buffer.concat(chunks) });
    const [status, body, more] = next;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (...answer) => {
      next = answer;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const address = (name: string, text: string) => ({ name, address: text });

/** Three recipients, two of them blind copies; every kind of content. */
export const mail: Mail = {
  from: address('Shop', 'shop@example.com'),
  to: [address('Jö', 'jo@example.com')],
  cc: [],
  bcc: [address('', 'secret-b@example.com'), address('', 'secret-c@example.com')],
  subject: 'Grüße {{name}}',
  text: 'Hi {{name}}',
  html: '<p>Hi</p>',
  attachments: [{ name: 'a.bin', content: new Uint8Array([0, 255]) }],
};

/** What a reader sees of the mail above; it names no blind copy. */
export async function readMail(raw: string | Uint8Array) {
  const { subject, text, attachments } = await parseMail(raw);
  const names = attachments.map(({ filename }) => filename ?? '');
  if (Buffer.from(raw as string).includes('secret-')) throw new Error('the mail names a blind copy');
  return { subject, text, names };
}

export const whatIsRead = { subject: 'Grüße {{name}}', text: 'Hi {{name}}\n', names: ['a.bin'] };

/** How a promise failed, in one line. */
export const failureOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (value) => `no failure: ${JSON.stringify(value)}`,
    ({ key, status, message }) => `${status} ${key}: ${message}`,
  );
