// GET /metrics: who may read it, and the bytes that only the web server can count. For everyone else the address does not
// exist.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Platform } from '../gateway/platform.ts';
import { createMetricsPage, type Traffic } from '../metrics/page.ts';
import type { Settings } from '../settings/index.ts';
import { sendRaw } from './send.ts';

export function addMetricsRoute(server: FastifyInstance, platform: Platform): void {
  const page = createMetricsPage(platform, countTraffic(server));
  const isAllowed =
    platform.settings.metricsToken === '' ? allowLocal(platform.settings) : allowToken(platform.settings);
  server.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    async handler(request, reply) {
      if (!isAllowed(request)) {
        reply.callNotFound();
        return reply;
      }
      return sendRaw(request, reply.header('Cache-Control', 'no-store'), await page(), platform);
    },
  });
}

type Rule = (request: FastifyRequest) => boolean;

/** Allows requests with the token, compared in constant time. */
function allowToken({ metricsToken }: Settings): Rule {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(metricsToken);
  return ({ headers: { authorization = '' } }) => {
    const [, token = ''] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    return timingSafeEqual(digest(token), expected);
  };
}

/**
 * Allows requests from this machine itself. A proxy on it would forward those of all the world: one that is configured, or
 * that shows in the headers, is refused; so is one that speaks HTTP/1.0, as nginx does by default. So is a page in a
 * browser on this machine whose own host name resolves to it.
 */
function allowLocal({ trustProxy, publicUrl }: Settings): Rule {
  if (trustProxy || publicUrl !== '') return () => false;
  return ({ raw: { socket, headers, httpVersionMinor } }) =>
    httpVersionMinor !== 0 &&
    isLoopback(socket.remoteAddress ?? '') &&
    isLoopback(hostOf(headers.host ?? '')) &&
    !Object.keys(headers).some((name) => /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(name));
}

const hostOf = (host: string) => host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

const isLoopback = (address: string) => /^(localhost|::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(address);

/** Counts connections and their bytes; nothing happens per call. */
function countTraffic({ connections: { open, closedTotals }, slowReaders }: FastifyInstance): () => Traffic {
  return () => {
    let { received, sent } = closedTotals;
    for (const { bytesRead, bytesWritten } of open) {
      received += bytesRead;
      sent += bytesWritten;
    }
    return { connections: open.size, received, sent, brokenOff: slowReaders.brokenOff };
  };
}
