// One request over HTTP and its answer, nothing made easier: any path, any header, a GET with a body.
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';

export interface Answer {
  status: number;
  /** Lower-cased names; values of a repeated header in a line each. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface Request {
  verb: string;
  target: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

const timeout = 60_000;

/** Sends to one server, on one connection as long as that holds. */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly url: URL;

  constructor(url: string) {
    this.url = new URL(url);
  }

  /** Rejects when no whole answer came. */
  send({ verb, target, headers, body }: Request): Promise<Answer> {
    const { hostname, port } = this.url;
    const path = escapeTarget(target);
    const length =
      body === undefined || 'Transfer-Encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { agent: this.agent, hostname, port, method: verb, path, headers: { ...length, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            if (response.complete)
              resolve({
                status: response.statusCode ?? 0,
                headers: headersOf(response.rawHeaders),
                body: Buffer.concat(chunks),
              });
            else reject(new Error('the answer was broken off'));
          });
        },
      );
      request.setTimeout(timeout, () => request.destroy(new Error(`no answer within ${timeout / 1000} seconds`)));
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Writes to a connection of its own what need not be HTTP, and reads until the server closes it. */
  sendRaw(text: string): Promise<Answer> {
    const { hostname, port } = this.url;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text, 'latin1'));
      socket.setTimeout(timeout, () => socket.destroy(new Error(`no answer within ${timeout / 1000} seconds`)));
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('end', () => {
        socket.end();
        try {
          resolve(parseAnswer(Buffer.concat(chunks)));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Escapes what may not stand in a request line; what is escaped already stays. */
export const escapeTarget = (target: string): string =>
  target.replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, (character) => encodeURIComponent(character));

function headersOf(raw: string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    const value = raw[at + 1]!;
    headers[name] = name in headers ? `${headers[name]}\n${value}` : value;
  }
  return headers;
}

/** An answer as it stands on a connection that was closed behind it. */
export function parseAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1];
  if (end < 0 || status === undefined)
    throw new Error(`no answer in HTTP: ${bytes.subarray(0, 200).toString('latin1')}`);
  const raw = lines.flatMap((line) => line.split(/: ?(.*)/s).slice(0, 2));
  return { status: Number(status), headers: headersOf(raw), body: bytes.subarray(end + 4) };
}
