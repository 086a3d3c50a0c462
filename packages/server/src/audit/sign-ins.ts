// Sign-ins and sign-outs on their way into the audit. They are written a moment after their answer, which neither waits for
// them nor fails with them; what repeats itself is counted, and a flood of failures is cut off and counted as one.
import { Failure } from '@sluice/contract';
import type { Store } from '../store/index.ts';
import { type AuditEntry, nobodyKnown, record } from './entry.ts';

/** Milliseconds in which equal attempts are one entry and the number of the rest. */
const span = 10_000;
/** Failed attempts listed one by one in `spans` spans; of more only the number is kept. */
const listed = 100;
const spans = 6;
/** Entries that may wait for a store that takes none. */
const mostWaiting = 1_000;
/** Entries of one statement. */
const batch = 100;

export interface SignInAudit {
  /** Takes note of an attempt; never throws, never waits. */
  tell(entry: AuditEntry): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

interface Repeated {
  entry: AuditEntry;
  more: number;
}

export function createSignInAudit(store: Store, log: { warn(details: object, message: string): void }): SignInAudit {
  let waiting: AuditEntry[] = [];
  let repeated = new Map<string, Repeated>();
  let failures = { listed: 0, more: 0, spans: 0 };
  let writing: Promise<void> | undefined;

  /** Until nothing waits, or the store takes no more. */
  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.slice(0, batch);
      try {
        await record(store.db, ...some);
      } catch (error) {
        log.warn({ err: error }, 'sign-ins could not be written to the audit');
        // A store that is away or full gets them later, as far as they fit.
        if (error instanceof Failure && waiting.length <= mostWaiting) return;
      }
      waiting = waiting.slice(some.length);
    }
  }

  /** After the answer that is under way; one at a time, so that they stay in order. */
  function writeSoon(): void {
    writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(write).finally(() => {
      writing = undefined;
    });
  }

  const add = (entry: AuditEntry) => waiting.push({ created_date: new Date().toISOString(), ...entry });

  /** Ends a span: what was only counted in it becomes an entry. */
  function settle(): void {
    for (const { entry, more } of repeated.values()) if (more > 0) add({ ...entry, after: { attempts: more } });
    repeated = new Map();
    failures.spans += 1;
    if (failures.spans >= spans) {
      if (failures.more > 0) add(manyMore(failures.more));
      failures = { listed: 0, more: 0, spans: 0 };
    }
    if (waiting.length > 0) writeSoon();
  }

  const settling = setInterval(settle, span);
  settling.unref();

  return {
    tell(entry) {
      const key = keyOf(entry);
      const known = repeated.get(key);
      if (known) {
        known.more += 1;
        return;
      }
      const isFailure = entry.outcome !== undefined && entry.outcome !== 'ok';
      if (isFailure && failures.listed >= listed) {
        failures.more += 1;
        return;
      }
      if (isFailure) failures.listed += 1;
      repeated.set(key, { entry, more: 0 });
      add(entry);
      writeSoon();
    },
    async close() {
      clearInterval(settling);
      failures.spans = spans;
      settle();
      await writing;
      // What came while the last statement ended.
      if (waiting.length > 0) await write();
    },
  };
}

/** Attempts that are one to whoever reads: the same login from the same address at the same door, with the same outcome. */
const keyOf = ({ action, resource, record_id, user_email, app_id, ip_address, outcome }: AuditEntry): string =>
  JSON.stringify([action, resource, record_id, user_email, app_id, ip_address, outcome]);

const manyMore = (attempts: number): AuditEntry => ({
  ...nobodyKnown,
  action: 'sign_in',
  resource: 'user',
  record_id: null,
  record_name: null,
  outcome: 'More failed sign-ins than are listed.',
  after: { attempts },
});
