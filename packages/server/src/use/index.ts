// How services and keys are used: calls are counted in memory and added to the store once a minute and at the end, so that
// several processes add up. A store that is away gets them later; no call waits for it or fails with it.
import type { AppUse, ServiceUse } from '@sluice/contract';
import { createKey } from '../call/typed-map.ts';
import type { Jobs } from '../jobs/index.ts';
import type { Store } from '../store/index.ts';
import { createUseCounter, type UseCounter } from './counter.ts';
import { createFailedCalls, type FailedCalls } from './failed-calls.ts';
import { purgeUse } from './purge.ts';
import { readAppUse, readServiceUse } from './read.ts';
import { writeUse } from './write.ts';

/** Set on a call that failed: why. */
export const failureText = createKey<string>('why a call failed');

/** Set on a call whose refusal is no failure of its service, but a step on its caller's way. */
export const isNoFailure = createKey<boolean>('no failure of the service');

export interface Use {
  /** Counts a call that was let through and is over. */
  count: UseCounter['count'];
  /** The last calls that failed. */
  failedCalls: FailedCalls;
  /** The use of every service within so many hours; what this process counted a moment ago is in it. */
  services(hours: number): Promise<ServiceUse[]>;
  /** The use of every key. */
  apps(): Promise<AppUse[]>;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

/** Milliseconds between two writes. */
const writeInterval = 60_000;

export interface UseParts {
  store: Store;
  jobs: Pick<Jobs, 'repeat' | 'schedule'>;
  log: { warn(details: object, message: string): void };
  interval?: number;
}

export function createUse({ store, jobs, log, interval = writeInterval }: UseParts): Use {
  const counter = createUseCounter();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    const pending = counter.take();
    if (pending.hours.length === 0) return;
    try {
      await writeUse(store, pending);
    } catch (error) {
      counter.putBack(pending);
      throw error;
    }
  }

  /** One write at a time; a request during a write gets one that begins after it. */
  async function flush(): Promise<void> {
    while (writing) await writing.catch(() => {});
    writing = write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  jobs.repeat(interval, 'Writing the use of services', flush);
  jobs.schedule('purge use', '7 * * * *', (signal) => purgeUse(store.db, () => signal.aborted));

  return {
    count: counter.count,
    failedCalls: createFailedCalls(),
    async services(hours) {
      await flush();
      return readServiceUse(store.db, hours);
    },
    async apps() {
      await flush();
      return readAppUse(store.db);
    },
    async close() {
      await flush().catch((error: unknown) =>
        log.warn({ err: error }, 'The use of services in the last minute is lost.'),
      );
    },
  };
}
