// GET /metrics: who may read it, and the bytes that only the web server can count. To everyone else the address is one
// that does not exist.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Platform } from '../gateway/platform.ts';
import { metricsPage, type Traffic } from '../metrics/page.ts';
import type { Settings } from '../settings/index.ts';
import { sendRaw } from './send.ts';

export function addMetrics(server: FastifyInstance, platform: Platform): void {
  const page = metricsPage(platform, countTraffic(server.server));
  const mayRead = platform.settings.metricsToken === '' ? fromHere(platform.settings) : withToken(platform.settings);
  server.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    async handler(request, reply) {
      if (!mayRead(request)) {
        reply.callNotFound();
        return reply;
      }
      return sendRaw(request, reply.header('Cache-Control', 'no-store'), await page(), platform);
    },
  });
}

type Rule = (request: FastifyRequest) => boolean;

/** Who sends the token, compared in constant time. */
function withToken({ metricsToken }: Settings): Rule {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(metricsToken);
  return ({ headers: { authorization = '' } }) => {
    const [, token = ''] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    return timingSafeEqual(digest(token), expected);
  };
}

/**
 * Who connects from this machine itself. A proxy on it would do so for all the world: one that is known of, or that
 * makes itself known, gets nothing; nor does one that speaks HTTP/1.0, as nginx does unless it is told otherwise. Neither
 * does a page in a browser here that lends its own name this address.
 */
function fromHere({ trustProxy, publicUrl }: Settings): Rule {
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
function countTraffic(server: Server): () => Traffic {
  const open = new Set<Socket>();
  const past = { received: 0, sent: 0 };
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      past.received += socket.bytesRead;
      past.sent += socket.bytesWritten;
    });
  });
  return () => {
    let { received, sent } = past;
    for (const { bytesRead, bytesWritten } of open) {
      received += bytesRead;
      sent += bytesWritten;
    }
    return { connections: open.size, received, sent };
  };
}
