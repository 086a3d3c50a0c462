// The listeners of this process; all of the bus when it is alone with its store.
import type { Bus, BusLog, Change, Listener } from './bus.ts';

export interface Listeners {
  subscribe(listener: Listener): void;
  /** Tells every listener; returns when all are done. One that fails keeps none of the others from hearing. */
  tell(change: Change): Promise<void>;
}

export function listenersHere(log: BusLog): Listeners {
  const all: Listener[] = [];
  const tellOne = async (listener: Listener, change: Change) => {
    try {
      await listener(change);
    } catch (error) {
      log.warn({ err: error, table: change.table }, 'What was cached could not be let go of in order.');
    }
  };
  return {
    subscribe: (listener) => void all.push(listener),
    async tell(change) {
      await Promise.all(all.map((listener) => tellOne(listener, change)));
    },
  };
}

/** The bus of a process that is alone with its store. */
export function localBus(log: BusLog): Bus {
  const { subscribe, tell } = listenersHere(log);
  return { publish: tell, subscribe, async close() {} };
}
