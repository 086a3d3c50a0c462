// Requests to a WebDAV server: signing in, a proxy, compressed answers, limits of time. Redirects are not followed: they
// would send the login where it was not given for.
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest, type RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { createGunzip, createInflate } from 'node:zlib';
import { Failure, fail } from '@sluice/contract';
import { networkFailure } from '../../storage/network.ts';
import { serverText, watchTransfer, withinTime } from '../../storage/remote.ts';

export interface DavServer {
  /** Of the container, without a slash at its end. */
  base: URL;
  username: string;
  password: string;
  /** By what the service signs in; undefined: by what the server asks for. */
  auth: 'basic' | 'digest' | undefined;
  /** `Accept-Encoding`, where one is configured. */
  encoding: string | undefined;
  /** `http://host:port` */
  proxy: URL | undefined;
}

export interface DavRequest {
  headers?: Record<string, string>;
  body?: string | Readable;
}

export interface DavResponse {
  status: number;
  headers: IncomingMessage['headers'];
  /** Its content as it comes, decompressed. It is read to its end, or destroyed. */
  body: Readable;
}

/** Seconds that a server may take for an answer. */
export const answerLimit = 60;
/** Connections to one server at once, and milliseconds after which an unused one is closed. */
const maxConnections = 16;
const idleLimit = 30_000;

interface Digest {
  nc: number;
  hasDigestAuth: boolean;
}

/** Sends requests to a server. */
export async function createDavClient({ base, username, password, auth, encoding, proxy }: DavServer) {
  const { createDigestContext, generateDigestAuthHeader, parseDigestAuth } = await import(
    'webdav/dist/node/auth/digest.js'
  );
  const agent = createAgent(base, proxy);
  const hasLogin = username !== '' || password !== '';
  const digest = createDigestContext(username, password, undefined as never) as Digest;
  let scheme = auth;

  const authorization = (method: string, url: string): string | undefined => {
    if (!hasLogin || scheme === undefined) return undefined;
    if (scheme === 'basic') return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (!digest.hasDigestAuth) return undefined;
    digest.nc += 1;
    return generateDigestAuthHeader({ method, url } as never, digest as never);
  };

  /** Takes up what a 401 asks for; answers whether the request may go well now. */
  const learnChallenge = ({ headers }: DavResponse): boolean => {
    const challenge = headers['www-authenticate'] ?? '';
    const offered = /(^|,\s*)digest\s/i.test(challenge)
      ? 'digest'
      : /(^|,\s*)basic\b/i.test(challenge)
        ? 'basic'
        : undefined;
    if (!hasLogin || offered === undefined || (auth !== undefined && auth !== offered)) return false;
    if (offered === 'basic') {
      if (scheme === 'basic') return false;
      scheme = 'basic';
      return true;
    }
    scheme = 'digest';
    digest.nc = 0;
    // The client looks at the first challenge of a header alone.
    const own = challenge.slice(challenge.search(/digest\s/i));
    digest.hasDigestAuth = parseDigestAuth({ headers: { get: () => own } } as never, digest as never);
    return digest.hasDigestAuth;
  };

  const send = async (method: string, url: string, { headers = {}, body }: DavRequest): Promise<DavResponse> => {
    const target = new URL(url);
    const login = authorization(method, url);
    const options: RequestOptions = {
      method,
      agent,
      headers: {
        ...headers,
        host: target.host,
        ...(encoding && !headers.range ? { 'accept-encoding': encoding } : {}),
        ...(login ? { authorization: login } : {}),
        ...(typeof body === 'string' ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
      },
      ...(proxy && target.protocol === 'http:'
        ? { hostname: bare(proxy), port: proxy.port || 80, path: target.href }
        : { hostname: bare(target), port: target.port || undefined, path: target.pathname + target.search }),
    };
    const request = (target.protocol === 'https:' ? tlsRequest : plainRequest)(options);
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject);
    });
    request.on('error', () => {});
    try {
      // An upload may take long; its transfer is watched, and only what comes after its last byte has the limit.
      if (body !== undefined && typeof body !== 'string') await pour(body, request, answered);
      else request.end(body);
      const response = await withinTime(answerLimit, answered, () => request.destroy());
      return { status: response.statusCode ?? 0, headers: response.headers, body: contentOf(response) };
    } catch (error) {
      request.destroy();
      const isStale = request.reusedSocket && (error as { code?: string }).code === 'ECONNRESET';
      // The server had closed an unused connection.
      if (isStale && (body === undefined || typeof body === 'string'))
        return send(method, url, { headers, body } as DavRequest);
      throw translate(error as Error);
    }
  };

  return {
    /** Sends a request; signs in as the server asks. Other answers than 401 are the caller's. */
    async request(method: string, url: string, request: DavRequest = {}): Promise<DavResponse> {
      const response = await send(method, url, request);
      if (response.status !== 401) return response;
      response.body.resume();
      const canRepeat = request.body === undefined || typeof request.body === 'string';
      if (learnChallenge(response) && canRepeat) {
        const second = await send(method, url, request);
        if (second.status !== 401) return second;
        second.body.resume();
      }
      throw fail('file.loginRefused', {
        text: hasLogin ? 'user name or password are not accepted' : 'it asks for one',
      });
    },
    close: () => agent.destroy(),
  };
}

