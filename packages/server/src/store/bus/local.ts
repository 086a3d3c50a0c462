// The listeners of this process; all of the bus when it is alone with its store.
import type { Bus, BusLog, Change, Listener } from './bus.ts';

export interface Listeners {
  subscribe(listener: Listener): void;
  /** Calls every listener; returns when all are done. One that fails does not keep the others from being called. */
  notify(change: Change): Promise<void>;
}

export function createListeners(log: BusLog): Listeners {
  const listeners: Listener[] = [];
  const notifyOne = async (listener: Listener, change: Change) => {
    try {
      await listener(change);
    } catch (error) {
      log.warn({ err: error, table: change.table }, 'What was cached could not be let go of in order.');
    }
  };
  return {
    subscribe: (listener) => void listeners.push(listener),
    async notify(change) {
      await Promise.all(listeners.map((listener) => notifyOne(listener, change)));
    },
  };
}

/** The bus of a process that is alone with its store. */
export function createLocalBus(log: BusLog): Bus {
  const { subscribe, notify } = createListeners(log);
  return { publish: notify, subscribe, async close() {} };
}
