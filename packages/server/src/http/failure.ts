// A failure as the answer to a request: the envelope, in the format the caller asks for (contract/http-basics.md §8).
import { Failure, fail, wireError } from '@sluice/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatFor, jsonFormat, negotiate } from '../call/formats/index.ts';
import type { HttpCall } from './call.ts';
import { sendWhole, setHeaders, writeHeaders } from './send.ts';

/** Sends an error in the envelope; what is not in the catalogue is a bug of ours: logged, and a 500 that reveals nothing. */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  call?: HttpCall,
): FastifyReply {
  const failure = error instanceof Failure ? error : internalFailure(request, error);
  if (failure.status >= 500 && failure.cause)
    request.log.warn({ reqId: request.id, key: failure.key, cause: String(failure.cause) }, failure.message);
  // Fastify keeps what a handler already set; an error sends none of a half-made answer's headers.
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
  if (failure.status === 405) reply.header('Allow', allowHeader(failure));
  if (failure.status === 416) reply.header('Content-Range', contentRangeHeader(failure));
  // The rest of a body that is refused is not read.
  const isRefused = failure.status === 413 || failure.key === 'http.chunksTooSmall' || request.raw.isPaused();
  if (isRefused) reply.header('Connection', 'close');
  const retryAfter = failure.retryAfter ?? (failure.status === 503 ? 5 : undefined);
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
  reply.status(failure.status).header('Cache-Control', 'no-store');
  if (call?.writtenHeaders) writeHeaders(reply, call.writtenHeaders);
  setHeaders(request, reply);
  if (failure.key === 'http.notAcceptable')
    return sendWhole(request, reply, 'text/plain; charset=utf-8', failure.message);
  const envelope = { error: { ...wireError(failure), request_id: request.id } };
  const accept = call ? (call.query.get('accept') ?? call.header('accept')) : undefined;
  const negotiated = negotiate(accept) ?? jsonFormat;
  const format = call ? formatFor(call, negotiated) : negotiated;
  const text = format.print ? format.print(envelope) : JSON.stringify(envelope);
  return sendWhole(request, reply, format.contentType, text);
}

/** The verbs a 405 offers instead, where the failure has them. */
function allowHeader(failure: Failure): string {
  return failure.allow?.join(', ') ?? 'GET, HEAD, POST, PUT, PATCH, DELETE';
}

/** The size of what a range was requested of, where the failure has it. */
function contentRangeHeader({ cause }: Failure): string {
  const { headers } = (cause ?? {}) as { headers?: Record<'Content-Range', string> };
  return headers?.['Content-Range'] ?? 'bytes */*';
}

function internalFailure(request: FastifyRequest, error: unknown): Failure {
  request.log.error({ reqId: request.id, err: error }, 'unexpected error');
  return fail('http.internal');
}
