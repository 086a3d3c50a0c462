// Sign-ins and sign-outs on their way into the audit. They are written a moment after their answer, which neither waits for
// them nor fails with them. Equal attempts are counted, and a flood of failures is cut off and counted as one entry.
import { Failure } from '@sluice/contract';
import type { Jobs } from '../jobs/index.ts';
import type { Store } from '../store/index.ts';
import { type AuditEntry, unknownActor, writeAuditEntries } from './entry.ts';

/** Milliseconds. Of equal attempts within a window the first is an entry, the others are counted in a second one. */
const windowLength = 10_000;
/** Failed attempts listed one by one in `windowCount` windows; of those beyond only the number is kept. */
const maxListed = 100;
const windowCount = 6;
/** Entries that may wait while the store accepts none. */
const maxQueued = 1_000;
/** Entries of one statement. */
const batch = 100;

export interface SignInAudit {
  /** Queues an attempt to be written; never throws, never waits. */
  queue(entry: AuditEntry): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

interface Repeat {
  entry: AuditEntry;
  count: number;
}

interface SignInAuditParts {
  store: Store;
  jobs: Pick<Jobs, 'repeat'>;
  log: { warn(details: object, message: string): void };
}

export function createSignInAudit({ store, jobs, log }: SignInAuditParts): SignInAudit {
  let queued: AuditEntry[] = [];
  let repeats = new Map<string, Repeat>();
  let failures = { listed: 0, unlisted: 0, windows: 0 };
  let writing: Promise<void> | undefined;

  /** Writes until the queue is empty or the store refuses. */
  async function write(): Promise<void> {
    while (queued.length > 0) {
      const entries = queued.slice(0, batch);
      try {
        await writeAuditEntries(store.db, ...entries);
      } catch (error) {
        log.warn({ err: error }, 'sign-ins could not be written to the audit');
        // A store that is away or full gets them later, as many as the queue may hold.
        if (error instanceof Failure && queued.length <= maxQueued) return;
      }
      queued = queued.slice(entries.length);
    }
  }

  /** Writes after the answer that is under way; one write at a time, so that entries stay in order. */
  function scheduleWrite(): void {
    writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(write).finally(() => {
      writing = undefined;
    });
  }

  const enqueue = (entry: AuditEntry) => queued.push({ created_date: new Date().toISOString(), ...entry });

  /** Ends a window: attempts that were only counted in it become an entry. */
  function endWindow(): void {
    for (const { entry, count } of repeats.values()) if (count > 0) enqueue({ ...entry, after: { attempts: count } });
    repeats = new Map();
    failures.windows += 1;
    if (failures.windows >= windowCount) {
      if (failures.unlisted > 0) enqueue(unlistedFailures(failures.unlisted));
      failures = { listed: 0, unlisted: 0, windows: 0 };
    }
    if (queued.length > 0) scheduleWrite();
  }

  jobs.repeat(windowLength, 'Counting sign-ins', endWindow);

  return {
    queue(entry) {
      const key = keyOf(entry);
      const repeat = repeats.get(key);
      if (repeat) {
        repeat.count += 1;
        return;
      }
      const isFailure = entry.outcome !== undefined && entry.outcome !== 'ok';
      if (isFailure && failures.listed >= maxListed) {
        failures.unlisted += 1;
        return;
      }
      if (isFailure) failures.listed += 1;
      repeats.set(key, { entry, count: 0 });
      enqueue(entry);
      scheduleWrite();
    },
    async close() {
      failures.windows = windowCount;
      endWindow();
      await writing;
      // What was queued while the last statement ended.
      if (queued.length > 0) await write();
    },
  };
}

/** Attempts that are one entry: the same login from the same address at the same door, with the same outcome. */
const keyOf = ({ action, resource, record_id, user_email, app_id, ip_address, outcome }: AuditEntry): string =>
  JSON.stringify([action, resource, record_id, user_email, app_id, ip_address, outcome]);

const unlistedFailures = (attempts: number): AuditEntry => ({
  ...unknownActor,
  action: 'sign_in',
  resource: 'user',
  record_id: null,
  record_name: null,
  outcome: 'More failed sign-ins than are listed.',
  after: { attempts },
});
