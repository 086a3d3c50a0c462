// The journal of changes of a database: what is to be saved with one is written to the store before the database commits, and
// saved once it has. A process that dies in between, or a store that is away, leaves the entry to the next reader or
// change (docs/adr/0014).
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { fail } from '@sluice/contract';
import { sql } from 'kysely';
import { auditActorOf, writeAuditEntries } from '../../audit/index.ts';
import { anonymousCaller } from '../../call/call.ts';
import type { Db, Store } from '../../store/index.ts';
import type { MovedTable } from '../usage/index.ts';
import {
  type ChangeActor,
  type ExtrasPlan,
  type FollowMoves,
  type PreparedChange,
  parseExtras,
  type RecordChanges,
  type SchemaChangeFacts,
  type SchemaChangeRecord,
  type UnfinishedChange,
} from './extras.ts';
import { type ExtrasChange, type StoredExtras, withChanges } from './rows.ts';
import { readStored, storeChanges } from './stored.ts';

/** What is to be saved, as the journal has it. */
interface PendingChange extends SchemaChangeFacts {
  moves: MovedTable[];
  extras: ExtrasChange[];
  records: SchemaChangeRecord[];
  actor: { id: string; ip: string; userAgent: string | null; baseUrl: string; user?: StoredUser; app?: number };
}

interface StoredUser {
  id: number;
  email: string;
  isAdmin: boolean;
}

/** This process: its host, its number there, and what tells it from another of that number. */
const host = hostname().slice(0, 200);
const processId = randomUUID();
const self = `${host} ${process.pid} ${processId}`;
/** The changes that this process is making. */
const running = new Set<string>();

type JournalStore = Pick<Store, 'db' | 'exclusively' | 'refusal'>;

/**
 * Tries what is to be saved, takes that back, and writes it to the journal instead. Throws what the plan and what follows
 * throw; then nothing is changed.
 */
export async function prepareChange(
  store: JournalStore,
  service: number,
  call: ChangeActor,
  plan: ExtrasPlan,
  facts: SchemaChangeFacts,
  describe: RecordChanges,
  follow: FollowMoves,
): Promise<PreparedChange> {
  const id = randomUUID();
  let pending: PendingChange | undefined;
  let tries = 0;
  const save = async () => {
    const change = pending as PendingChange;
    let publish = async () => {};
    tries += 1;
    await store.exclusively(async (db) => {
      const row = await readRow(db, id);
      if (row) await deleteRow(db, id);
      // Who found the change undone dropped it too soon; who found it done has saved it, as an attempt before this one may have.
      if (row ? row.is_saved !== 1 : tries === 1) publish = await saveChange(db, service, change, call, follow);
    });
    return publish;
  };
  running.add(id);
  try {
    await store.exclusively(async (db) => {
      const stored = await readStored(db, service);
      const { changes: extras, moved } = await plan(stored);
      const moves = moved.filter((table) => table.moves.length > 0);
      const records = describe(parseExtras(stored), parseExtras(withChanges(stored, extras)));
      pending = { ...facts, moves, extras, records, actor: actorOf(call) };
      await sql`savepoint trial`.execute(db);
      await saveChange(db, service, pending, call, follow, stored);
      await sql`rollback to savepoint trial`.execute(db);
      await db
        .insertInto('db_schema_pending')
        .values({
          id,
          service_id: service,
          owner: self,
          created: Date.now(),
          is_saved: 0,
          content: JSON.stringify(pending),
        })
        .execute();
    });
  } catch (error) {
    running.delete(id);
    throw error;
  }
  return {
    async finish() {
      const publish = await save();
      running.delete(id);
      return publish;
    },
    async cancel() {
      running.delete(id);
      await store.exclusively((db) => deleteRow(db, id));
    },
    leave() {
      running.delete(id);
    },
  };
}

/** How many changes of a service's database wait for somebody who finds out what became of them. */
export async function countUnfinished(db: Db, service: number): Promise<number> {
  return (await readUnfinished(db, service)).length;
}

/** The services with such changes. */
export async function findLeftChanges(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('db_schema_pending')
    .select(['id', 'service_id'])
    .where('is_saved', '=', 0)
    .execute();
  return [...new Set(rows.flatMap(({ id, service_id }) => (running.has(id) ? [] : [service_id])))];
}

