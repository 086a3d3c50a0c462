// The end of a process, without cutting anybody off: it says first that it is not ready, answers what still arrives on
// connections that it asks to be closed, and only then stops listening (docs/operations.md, "As a service").
import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    stopping: Stopping;
  }
}

/** Whether the process is going to stop. Answers then ask for their connection to be closed, and `/readyz` is a 503. */
export interface Stopping {
  readonly isAnnounced: boolean;
  /** Aborted when it is announced, and when the server closes without: answers that would never end do then. */
  readonly signal: AbortSignal;
  announce(): void;
}

/** Milliseconds for which the head of a request may still arrive once the server closes. */
const arrivalTime = 1_000;

export function addStopping(server: FastifyInstance): void {
  const announcement = new AbortController();
  const { signal } = announcement;
  // One listener for each open-ended answer.
  setMaxListeners(0, signal);
  const stopping: Stopping = {
    get isAnnounced() {
      return signal.aborted;
    },
    signal,
    announce: () => announcement.abort(),
  };
  server.decorate('stopping', stopping);
  const inFlight = countRequests(server);
  let timer: NodeJS.Timeout | undefined;
  server.addHook('preClose', async () => {
    stopping.announce();
    const closesQuiet = performance.now() + arrivalTime;
    timer = setInterval(() => {
      // A connection that was busy is kept alive after its answer, and would hold the server open.
      server.server.closeIdleConnections();
      // So would one on which nothing or half a head was sent: those do not count as idle, and browsers open some ahead.
      if (performance.now() >= closesQuiet)
        for (const socket of server.connections.open) if (!inFlight.get(socket)) socket.destroy();
    }, 50);
  });
  server.addHook('onClose', async () => clearInterval(timer));
}

/** How many requests on a connection came and are not answered. */
function countRequests({ server }: FastifyInstance): WeakMap<Socket, number> {
  const inFlight = new WeakMap<Socket, number>();
  const add = (socket: Socket, count: number) => inFlight.set(socket, (inFlight.get(socket) ?? 0) + count);
  server.on('request', ({ socket }, answer) => {
    add(socket, 1);
    answer.once('close', () => add(socket, -1));
  });
  return inFlight;
}

/** Announces the end, answers calls for `seconds` longer, then stops listening and waits for the calls in flight. */
export async function stopServer(server: FastifyInstance, seconds: number): Promise<void> {
  server.stopping.announce();
  await sleep(seconds * 1000);
  await server.close();
}
