// A bus for stores that carry no messages: each process polls for the changes of others, so a change takes effect there
// after 200 ms at the latest.
import { allChanged, type Bus, type BusLog, type Change, maxCacheAge } from './bus.ts';
import { createListeners } from './local.ts';

/** Reads and writes the notices that processes leave for each other. */
export interface Notices {
  /** The changes of other processes since the last call. */
  read(): Promise<Change[]>;
  /** Leaves a notice for the others. */
  write(change: Change): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds between two polls. */
const pollInterval = 200;
/** Milliseconds without an answer after which everything is dropped, again and again until the store answers. */
const maxSilence = 500;

export function createPolledBus({ read, write, close }: Notices, log: BusLog): Bus {
  const { subscribe, notify } = createListeners(log);
  let polling: Promise<void> | undefined;
  let lastAnswer = performance.now();
  let lastDrop = lastAnswer;
  let isLost = false;
  let hasMissedNotice = false;

  function dropCaches(): void {
    lastDrop = performance.now();
    void notify(allChanged);
  }

  async function poll(): Promise<void> {
    try {
      const changes = await read();
      if (hasMissedNotice) await write(allChanged);
      hasMissedNotice = false;
      lastAnswer = performance.now();
      if (isLost) {
        log.info({}, 'The store answers again.');
        dropCaches();
      }
      isLost = false;
      for (const change of changes) void notify(change);
    } catch (error) {
      if (isLost) return;
      isLost = true;
      log.warn(
        { err: error },
        'The store does not tell what other processes changed. Nothing is cached for longer than half a second until it does.',
      );
      dropCaches();
    }
  }

  const timer = setInterval(() => {
    const now = performance.now();
    if (now - lastDrop > (now - lastAnswer > maxSilence ? maxSilence : maxCacheAge)) dropCaches();
    polling ??= poll().finally(() => {
      polling = undefined;
    });
  }, pollInterval).unref();

  return {
    subscribe,
    async publish(change) {
      await notify(change);
      try {
        await write(change);
      } catch (error) {
        hasMissedNotice = true;
        log.warn(
          { err: error },
          'A change could not be told to other processes; it is made up for as soon as possible.',
        );
      }
    },
    async close() {
      clearInterval(timer);
      await polling;
      await close();
    },
  };
}
