// The HTTP door: opens a call from a request and sends the reply. Everything in between is the gateway's.
import { Failure, fail, wireError } from '@sluice/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call, Caller, Credentials, Payload, Reply } from '../gateway/call.ts';
import { run } from '../gateway/index.ts';
import type { Platform } from '../platform.ts';
import { parseAddress } from './address.ts';
import { readBytes, textOf } from './body.ts';
import { credentialsIn, credentialsOf } from './credentials.ts';
import { downloadOf, jsonFormat, negotiate, type OutFormat, parseBody } from './formats/index.ts';
import { verbOf } from './verb.ts';

/**
 * Bytes of a body that are read before anyone is identified, to look for credentials, and the most that is read for
 * callers without user and role: they can do no more than sign in, and parsing takes time that others wait.
 */
const smallBodyLimit = 64 * 1024;

const nobody: Caller = { sentKey: false, sentToken: false, requestor: 'API' };

/** Takes a request under `/api` through the gateway and answers it. */
export async function serve(request: FastifyRequest, reply: FastifyReply, platform: Platform): Promise<FastifyReply> {
  let call: Call | undefined;
  try {
    call = await open(request, reply, platform);
    request.call = call;
    return send(request, reply, call, await run(call, platform));
  } catch (error) {
    return sendFailure(request, reply, error, call);
  }
}

async function open(request: FastifyRequest, reply: FastifyReply, { settings }: Platform): Promise<Call> {
  const header = (name: string) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const target = request.raw.url ?? '/';
  const address = parseAddress(target);
  const isKnown = () => call.caller.user !== undefined || call.caller.role !== undefined;
  const body = bodyReader(request, () =>
    isKnown() ? settings.bodyLimit : Math.min(smallBodyLimit, settings.bodyLimit),
  );
  const credentials = credentialsOf(address.query, header);
  const call: Call = {
    id: request.id,
    verb: verbOf(request.method, header, address.query),
    ...address,
    header,
    credentials,
    caller: nobody,
    get signal() {
      return abortSignal(reply);
    },
    baseUrl: settings.publicUrl || `${request.protocol}://${request.host}`,
    ip: request.ip,
    userAgent: header('user-agent') ?? null,
    body,
  };
  if (!hasAny(credentials)) call.credentials = await earlyCredentials(request, body, target);
  return call;
}

const hasAny = ({ apiKey, token, basic }: Credentials) => Boolean(apiKey || token || basic);

const noBody = () => Promise.resolve(undefined);

/** Reads and parses the body once; later calls get the same value or the same failure. */
function bodyReader(request: FastifyRequest, limit: () => number): () => Promise<Payload> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return noBody;
  let once: Promise<Payload> | undefined;
  return () => {
    once ??= readBytes(request.raw, limit()).then((bytes) =>
      bytes.length === 0 ? undefined : parseBody(textOf(bytes), headers['content-type'] ?? ''),
    );
    return once;
  };
}

/** Credentials out of a small JSON or form body; what is wrong with the body is told after authorizing. */
async function earlyCredentials(
  request: FastifyRequest,
  body: () => Promise<Payload>,
  target: string,
): Promise<Credentials> {
  const type = request.headers['content-type'] ?? '';
  const size = Number(request.headers['content-length'] ?? 0);
  if (size === 0 || size > smallBodyLimit || !/json|x-www-form-urlencoded/i.test(type)) return {};
  return body().then(
    (payload) => credentialsIn(payload, target),
    () => ({}),
  );
}

const signals = new WeakMap<FastifyReply, AbortSignal>();

/** Aborted when the connection closes before the answer was sent; made only when someone asks for it. */
function abortSignal(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply);
  if (known) return known;
  const controller = new AbortController();
  signals.set(reply, controller.signal);
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  if (reply.raw.destroyed) controller.abort();
  return controller.signal;
}

// ---- reply ----

function send(request: FastifyRequest, reply: FastifyReply, call: Call, answer: Reply): FastifyReply {
  reply.status(answer.status ?? 200);
  if (answer.headers) reply.headers(answer.headers);
  const download = downloadOf(call.query.get('file'), call.path);
  const format = download?.format ?? negotiate(call.query.get('accept') ?? call.header('accept'));
  if (download) reply.header('Content-Disposition', disposition(download.name));
  if (!format) throw fail('http.notAcceptable', { content: textOfReply(answer).slice(0, 500) });
  return finish(request, reply, format.contentType, print(answer, format));
}

/** A download's name as ASCII with the exact one beside it (RFC 6266). */
function disposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_');
  return ascii === name
    ? `attachment; filename="${name}";`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}

function print(answer: Reply, format: OutFormat): string {
  if (!format.print) return textOfReply(answer);
  const { body } = answer;
  return format.print('json' in body ? JSON.parse(body.json) : body.value);
}

function textOfReply({ body }: Reply): string {
  return 'json' in body ? body.json : (JSON.stringify(body.value) ?? 'null');
}

/** HEAD keeps every header of the GET, its length included, and sends no body. */
function finish(request: FastifyRequest, reply: FastifyReply, type: string, content: string): FastifyReply {
  reply
    .header('Content-Type', type)
    .header('X-Request-Id', request.id)
    .header('Cache-Control', 'no-store')
    // A browser must not take stored text for a page.
    .header('X-Content-Type-Options', 'nosniff');
  if (request.method !== 'HEAD') return reply.send(content);
  return reply.header('Content-Length', Buffer.byteLength(content)).send();
}

/** Sends an error in the envelope; what is not in the catalogue is a bug of ours: logged, and a 500 that tells nothing. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: unknown, call?: Call): FastifyReply {
  const failure = error instanceof Failure ? error : unexpected(request, error);
  if (failure.status >= 500 && failure.cause)
    request.log.warn({ key: failure.key, cause: String(failure.cause) }, failure.message);
  // Fastify keeps what a handler already set; an error sends none of a half-made answer's headers.
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
  if (failure.status === 405) reply.header('Allow', allowOf(failure));
  if (failure.status === 413) reply.header('Connection', 'close');
  if (failure.status === 503) reply.header('Retry-After', '5');
  if (failure.key === 'http.notAcceptable')
    return finish(request, reply.status(400), 'text/plain; charset=utf-8', failure.message);
  const envelope = { error: { ...wireError(failure), request_id: request.id } };
  const accept = call ? (call.query.get('accept') ?? call.header('accept')) : undefined;
  const format = negotiate(accept) ?? jsonFormat;
  reply.status(failure.status);
  return finish(request, reply, format.contentType, format.print ? format.print(envelope) : JSON.stringify(envelope));
}

/** The verbs a 405 offers instead, when whoever refused knows them. */
function allowOf(failure: Failure): string {
  return failure.allow?.join(', ') ?? 'GET, HEAD, POST, PUT, PATCH, DELETE';
}

function unexpected(request: FastifyRequest, error: unknown): Failure {
  request.log.error({ err: error }, 'unexpected error');
  return fail('http.internal');
}
