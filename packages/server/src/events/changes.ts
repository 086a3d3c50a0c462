// Notices of what was written: one emitter for parts of the instance that follow changes. It is no event of a call: no script hears
// it, and `system/event` does not list it. Records of `system` and tables of database services are noticed once their
// transaction is committed, in the process that wrote them; one that is rolled back is never noticed.

/** Records of one resource of `system`, or rows of one table, that a commit changed. */
export interface CommittedChange {
  /** Name of the service. */
  service: string;
  /** The resource, or the table by its API name. */
  resource: string;
  /** `upsert` where the write does not tell which of both it was. */
  kind: 'insert' | 'update' | 'delete' | 'upsert';
  /** Of records of `system` the identifier; of rows what the write answered, its key among it unless the caller wanted less. */
  rows: readonly Record<string, unknown>[];
}

export type ChangeListener = (changes: readonly CommittedChange[]) => void;

export interface ChangeNotices {
  /** Whether anybody listens. What nobody hears is not made. */
  readonly isHeard: boolean;
  /** Calls a function after each commit, before the call is answered: it has to be quick. Answers a function that ends it. */
  listen(listener: ChangeListener): () => void;
  /** Tells all listeners. Never throws: what was committed stays. */
  raise(changes: readonly CommittedChange[]): void;
}

export function createChangeNotices(log: { error(details: object, message: string): void }): ChangeNotices {
  const listeners = new Set<ChangeListener>();
  return {
    get isHeard() {
      return listeners.size > 0;
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    raise(changes) {
      if (changes.length === 0) return;
      for (const listener of listeners) {
        try {
          listener(changes);
        } catch (error) {
          log.error({ err: error }, 'What follows changes failed.');
        }
      }
    },
  };
}
