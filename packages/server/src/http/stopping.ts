// The end of a process, without cutting anybody off: it says first that it is not ready, answers what still arrives on
// connections that it asks to be closed, and only then stops listening (docs/operations.md, "As a service").
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    stopping: Stopping;
  }
}

/** Whether the process is going to stop. Answers then ask for their connection to be closed, and `/readyz` is a 503. */
export interface Stopping {
  isAnnounced: boolean;
}

export function addStopping(server: FastifyInstance): void {
  server.decorate('stopping', { isAnnounced: false });
  // A connection that was busy is kept alive after its answer, and would hold the server open.
  let timer: NodeJS.Timeout | undefined;
  server.addHook('preClose', async () => {
    timer = setInterval(() => server.server.closeIdleConnections(), 50);
  });
  server.addHook('onClose', async () => clearInterval(timer));
}

/** Announces the end, answers calls for `seconds` longer, then stops listening and waits for the calls in flight. */
export async function stopServer(server: FastifyInstance, seconds: number): Promise<void> {
  server.stopping.isAnnounced = true;
  await sleep(seconds * 1000);
  await server.close();
}
