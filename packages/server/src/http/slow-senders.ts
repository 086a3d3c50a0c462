// Bodies that come too slowly. One sweep looks at all connections: no call has a timer of its own. Node's own limit would be
// for whole requests, and a large upload takes as long as it takes.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { hasBody, isStreamed } from './body.ts';
import { answerBrokenRequest } from './connections.ts';

declare module 'fastify' {
  interface FastifyInstance {
    slowSenders: SlowSenders;
  }
}

export interface SlowSenders {
  /** Looks at all connections; `now` in milliseconds of the clock of `performance.now()`. */
  sweep(now: number): void;
}

/** Milliseconds between two sweeps. */
const sweepInterval = 5_000;
/** Milliseconds for a body that is parsed, or not read at all. */
const bodyTime = 120_000;
/** Milliseconds for which nothing may come of a body that is streamed. */
const stallTime = 60_000;

/** The request whose body a connection receives. */
interface Receiving {
  request: IncomingMessage;
  response: ServerResponse;
  since: number;
  /** Bytes of the connection when something was last seen to come, and when that was. */
  bytes: number;
  movedAt: number;
}

/** Closes the connection of what comes too slowly, with a 408 where no answer has begun. */
export function breakOffSlowSenders(server: FastifyInstance): void {
  const receiving = new WeakMap<Socket, Receiving>();
  server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // A request without a body is whole; most are.
    if (!hasBody(request)) return;
    const since = performance.now();
    receiving.set(request.socket, { request, response, since, bytes: request.socket.bytesRead, movedAt: since });
  });

  const sweep = (now: number): void => {
    for (const socket of server.connections.open) {
      const current = receiving.get(socket);
      if (!current) continue;
      if (current.request.complete) receiving.delete(socket);
      else if (isTooSlow(current, socket, now)) {
        receiving.delete(socket);
        // A 408 behind a head would pass for a part of that answer.
        if (current.response.headersSent) socket.destroy();
        else answerBrokenRequest(Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
      }
    }
  };

  const timer = setInterval(() => sweep(performance.now()), sweepInterval).unref();
  server.addHook('onClose', async () => clearInterval(timer));
  server.decorate('slowSenders', { sweep });
}

function isTooSlow(current: Receiving, socket: Socket, now: number): boolean {
  const { request } = current;
  if (!isStreamed(request)) return now - current.since >= bodyTime;
  // What has come and is not taken yet: the reader is slow, not the sender.
  if (socket.bytesRead !== current.bytes || request.readableLength > 0) {
    current.bytes = socket.bytesRead;
    current.movedAt = now;
  }
  return now - current.movedAt >= stallTime;
}
