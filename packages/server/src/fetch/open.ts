// Requests to addresses of callers, over http and https. A caller names the address, so it could name one that only this machine
// reaches: each address is checked where a connection is made to it, of every redirect, too.
import { lookup as systemLookup } from 'node:dns';
import {
  type Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Failure, fail } from '@sluice/contract';
import type { PrivateTargets } from '../settings/index.ts';
import { isAllowedAddress } from './address.ts';

export interface FetchSettings {
  privateTargets: PrivateTargets;
  /** Finds the addresses of a name; that of the system when absent. */
  resolve?: (name: string) => Promise<{ address: string; family: number }[]>;
  /** Milliseconds until a connection is there, between two chunks, and for the whole. */
  connectTimeout?: number;
  idleTimeout?: number;
  totalTimeout?: number;
  /** Connections that further requests use again; the part that makes the agents closes them. Absent: each request has one of its own. */
  agents?: { http: HttpAgent; https: HttpsAgent };
}

export interface OutsideRequest {
  verb: string;
  address: string;
  /** By lower-case name. */
  headers: ReadonlyMap<string, string>;
  /** Bytes, or what comes of them; `content-length` is then a header, where the length is known. */
  body?: Uint8Array | Readable;
  /** Most redirects that are followed; the answer to one further is the answer. */
  maxRedirects: number;
  /** Milliseconds, where they are fewer than those of the settings. */
  connectTimeout?: number;
  totalTimeout?: number;
  /** Ends the request, at any time. */
  signal?: AbortSignal;
}

/** An answer, whatever its status; nothing of its content is read yet. */
export interface OutsideResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Its bytes, decompressed; with more of them than the limit it fails. */
  content(limit: number): Readable;
  /** As `content`, all of it. */
  bytes(limit: number): Promise<Buffer>;
  /** Closes the connection of one that is not read. */
  discard(): void;
}

/** What callers read of what went wrong; each use of this module has its own words. */
export interface FetchWords {
  failed(problem: string, cause?: unknown): Failure;
  /** Of what took too long; as `failed` where it is absent. */
  timedOut?(problem: string, cause?: unknown): Failure;
  tooLarge(limit: number): Failure;
}

export type SendOutside = (request: OutsideRequest) => Promise<OutsideResponse>;

const maxAddress = 8_000;

/** What of a request another origin gets too, after a redirect: the rest was meant for one server. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'cdn-loop', 'content-type', 'user-agent']);

export function createSendOutside(settings: FetchSettings, words: FetchWords): SendOutside {
  const { privateTargets, resolve = resolveBySystem, idleTimeout = 30_000 } = settings;
  const { connectTimeout: longestConnect = 10_000, totalTimeout: longest = 3_600_000 } = settings;
  const { failed } = words;
  const timedOut = words.timedOut ?? failed;

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

  const open = (
    url: URL,
    { verb, headers, body }: Hop,
    connectTimeout: number,
    signal: AbortSignal,
    agents: FetchSettings['agents'],
  ): Promise<IncomingMessage> =>
    new Promise<IncomingMessage>((settle, reject) => {
      const host = url.hostname.replace(/^\[|\]$/g, '');
      // The connection looks up names alone.
      if (isIP(host) && !isAllowedAddress(host, host, privateTargets)) throw fail('fetch.refused');
      const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
        method: verb,
        hostname: host,
        port: url.port,
        path: url.pathname + url.search,
        headers: {
          'user-agent': 'Sluice',
          accept: '*/*',
          ...Object.fromEntries(headers),
          host: url.host,
          'accept-encoding': 'identity',
          ...(body instanceof Uint8Array ? { 'content-length': body.length } : {}),
        },
        // No connection is shared but by those who bring agents: each was checked for its own call.
        agent: (url.protocol === 'https:' ? agents?.https : agents?.http) ?? false,
        lookup,
        signal,
      });
      const connecting = setTimeout(
        () => request.destroy(timedOut(`no connection within ${connectTimeout / 1_000} seconds`)),
        connectTimeout,
      );
      request.on('socket', (socket) => {
        if (request.reusedSocket) clearTimeout(connecting);
        else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
      });
      request.setTimeout(idleTimeout, () => request.destroy(timedOut(`no data for ${idleTimeout / 1_000} seconds`)));
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && error.code === 'ECONNRESET' && !body && safeVerbs.has(verb);
        // The server had closed the connection by then: it saw nothing of the request.
        if (isStale) settle(open(url, { verb, headers }, connectTimeout, signal, undefined));
        else reject(error);
      });
      request.on('close', () => clearTimeout(connecting));
      request.on('response', settle);
      if (body instanceof Readable) pipeline(body, request, (error) => error && request.destroy(error));
      else request.end(body);
    });

  return async ({ address, maxRedirects, connectTimeout, totalTimeout, signal: callerSignal, ...first }) => {
    let url = parseWebAddress(address);
    let hop: Hop = { ...first, headers: withBasic(first.headers, url) };
    const time = Math.min(totalTimeout ?? longest, longest);
    const signal = AbortSignal.any([AbortSignal.timeout(time), ...(callerSignal ? [callerSignal] : [])]);
    const connectTime = Math.min(connectTimeout ?? longestConnect, longestConnect);
    for (let redirects = 0; ; redirects++) {
      const response = await open(url, hop, connectTime, signal, settings.agents).catch((error) => {
        throw failureOf(error, words);
      });
      const { statusCode = 0, headers } = response;
      if (!redirectStatuses.has(statusCode) || !headers.location || redirects >= maxRedirects)
        return responseOf(response, words);
      discard(response);
      const target = parseWebAddress(headers.location, url);
      hop = nextHop(hop, statusCode, target.origin !== url.origin, words);
      url = target;
    }
  };
}

