// A statement on a server, which runs on there whether or not anybody still waits for it.
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '@sluice/contract';
import type { CompiledQuery } from 'kysely';
import type { Searcher } from './dialect.ts';

/** Milliseconds after which a statement is cancelled again: it may not have begun at the first time. */
const repeatAfter = 500;

/**
 * The outcome of a running statement. When the caller goes away, `stop` tells the server to end it, and it is
 * `database.cancelled`. This settles when the statement has, and when no `stop` is under way that could meet the next one.
 */
async function stopWithCaller<T>(
  running: Promise<T>,
  stop: () => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return running;
  let isRunning = true;
  const settled = running.then(
    () => {},
    () => {},
  );
  let stopping: Promise<void> | undefined;
  const stopUntilEnded = async () => {
    while (isRunning) {
      // A server that takes no connection has the time limit of the statement itself.
      await stop().catch(() => {});
      await Promise.race([settled, sleep(repeatAfter)]);
    }
  };
  const onAbort = () => {
    stopping ??= stopUntilEnded();
  };
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await running;
  } catch (cause) {
    throw signal.aborted ? fail('database.cancelled', undefined, { cause }) : cause;
  } finally {
    isRunning = false;
    signal.removeEventListener('abort', onAbort);
    await stopping;
  }
}

interface ServerConnections<C> {
  /** How many there are; searches use half of them at once, the others are left to everything else. */
  connections: number;
  connect(): Promise<C>;
  read(connection: C, query: CompiledQuery): Promise<Record<string, unknown>[]>;
  /** Tells the server to end what this connection runs. */
  stop(connection: C): Promise<void>;
}

/** Searches on the connections of a server, each stopped there when its caller goes away. */
export const serverSearcher = <C extends { release(): void }>(server: ServerConnections<C>): Searcher => ({
  size: () => Number.POSITIVE_INFINITY,
  places: Math.max(1, Math.floor(server.connections / 2)),
  async read({ query, signal }) {
    const connection = await server.connect();
    try {
      return await stopWithCaller(server.read(connection, query), () => server.stop(connection), signal);
    } finally {
      connection.release();
    }
  },
});
