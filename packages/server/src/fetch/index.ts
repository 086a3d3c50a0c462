// Files from elsewhere, fetched for callers by http and https. A caller names the address, so it could name one that only this
// machine reaches: each address is checked where a connection is made to it, of every redirect, too.
import { lookup as systemLookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Failure, fail } from '@sluice/contract';
import { createKey } from '../call/typed-map.ts';
import type { PrivateTargets } from '../settings/index.ts';
import { isAllowedAddress } from './address.ts';

export interface FetchOptions {
  /** Most bytes of the content, decompressed. */
  limit: number;
  /** Ends the fetch, at any time. */
  signal?: AbortSignal;
}

export interface Fetched {
  /** The content. Fails with `fetch.failed` where it ends early; destroying it closes the connection. */
  content: Readable;
  /** As the other server says; null where it does not. */
  contentType: string | null;
}

/** Opens the content of an address of a caller. Throws failures of the catalogue (`fetch.*`) alone. */
export type Fetch = (address: string, options: FetchOptions) => Promise<Fetched>;

/** What fetches for callers. */
export const fetcher = createKey<Fetch>('what fetches addresses for callers');

export interface FetchSettings {
  privateTargets: PrivateTargets;
  /** Finds the addresses of a name; that of the system when absent. */
  resolve?: (name: string) => Promise<{ address: string; family: number }[]>;
  /** Milliseconds until a connection is there, between two chunks, and for the whole. */
  connectTimeout?: number;
  idleTimeout?: number;
  totalTimeout?: number;
}

const maxRedirects = 5;
const maxAddress = 8_000;

export function createFetch({
  privateTargets,
  resolve = resolveBySystem,
  connectTimeout = 10_000,
  idleTimeout = 30_000,
  totalTimeout = 3_600_000,
}: FetchSettings): Fetch {
  /** Finds and checks an address; what it answers is what is connected to, so a name cannot mean another one meanwhile. */
  const lookup: LookupFunction = (name, options, callback) => {
    const refuse = (failure: Error) => callback(failure, []);
    resolve(name).then(
      (found) => {
        const family = options.family === 4 || options.family === 6 ? options.family : undefined;
        const allowed = found.filter(
          (entry) =>
            (family === undefined || entry.family === family) && isAllowedAddress(entry.address, name, privateTargets),
        );
        const [first] = allowed;
        if (!first) refuse(found.length > 0 ? fail('fetch.refused') : failed('its name has no address'));
        else if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      () => refuse(failed('its name is not known')),
    );
  };

  const open = (url: URL, authorization: string | undefined, signal: AbortSignal) =>
    new Promise<IncomingMessage>((settle, reject) => {
      const host = url.hostname.replace(/^\[|\]$/g, '');
      // The connection looks up names alone.
      if (isIP(host) && !isAllowedAddress(host, host, privateTargets)) throw fail('fetch.refused');
      const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
        hostname: host,
        port: url.port,
        path: url.pathname + url.search,
        headers: {
          Host: url.host,
          'User-Agent': 'Sluice',
          Accept: '*/*',
          'Accept-Encoding': 'identity',
          ...(authorization === undefined ? {} : { Authorization: authorization }),
        },
        // No connection is shared: each was checked for its own call.
        agent: false,
        lookup,
        signal,
      });
      const connecting = setTimeout(
        () => request.destroy(failed(`no connection within ${connectTimeout / 1_000} seconds`)),
        connectTimeout,
      );
      request.on('socket', (socket) =>
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting)),
      );
      request.setTimeout(idleTimeout, () => request.destroy(failed(`no data for ${idleTimeout / 1_000} seconds`)));
      request.on('error', reject);
      request.on('close', () => clearTimeout(connecting));
      request.on('response', settle);
      request.end();
    });

  return async (address, { limit, signal: callerSignal }) => {
    let url = parseAddress(address);
    const { origin } = url;
    const authorization = basicOf(url);
    const signal = AbortSignal.any([AbortSignal.timeout(totalTimeout), ...(callerSignal ? [callerSignal] : [])]);
    for (let hop = 0; hop <= maxRedirects; hop++) {
      // What the caller gave for one server is for no other.
      const response = await open(url, url.origin === origin ? authorization : undefined, signal).catch((error) => {
        throw failureOf(error);
      });
      const { statusCode = 0, headers } = response;
      if (statusCode === 200)
        return { content: contentOf(response, limit), contentType: headers['content-type'] ?? null };
      response.on('error', () => {}).destroy();
      if (statusCode === 404 || statusCode === 410) throw fail('fetch.notFound');
      if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location)
        throw failed(`the server answered with status ${statusCode}`);
      url = parseAddress(headers.location, url);
    }
    throw failed(`the server redirects more than ${maxRedirects} times`);
  };
}

/** The URL of an address, which is http or https; redirects are relative to where they come from. */
function parseAddress(text: string, base?: URL): URL {
  if (text.length > maxAddress || !URL.canParse(text, base?.href)) throw fail('fetch.badAddress');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw fail('fetch.badAddress');
  return url;
}

/** The name of the file that an address ends in; empty where it ends in a slash. */
export function fileNameOf(address: string): string {
  const { pathname } = parseAddress(address);
  return decode(pathname.slice(pathname.lastIndexOf('/') + 1));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fail('fetch.badAddress');
  }
}

function basicOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`;
}

/** The bytes of an answer, decompressed where it is compressed all the same, and no more than the limit. */
function contentOf(response: IncomingMessage, limit: number): Readable {
  const tooLarge = () => fail('fetch.tooLarge', { limit });
  if (Number(response.headers['content-length'] ?? 0) > limit) {
    response.on('error', () => {}).destroy();
    throw tooLarge();
  }
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decoder = decoders.get(encoding);
  if (decoder === undefined) {
    response.on('error', () => {}).destroy();
    throw failed('the server compresses in an unknown way');
  }
  const bytes = decoder === null ? response : pipeline(response, decoder(), () => {});
  return Readable.from(
    (async function* () {
      let size = 0;
      try {
        for await (const chunk of bytes as AsyncIterable<Buffer>) {
          size += chunk.length;
          if (size > limit) throw tooLarge();
          yield chunk;
        }
      } catch (error) {
        throw failureOf(error, 'the answer ended early');
      } finally {
        response.destroy();
      }
    })(),
  );
}

const decoders = new Map<string, null | (() => NodeJS.ReadWriteStream)>([
  ...([
    ['identity', null],
    ['', null],
  ] as const),
  ...(['gzip', 'x-gzip'] as const).map((name) => [name, createGunzip] as const),
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const failed = (problem: string, cause?: unknown) => fail('fetch.failed', { problem }, { cause });

/** Codes of errors that a caller can do something about; nothing else of an error is shown. */
const problems = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ETIMEDOUT', 'the server did not answer'],
  ['EHOSTUNREACH', 'the server cannot be reached'],
  ['ENETUNREACH', 'the server cannot be reached'],
  ['ABORT_ERR', 'it took too long'],
  ['CERT_HAS_EXPIRED', 'the certificate of the server has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is that of another server'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate of the server is not trusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate of the server is not trusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the certificate of the server is not trusted'],
  ['HPE_HEADER_OVERFLOW', 'the headers of the answer are too long'],
]);

function failureOf(error: unknown, otherwise = 'the server gave no answer'): Failure {
  if (error instanceof Failure) return error;
  return failed(problems.get((error as NodeJS.ErrnoException).code ?? '') ?? otherwise, error);
}

const resolveBySystem = (name: string) =>
  new Promise<{ address: string; family: number }[]>((resolve, reject) =>
    systemLookup(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
  );
