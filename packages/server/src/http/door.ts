// The HTTP door: opens a call from a request and has its reply sent. Everything in between is the gateway's.
import { chain, Failure } from '@sluice/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseAddress } from '../call/address.ts';
import type { Credentials } from '../call/call.ts';
import { run } from '../gateway/index.ts';
import type { Platform } from '../gateway/platform.ts';
import { isConnectionFailure, withConnectionDetails } from '../service/connection-details.ts';
import { failureText } from '../use/index.ts';
import { HttpCall, headerOf, smallBodyLimit } from './call.ts';
import { credentialsOf, credentialsOfBody, reuseCredentials } from './credentials.ts';
import { sendFailure } from './failure.ts';
import { sendReply } from './send.ts';
import { verbOf } from './verb.ts';

/** Runs a request under `/api` through the gateway and answers it. */
export function handleRequest(request: FastifyRequest, reply: FastifyReply, platform: Platform): void {
  let call: HttpCall | undefined;
  const send = (error: unknown) => {
    try {
      sendFailure(request, reply, error, call);
    } catch (fault) {
      // No answer can be sent any more: closing is better than a call that hangs.
      request.log.error({ reqId: request.id, err: fault }, 'a failure could not be told');
      reply.raw.destroy();
    }
  };
  const refuse = (error: unknown) => {
    platform.metrics.countFailure(error);
    if (error instanceof Failure) call?.state.set(failureText, error.message);
    if (call?.caller.user?.isAdmin && isConnectionFailure(error))
      describeConnection(error, call.service, platform).then(send, () => send(error));
    else send(error);
  };
  try {
    const openedCall = openCall(request, reply, platform);
    call = openedCall;
    request.call = call;
    const identified = hasCredentials(call.credentials) ? undefined : readBodyCredentials(request, call);
    const running = chain(identified, () => run(openedCall, platform));
    const sending = chain(running, (answer) => sendReply(request, reply, openedCall, answer, platform));
    if (sending instanceof Promise) sending.catch(refuse);
  } catch (error) {
    refuse(error);
  }
}

/** The failure of a database with its place and its driver's words; for administrators alone. */
async function describeConnection(failure: Failure, key: string, { services }: Platform): Promise<Failure> {
  const service = await services.find(key);
  return service?.type?.address ? withConnectionDetails(failure, { ...service.row, type: service.type }) : failure;
}

function openCall(request: FastifyRequest, reply: FastifyReply, platform: Platform): HttpCall {
  const header = (name: string) => headerOf(request, name);
  const address = parseAddress(request.raw.url ?? '/');
  const verb = verbOf(request.method, header, address.query);
  const credentials = reuseCredentials(request.raw.socket, credentialsOf(address.query, header));
  return new HttpCall(request, reply, platform, address, verb, credentials);
}

const hasCredentials = ({ apiKey, token, basic }: Credentials) => Boolean(apiKey || token || basic);

/** Takes credentials out of a small body of JSON or a form; a malformed body is refused after authorizing. */
async function readBodyCredentials(request: FastifyRequest, call: HttpCall): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  const size = Number(request.headers['content-length'] ?? 0);
  if (size === 0 || size > smallBodyLimit || !/^$|json|x-www-form-urlencoded|multipart\/form-data/i.test(type)) return;
  try {
    call.credentials = credentialsOfBody(await call.earlyBody(), request.raw.url ?? '/');
  } catch {
    call.credentials = {};
  }
}