/** The changes that this process is not making, oldest first. */
export async function unfinishedChanges(store: JournalStore, service: number): Promise<UnfinishedChange[]> {
  const rows = await readUnfinished(store.db, service);
  if (rows.length === 0) return [];
  const contents = await store.db
    .selectFrom('db_schema_pending')
    .selectAll()
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('created')
    .execute();
  return contents.map(({ id, owner, created, content }) => {
    const change = JSON.parse(content) as PendingChange;
    const isOwnerGone = isGone(owner);
    return {
      ...change,
      content,
      isOwnerGone,
      age: () => Date.now() - Number(created),
      async finish(follow) {
        let publish: (() => Promise<void>) | undefined;
        try {
          await store.exclusively(async (db) => {
            publish = undefined;
            const row = await readRow(db, id);
            if (!row || row.is_saved === 1) return;
            publish = await saveChange(db, service, change, callOf(change.actor), follow);
            if (isOwnerGone) await deleteRow(db, id);
            else
              await db
                .updateTable('db_schema_pending')
                .set({ is_saved: 1, content: '' })
                .where('id', '=', id)
                .execute();
          });
        } catch (error) {
          const refusal = store.refusal(error);
          throw refusal ? fail('record.database', { text: refusal.text }, { code: refusal.code, cause: error }) : error;
        }
        return publish;
      },
      async drop() {
        await store.exclusively((db) => deleteRow(db, id));
      },
    };
  });
}

/** What moves comes first: it is looked up by the old names. `stored` is what the transaction found before. */
async function saveChange(
  db: Db,
  service: number,
  { moves, extras, records }: PendingChange,
  actor: ChangeActor,
  follow: FollowMoves,
  stored?: StoredExtras,
): Promise<() => Promise<void>> {
  const publish = await follow(actor, db, moves);
  const before = stored && moves.length === 0 ? stored : await readStored(db, service);
  const after = await storeChanges(db, before, extras);
  for (const record of records) await writeAuditEntries(db, { ...auditActorOf(actor), ...entryOf(record, after) });
  return publish;
}

/** What the change of a table leaves in the audit: one entry, whatever came with it. */
const entryOf = ({ table, before, after }: SchemaChangeRecord, { service, names }: StoredExtras) => ({
  action: 'update' as const,
  resource: 'service',
  record_id: service,
  record_name: `${names[service]}/_schema/${table}`,
  ...(before ? { before } : {}),
  ...(after ? { after } : {}),
});

// ---- who made it ----

/** No more than its entry in the audit needs, and what roles are written with: keys and tokens stay out of the store. */
function actorOf({ id, ip, userAgent, baseUrl, caller: { user, app } }: ChangeActor): PendingChange['actor'] {
  return {
    ...{ id, ip, userAgent, baseUrl },
    ...(user ? { user: { id: user.id, email: user.email, isAdmin: user.isAdmin } } : {}),
    ...(app ? { app: app.id } : {}),
  };
}

const noNames = { name: '', firstName: null, lastName: null, username: '', phone: null };

function callOf({ user, app, ...call }: PendingChange['actor']): ChangeActor {
  return {
    ...call,
    caller: {
      ...anonymousCaller,
      ...(user ? { user: { ...noNames, ...user, defaultAppId: null, lastLoginDate: null } } : {}),
      ...(app === undefined ? {} : { app: { id: app, name: '', apiKey: '', roleId: null } }),
    },
  };
}

/** Whether a process has certainly ended; of one on another host nobody knows. */
function isGone(owner: string): boolean {
  if (owner === self) return true;
  const [ownerHost, pid] = owner.split(' ');
  if (ownerHost !== host) return false;
  // Its number is that of this process: it had it before.
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

// ---- rows ----

async function readUnfinished(db: Db, service: number): Promise<{ id: string }[]> {
  const rows = await db
    .selectFrom('db_schema_pending')
    .select('id')
    .where('service_id', '=', service)
    .where('is_saved', '=', 0)
    .execute();
  return rows.filter(({ id }) => !running.has(id));
}

const readRow = (db: Db, id: string) =>
  db.selectFrom('db_schema_pending').select('is_saved').where('id', '=', id).executeTakeFirst();

async function deleteRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('db_schema_pending').where('id', '=', id).execute();
}
