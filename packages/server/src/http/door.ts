// The HTTP door: opens a call from a request and sends the reply. Everything in between is the gateway's.
import { Readable } from 'node:stream';
import { Failure, fail, type Soon, soon, wireError } from '@sluice/contract';
import type { Rows } from '@sluice/sql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseAddress } from '../call/address.ts';
import type { Call, Credentials, Reply, RowStream } from '../call/call.ts';
import { downloadOf, jsonFormat, negotiate, type OutFormat } from '../call/formats/index.ts';
import { run } from '../gateway/index.ts';
import type { Platform } from '../gateway/platform.ts';
import type { Settings } from '../settings/index.ts';
import { HttpCall, headerOf, smallBodyLimit } from './call.ts';
import { credentialsIn, credentialsOf } from './credentials.ts';
import { verbOf } from './verb.ts';

/** Takes a request under `/api` through the gateway and answers it. */
export function serve(request: FastifyRequest, reply: FastifyReply, platform: Platform): void {
  let call: HttpCall | undefined;
  const refuse = (error: unknown) => {
    platform.metrics.failed(error);
    try {
      sendFailure(request, reply, error, call);
    } catch (fault) {
      // Nothing can be said any more: better no answer than a call that hangs.
      request.log.error({ reqId: request.id, err: fault }, 'a failure could not be told');
      reply.raw.destroy();
    }
  };
  try {
    const opened = open(request, reply, platform.settings);
    call = opened;
    request.call = call;
    const identified = hasAny(call.credentials) ? undefined : earlyCredentials(request, call);
    const answered = soon(identified, () => run(opened, platform));
    const sent = soon(answered, (answer) => send(request, reply, opened, answer, platform));
    if (sent instanceof Promise) sent.catch(refuse);
  } catch (error) {
    refuse(error);
  }
}

function open(request: FastifyRequest, reply: FastifyReply, settings: Settings): HttpCall {
  const header = (name: string) => headerOf(request, name);
  const address = parseAddress(request.raw.url ?? '/');
  const verb = verbOf(request.method, header, address.query);
  return new HttpCall(request, reply, settings, address, verb, credentialsOf(address.query, header));
}

const hasAny = ({ apiKey, token, basic }: Credentials) => Boolean(apiKey || token || basic);

/** Takes credentials out of a small JSON or form body; what is wrong with the body is told after authorizing. */
async function earlyCredentials(request: FastifyRequest, call: HttpCall): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  const size = Number(request.headers['content-length'] ?? 0);
  if (size === 0 || size > smallBodyLimit || !/json|x-www-form-urlencoded/i.test(type)) return;
  try {
    call.credentials = credentialsIn(await call.body(), request.raw.url ?? '/');
  } catch {
    call.credentials = {};
  }
}

// ---- reply ----

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  answer: Reply,
  platform: Platform,
): Soon<unknown> {
  reply.status(answer.status ?? 200);
  if (answer.headers) reply.headers(answer.headers);
  const download = downloadOf(call.query.get('file'), call.path);
  const format = download?.format ?? negotiate(call.query.get('accept') ?? call.header('accept'));
  if (download) reply.header('Content-Disposition', disposition(download.name));
  const { body } = answer;
  if (!format) throw fail('http.notAcceptable', { content: 'rows' in body ? '' : textOf(body).slice(0, 500) });
  if (!('rows' in body)) return finish(request, reply, format.contentType, print(body, format));
  return sendStream(request, reply, body.rows, format, platform);
}

/** Milliseconds a caller may take nothing of an answer that is streamed. */
const stalled = 60_000;

/**
 * Sends records as they come. The first batch is here before the answer begins, so that what is wrong with the query is
 * told as an error; what goes wrong later breaks the connection off: an answer cut short must not look whole.
 */
async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  rows: RowStream,
  format: OutFormat,
  { metrics, settings }: Platform,
) {
  const rest = rows.batches[Symbol.asyncIterator]();
  const first = await rest.next();
  setHeaders(request, reply, format.contentType);
  if (request.method === 'HEAD') {
    await rest.return?.();
    reply.send();
    return;
  }
  async function* batches(): AsyncGenerator<Rows> {
    try {
      for (let step = first; !step.done; step = await rest.next()) yield step.value;
    } catch (error) {
      metrics.failed(error);
      request.log.warn({ reqId: request.id, err: error }, 'an answer was broken off');
      throw error;
    } finally {
      await rest.return?.();
    }
  }
  // The database may take its own time for each batch.
  reply.raw.setTimeout(stalled + settings.queryTimeout, () => reply.raw.destroy());
  // A caller who leaves at once leaves `batches` unbegun, and what is unbegun ends nothing.
  const end = () => Promise.resolve(rest.return?.()).catch((error: unknown) => metrics.failed(error));
  if (reply.raw.destroyed) await end();
  else reply.raw.once('close', end);
  reply.send(Readable.from(format.stream({ batches: batches(), meta: rows.meta })));
}

/** A download's name as ASCII with the exact one beside it (RFC 6266). */
function disposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_');
  return ascii === name
    ? `attachment; filename="${name}";`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}

type Whole = Exclude<Reply['body'], { rows: RowStream }>;

function print(body: Whole, format: OutFormat): string {
  if (!format.print) return textOf(body);
  return format.print('json' in body ? JSON.parse(body.json) : body.value);
}

function textOf(body: Whole): string {
  return 'json' in body ? body.json : (JSON.stringify(body.value) ?? 'null');
}

/** HEAD keeps every header of the GET, its length included, and sends no body. */
function finish(request: FastifyRequest, reply: FastifyReply, type: string, content: string): FastifyReply {
  setHeaders(request, reply, type);
  if (request.method !== 'HEAD') return reply.send(content);
  return reply.header('Content-Length', Buffer.byteLength(content)).send();
}

function setHeaders(request: FastifyRequest, reply: FastifyReply, type: string): void {
  reply
    .header('Content-Type', type)
    .header('X-Request-Id', request.id)
    .header('Cache-Control', 'no-store')
    // A browser must not take stored text for a page.
    .header('X-Content-Type-Options', 'nosniff');
}

/** Sends an error in the envelope; what is not in the catalogue is a bug of ours: logged, and a 500 that tells nothing. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: unknown, call?: Call): FastifyReply {
  const failure = error instanceof Failure ? error : unexpected(request, error);
  if (failure.status >= 500 && failure.cause)
    request.log.warn({ reqId: request.id, key: failure.key, cause: String(failure.cause) }, failure.message);
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
  request.log.error({ reqId: request.id, err: error }, 'unexpected error');
  return fail('http.internal');
}