/** What of a request each server on its way gets. */
type Hop = Pick<OutsideRequest, 'verb' | 'headers' | 'body'>;

/** What may be asked again. */
const safeVerbs = new Set(['GET', 'HEAD']);

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * A request after a redirect: only 307 and 308 ask for the same one again (RFC 9110 §15.4). Another origin gets nothing that
 * could be a credential, and no body.
 */
function nextHop({ verb, headers, body }: Hop, status: number, isElsewhere: boolean, { failed }: FetchWords): Hop {
  const isSame = status >= 307 || verb === 'GET' || verb === 'HEAD';
  const sent = isSame ? { verb, body } : { verb: 'GET', body: undefined };
  if (sent.body && isElsewhere) throw failed('the server redirects what was sent to another server');
  if (sent.body instanceof Readable) throw failed('the server redirects what was sent, which is gone by then');
  const kept = [...headers].filter(
    ([name]) => (!isElsewhere || harmlessHeaders.has(name)) && (sent.body || name !== 'content-type'),
  );
  return { verb: sent.verb, headers: new Map(kept), ...(sent.body ? { body: sent.body } : {}) };
}

const responseOf = (response: IncomingMessage, words: FetchWords): OutsideResponse => ({
  status: response.statusCode ?? 0,
  headers: response.headers,
  content: (limit) => contentOf(response, limit, words),
  async bytes(limit) {
    const chunks: Buffer[] = [];
    for await (const chunk of contentOf(response, limit, words)) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
  discard: () => discard(response),
});

const discard = (response: IncomingMessage): void => void response.on('error', () => {}).destroy();

/** The URL of an address, which is http or https; redirects are relative to where they come from. */
export function parseWebAddress(text: string, base?: URL): URL {
  if (text.length > maxAddress || !URL.canParse(text, base?.href)) throw fail('fetch.badAddress');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw fail('fetch.badAddress');
  return url;
}

/** Part of an address, decoded. */
export function decodeAddressPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fail('fetch.badAddress');
  }
}

/** The name and password of an address are credentials for its server. */
function withBasic(headers: ReadonlyMap<string, string>, { username, password }: URL): ReadonlyMap<string, string> {
  if (username === '' && password === '') return headers;
  const login = `${decodeAddressPart(username)}:${decodeAddressPart(password)}`;
  return new Map([...headers, ['authorization', basicOf(login)]]);
}

/** The header of a `name:password`. */
export const basicOf = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;

/** The bytes of an answer, decompressed where it is compressed all the same, and no more than the limit. */
function contentOf(response: IncomingMessage, limit: number, words: FetchWords): Readable {
  if (Number(response.headers['content-length'] ?? 0) > limit) {
    discard(response);
    throw words.tooLarge(limit);
  }
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decoder = decoders.get(encoding);
  if (decoder === undefined) {
    discard(response);
    throw words.failed('the server compresses in an unknown way');
  }
  const bytes = decoder === null ? response : pipeline(response, decoder(), () => {});
  return Readable.from(
    (async function* () {
      let size = 0;
      try {
        for await (const chunk of bytes as AsyncIterable<Buffer>) {
          size += chunk.length;
          if (size > limit) throw words.tooLarge(limit);
          yield chunk;
        }
      } catch (error) {
        throw failureOf(error, words, 'the answer ended early');
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

const lateCodes = new Set(['ETIMEDOUT', 'ABORT_ERR']);

function failureOf(
  error: unknown,
  { failed, timedOut = failed }: FetchWords,
  otherwise = 'the server gave no answer',
): Failure {
  if (error instanceof Failure) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  return (lateCodes.has(code) ? timedOut : failed)(problems.get(code) ?? otherwise, error);
}

const resolveBySystem = (name: string) =>
  new Promise<{ address: string; family: number }[]>((resolve, reject) =>
    systemLookup(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
  );
