// A bus for stores that carry no messages: what others changed is asked for several times a second, so a change acts
// in other processes after 200 ms at the latest.
import { anything, type Bus, type BusLog, type Change, longest } from './bus.ts';
import { listenersHere } from './local.ts';

/** Where notices of other processes are found. */
export interface Notices {
  /** What other processes changed since the last time. */
  read(): Promise<Change[]>;
  /** Leaves a notice for the others. */
  write(change: Change): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds between two looks. */
const lookEvery = 200;
/** Milliseconds without news after which everything is dropped, again and again until the store answers. */
const mostSilence = 500;

export function polledBus({ read, write, close }: Notices, log: BusLog): Bus {
  const { subscribe, tell } = listenersHere(log);
  let looking: Promise<void> | undefined;
  let answered = performance.now();
  let dropped = answered;
  let isLost = false;
  let owesNotice = false;

  function drop(): void {
    dropped = performance.now();
    void tell(anything);
  }

  async function look(): Promise<void> {
    try {
      const changes = await read();
      if (owesNotice) await write(anything);
      owesNotice = false;
      answered = performance.now();
      if (isLost) {
        log.info({}, 'The store answers again.');
        drop();
      }
      isLost = false;
      for (const change of changes) void tell(change);
    } catch (error) {
      if (isLost) return;
      isLost = true;
      log.warn(
        { err: error },
        'The store does not tell what other processes changed. Nothing is cached for longer than half a second until it does.',
      );
      drop();
    }
  }

  const timer = setInterval(() => {
    const now = performance.now();
    if (now - dropped > (now - answered > mostSilence ? mostSilence : longest)) drop();
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, lookEvery).unref();

  return {
    subscribe,
    async publish(change) {
      await tell(change);
      try {
        await write(change);
      } catch (error) {
        owesNotice = true;
        log.warn(
          { err: error },
          'A change could not be told to other processes; it is made up for as soon as possible.',
        );
      }
    },
    async close() {
      clearInterval(timer);
      await looking;
      await close();
    },
  };
}
