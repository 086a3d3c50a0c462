// POST /mcp: messages of agents (contract/mcp.md). Who sends one is known by its headers alone, and its body is read for those who
// may call something. There are no sessions and no streams, so there is no other method.
import { fail } from '@sluice/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queryOf } from '../call/address.ts';
import type { Caller } from '../call/call.ts';
import { checkAnswersUnread } from '../gateway/answers-unread.ts';
import { identify } from '../gateway/identify.ts';
import type { Platform } from '../gateway/platform.ts';
import { answerAgent, maxMessage } from '../mcp/index.ts';
import { HttpCall, headerOf } from './call.ts';
import { queueRequest } from './connections.ts';
import { credentialsOf, reuseCredentials } from './credentials.ts';
import { sendFailure } from './failure.ts';
import { sendWhole, setHeaders } from './send.ts';

const noQuery = queryOf(new Map());

export function addMcp(server: FastifyInstance, platform: Platform, methods: string[]): void {
  const { settings, answers } = platform;
  if (!settings.mcp) return;
  const own = { settings: { ...settings, bodyLimit: Math.min(maxMessage, settings.bodyLimit) }, answers };
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const header = (name: string) => headerOf(request, name);
    // A credential in an address would be in logs and histories.
    const credentials = reuseCredentials(request.raw.socket, credentialsOf(noQuery, header));
    const call = new HttpCall(request, reply, own, { service: '', path: 'mcp', query: noQuery }, 'POST', credentials);
    request.call = call;
    try {
      if (request.method !== 'POST')
        throw fail('http.verbNotSupported', { verb: request.method, path: 'mcp', service: '' }, { allow: ['POST'] });
      checkOrigin(request, settings.publicUrl);
      await identify(call, platform);
      if (!mayCall(call.caller)) throw fail('mcp.noCaller');
      checkAnswersUnread(call, platform);
      if (!/^application\/json *(;|$)/i.test(header('content-type') ?? '')) throw fail('mcp.contentType');
      const { status, text } = await answerAgent(call, await call.body(), header('mcp-protocol-version'), platform);
      if (reply.raw.destroyed) return;
      setHeaders(request, reply.status(status).header('Cache-Control', 'no-store'));
      if (text === '') reply.send();
      else sendWhole(request, reply, 'application/json', text);
    } catch (error) {
      platform.metrics.countFailure(error);
      sendFailure(request, reply, error, call);
    }
  };
  server.route({
    method: methods as never,
    url: '/mcp',
    handler: (request, reply) => queueRequest(reply.raw, request.socket, () => void answer(request, reply)),
  });
}

const mayCall = ({ user, role }: Caller): boolean => user?.isAdmin === true || role?.isActive === true;

/**
 * A page may send messages from the address that the settings name, from this machine, or where a rule of system/cors allows it
 * (cors/). Its own host name proves nothing: an attacker's may lead here.
 */
function checkOrigin(
  { headers: { origin }, corsHeaders, protocol, host, hostname }: FastifyRequest,
  publicUrl: string,
): void {
  if (origin === undefined || corsHeaders?.['Access-Control-Allow-Origin'] !== undefined) return;
  const own = publicUrl !== '' ? new URL(publicUrl).origin : isLocal(hostname) ? `${protocol}://${host}` : undefined;
  if (own === undefined || origin.toLowerCase() !== own.toLowerCase()) throw fail('mcp.origin');
}

const isLocal = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\]|::1)$/i.test(hostname);
