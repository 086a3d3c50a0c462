// GET and POST /graphql (contract/services-other.md §10). Who sends a request is known by its headers alone, as at /mcp: a cookie counts
// for nothing, so that no page can use that of a visitor, and CORS is that of the API (cors/).
import { fail } from '@sluice/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseAddress, queryOf } from '../call/address.ts';
import type { Call, Caller, Payload, Query } from '../call/call.ts';
import { parseJson } from '../call/formats/json.ts';
import { checkAnswersUnread } from '../gateway/answers-unread.ts';
import { identify } from '../gateway/identify.ts';
import type { Platform } from '../gateway/platform.ts';
import { HttpCall, headerOf } from './call.ts';
import { queueRequest } from './connections.ts';
import { credentialsOf, reuseCredentials } from './credentials.ts';
import { sendFailure } from './failure.ts';
import { sendWhole, setHeaders } from './send.ts';

/** Bytes of a body. */
const maxBody = 1024 * 1024;

const noQuery = queryOf(new Map());

export function addGraphql(server: FastifyInstance, platform: Platform, methods: string[]): void {
  const { settings, answers } = platform;
  if (!settings.graphql) return;
  const own = { settings: { ...settings, bodyLimit: Math.min(maxBody, settings.bodyLimit) }, answers };
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const header = (name: string) => headerOf(request, name);
    const isGet = request.method === 'GET';
    // A credential in an address would be in logs and histories.
    const credentials = reuseCredentials(request.raw.socket, credentialsOf(noQuery, header));
    const address = { service: '', path: 'graphql', query: noQuery };
    const call = new HttpCall(request, reply, own, address, isGet ? 'GET' : 'POST', credentials);
    request.call = call;
    try {
      if (!isGet && request.method !== 'POST')
        throw fail(
          'http.verbNotSupported',
          { verb: request.method, path: 'graphql', service: '' },
          { allow: ['GET', 'POST'] },
        );
      await identify(call, platform);
      if (!mayCall(call.caller)) throw fail('graphql.noCaller');
      checkAnswersUnread(call, platform);
      const sent = isGet ? requestOfAddress(parseAddress(request.raw.url ?? '').query) : await bodyOf(call);
      // The library is loaded with the first request: most instances have none.
      const { answerGraphql } = await import('../graphql/index.ts');
      const { status, text } = await answerGraphql(call, sent, platform);
      if (reply.raw.destroyed) return;
      setHeaders(request, reply.status(status).header('Cache-Control', 'no-store'));
      sendWhole(request, reply, 'application/json', text);
    } catch (error) {
      platform.metrics.countFailure(error);
      sendFailure(request, reply, error, call);
    }
  };
  server.route({
    method: methods as never,
    url: '/graphql',
    handler: (request, reply) => queueRequest(reply.raw, request.socket, () => void answer(request, reply)),
  });
}

const mayCall = ({ user, role }: Caller): boolean => user?.isAdmin === true || role?.isActive === true;

/** A page elsewhere may send other types without asking first. */
async function bodyOf(call: Call): Promise<Payload> {
  if (!/^application\/json *(;|$)/i.test(call.header('content-type') ?? '')) throw fail('graphql.contentType');
  return call.body();
}

function requestOfAddress(query: Query): Payload {
  const variables = query.get('variables');
  return {
    query: query.get('query'),
    operationName: query.get('operationName'),
    ...(variables ? { variables: parseJson(variables) } : {}),
  };
}