export type DavClient = Awaited<ReturnType<typeof createDavClient>>;

const bare = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

/** Sends a stream as the body of a request, until it has ended or the server has answered. */
async function pour(
  source: Readable,
  request: ReturnType<typeof plainRequest>,
  answered: Promise<unknown>,
): Promise<void> {
  const body = watchTransfer(source, 'target', answerLimit);
  const sent = new Promise<void>((resolve, reject) => {
    body.once('error', reject);
    request.once('finish', resolve);
  });
  body.pipe(request);
  try {
    await Promise.race([sent, answered]);
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** The content of a response, which ends with an error when it is slow or incomplete. */
function contentOf(response: IncomingMessage): Readable {
  const coding = response.headers['content-encoding']?.toLowerCase();
  const source = watchTransfer(response, 'source', answerLimit, translate);
  if (coding !== 'gzip' && coding !== 'deflate') return source;
  const decoder = coding === 'gzip' ? createGunzip() : createInflate();
  decoder.on('error', () => {});
  source.once('error', (error) => decoder.destroy(error));
  decoder.once('close', () => source.destroy());
  return source.pipe(decoder);
}

function createAgent(base: URL, proxy: URL | undefined): PlainAgent {
  const options = { keepAlive: true, maxSockets: maxConnections, maxFreeSockets: 4, timeout: idleLimit };
  if (base.protocol === 'http:') return new PlainAgent(options);
  const agent = new TlsAgent(options);
  if (proxy)
    Object.assign(agent, {
      createConnection: (target: TunnelTarget, done: TunnelDone) => void openTunnel(proxy, target, done),
    });
  return agent;
}

type TunnelTarget = { host: string; port: number; servername?: string };
type TunnelDone = (error: Error | null, socket?: unknown) => void;

/** A TLS connection to a server through a proxy, which sees its address alone. */
function openTunnel(proxy: URL, target: TunnelTarget, done: TunnelDone): void {
  const place = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  const request = plainRequest({
    ...{ method: 'CONNECT', hostname: bare(proxy), port: proxy.port || 80, path: place, agent: false },
    ...{ headers: { host: place }, timeout: answerLimit * 1000 },
  });
  request.once('connect', (response, socket) => {
    if (response.statusCode === 200) return done(null, connectTls({ ...target, socket }));
    socket.destroy();
    done(fail('file.unreachable', { text: `the proxy answers with ${response.statusCode}` }));
  });
  request.once('timeout', () => request.destroy(fail('file.timeout', { seconds: answerLimit })));
  request.once('error', done);
  request.end();
}

function translate(error: Error & { code?: unknown }): Error {
  if (error instanceof Failure) return error;
  const code = String(error.code ?? '');
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
    return fail(
      'file.unreachable',
      { text: `its certificate is not accepted, ${serverText(error.message)}` },
      { cause: error },
    );
  if (code.startsWith('HPE_') || code.startsWith('Z_'))
    return fail('file.storageFailed', { text: 'what it sends is no proper HTTP' }, { cause: error });
  return networkFailure(error) ?? error;
}
