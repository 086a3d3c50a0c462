// The web server: routes, limits on what comes in, one log line a call, and the envelope for whatever goes wrong
// before a call exists (contract/http-basics.md §1, docs/design.md "Running it").
import { randomUUID } from 'node:crypto';
import { Failure, fail } from '@sluice/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { loggedPath } from '../call/address.ts';
import { type ByteBudget, createBodyBudget } from '../call/byte-budget.ts';
import type { Call } from '../call/call.ts';
import type { Platform } from '../gateway/platform.ts';
import { callLine } from '../log/call-line.ts';
import type { TrustedProxies } from '../settings/index.ts';
import { countUse } from '../use/count-use.ts';
import { addApps } from './apps.ts';
import { readForwardedAddresses } from './client-address.ts';
import { answerBrokenRequest, limitConnections, queueRequest, trackConnections } from './connections.ts';
import { createCors } from './cors/index.ts';
import { handleRequest } from './door.ts';
import { sendFailure } from './failure.ts';
import { addGraphql } from './graphql.ts';
import { addMcp } from './mcp.ts';
import { addMetricsRoute } from './metrics.ts';
import { addPages } from './pages.ts';
import { type BodyParser, createBodyParser } from './parsing/index.ts';
import { breakOffSlowReaders } from './slow-readers.ts';
import { breakOffSlowSenders } from './slow-senders.ts';
import { addStatus } from './status.ts';
import { addStopping } from './stopping.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The call of a request under /api, for the log. */
    call?: Call;
    /** What answers to pages of other origins have; set where a rule of system/cors applies. */
    corsHeaders?: Readonly<Record<string, string>>;
  }
  interface FastifyInstance {
    /** Bytes of bodies in memory. */
    bodies: ByteBudget;
    bodyParser: BodyParser;
  }
}

/** Request line and headers together. */
const maxHeaderSize = 32 * 1024;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'MERGE'];

/** Builds the server; `listen` is the caller's. */
export async function createWebServer(platform: Platform): Promise<FastifyInstance> {
  const { settings, log, metrics, use } = platform;
  const applyCors = createCors(platform);
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOption(settings.trustProxy),
    genReqId: createRequestIds(),
    // A child logger for each request costs more than reading a record; each line has its id instead.
    childLoggerFactory: (logger) => logger,
    bodyLimit: settings.bodyLimit,
    // How long bodies may take is for slow-senders.ts.
    http: { maxHeaderSize, headersTimeout: 60_000 },
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    // No hook has run for an address that Fastify cannot read.
    frameworkErrors: (error, request, reply) =>
      applyCors(request, reply, () => sendFailure(request, reply, failureOf(error))),
    exposeHeadRoutes: false,
    // What arrives while the server closes is answered like anything else.
    return503OnClosing: false,
  }) as unknown as FastifyInstance;

  trackConnections(server);
  addStopping(server);
  if (settings.trustProxy !== false) readForwardedAddresses(server);
  limitConnections(server, settings.maxConnections);
  server.addHook('onRequest', applyCors);
  addApps(server, platform);
  server.decorate('bodies', createBodyBudget(settings.bodyLimit));
  server.decorate(
    'bodyParser',
    createBodyParser(settings.bodyLimit, (err) => log.warn({ err }, 'the thread that parses bodies failed')),
  );
  server.addHook('onClose', () => server.bodyParser.close());
  breakOffSlowReaders(server, platform.answers);
  breakOffSlowSenders(server);
  // Bodies are read by the calls themselves, after the caller is known to be allowed.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.addHttpMethod('MERGE', { hasBody: true });
  // Fastify refuses a content type that is none; here such a body is guessed (contract/http-basics.md §6).
  server.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    if (headers['content-type'] !== undefined && !/^[\w.+-]+\/[\w.+*-]+/.test(headers['content-type']))
      delete headers['content-type'];
    done();
  });

  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    metrics.calls.begin();
    // Unlike the hook below, this also runs when the caller went away.
    reply.raw.once('close', () => {
      const { call } = request;
      const { verb = '', service = '' } = call ?? {};
      if (call) countUse(use, call, reply.statusCode);
      metrics.calls.end(service, verb, reply.raw.writableFinished ? reply.statusCode : 'aborted', reply.elapsedTime);
    });
    handleRequest(request, reply, platform);
  };
  const handler = (request: FastifyRequest, reply: FastifyReply) =>
    queueRequest(reply.raw, request.socket, () => answer(request, reply));
  for (const url of ['/api', '/api/*']) server.route({ method: methods, url, handler: handler });
  addMcp(server, platform, methods);
  addGraphql(server, platform, methods);

  server.addHook('onResponse', (request, reply, done) => {
    if (!request.call) log.debug({ path: loggedPath(request.raw.url), status: reply.statusCode }, 'page');
    else if (log.isLevelEnabled('info')) log.info(callLine(request.call, reply.statusCode, reply.elapsedTime), 'call');
    done();
  });
  server.setErrorHandler((error, request, reply) => sendFailure(request, reply, failureOf(error as Error)));
  addStatus(server, platform);
  addMetricsRoute(server, platform);
  await addPages(server, platform);
  return server;
}

/** The nearest proxies are at the end of the list, to which each of them adds an address. */
const trustProxyOption = (proxies: TrustedProxies) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;

/** Ids that are unique across processes and restarts: a random beginning and a number. */
function createRequestIds(): () => string {
  const start = randomUUID().slice(0, 13);
  let number = 0;
  return () => `${start}-${(++number).toString(36)}`;
}

/** An error of Fastify itself as a failure of the catalogue. */
function failureOf(error: Error & { code?: string; statusCode?: number }): unknown {
  if (error instanceof Failure) return error;
  if (error.code === 'FST_ERR_BAD_URL') return fail('http.invalidUtf8', { where: 'path' });
  if (error.statusCode === 416) return fail('http.rangeNotSatisfiable', undefined, { cause: error });
  if (error.statusCode !== undefined && error.statusCode < 500)
    return fail('http.badAddress', { problem: error.message });
  return error;
}
