// The HTTP door: opens a call from a request and has its reply sent. Everything in between is the gateway's.
import { chain } from '@sluice/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseAddress } from '../call/address.ts';
import type { Credentials } from '../call/call.ts';
import { run } from '../gateway/index.ts';
import type { Platform } from '../gateway/platform.ts';
import type { Settings } from '../settings/index.ts';
import { HttpCall, headerOf, smallBodyLimit } from './call.ts';
import { credentialsIn, credentialsOf } from './credentials.ts';
import { sendFailure } from './failure.ts';
import { sendReply } from './send.ts';
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
    const answered = chain(identified, () => run(opened, platform));
    const sent = chain(answered, (answer) => sendReply(request, reply, opened, answer, platform));
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

/** Takes credentials out of a small body of JSON or a form; what is wrong with the body is told after authorizing. */
async function earlyCredentials(request: FastifyRequest, call: HttpCall): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  const size = Number(request.headers['content-length'] ?? 0);
  if (size === 0 || size > smallBodyLimit || !/^$|json|x-www-form-urlencoded|multipart\/form-data/i.test(type)) return;
  try {
    call.credentials = credentialsIn(await call.earlyBody(), request.raw.url ?? '/');
  } catch {
    call.credentials = {};
  }
}
