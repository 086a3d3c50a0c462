// Extras in the store; runs on each engine of it (vitest.config.ts).
import { aCall } from '@sluice/testkit/call';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  Extras,
  FollowMoves,
  PlannedExtras,
  RecordChanges,
  SchemaChangeFacts,
  ServiceExtras,
  UnfinishedChange,
} from './extras.ts';
import { aField, aRelation, aTable, aVirtual } from './rows.fixture.ts';
import type { ExtrasChange, StoredExtras } from './rows.ts';
import { openExtrasStore } from './store.ts';

let system: TestSystem;
let db: number;
let other: number;
let extras: ServiceExtras;
beforeEach(async () => {
  system = await startSystem();
  const create = async (name: string) => {
    const body = { resource: [{ name, label: name, type: 'everything', config: { host: 'x' } }] };
    return (await system.ask('POST', 'service', body)).body.resource[0].id as number;
  };
  db = await create('shop');
  other = await create('other');
  extras = openExtrasStore(system.store)(db);
  system.takeChanges();
});
afterEach(() => system.close());

const call = aCall({});
const planned = (changes: ExtrasChange[]): PlannedExtras => ({ changes, moved: [] });
const followNothing: FollowMoves = async () => async () => {};
const put = (...puts: ExtrasChange[]) => extras.change(call, () => planned(puts), followNothing);
const rowOf = (extrasNow: Extras, table = 'todo') => extrasNow.table(table)?.row;
const alias = (table: string, name: string): ExtrasChange => ({
  table: 'db_table_extras',
  key: { table },
  row: aTable(table, { alias: name }),
});
const count = async () => {
  const tables = ['db_table_extras', 'db_field_extras', 'db_relationship_extras', 'db_virtual_relationship'] as const;
  let rows = 0;
  for (const table of tables) rows += (await system.store.db.selectFrom(table).selectAll().execute()).length;
  return rows;
};
const all = (): ExtrasChange[] => {
  const relation = aVirtual('todo', {
    type: 'belongs_to',
    field: 'a',
    ref_service_id: other,
    ref_table: 't',
    ref_field: 'id',
  });
  return [
    alias('todo', 'task'),
    { table: 'db_field_extras', key: { table: 'todo', field: 'a' }, row: aField('todo.a', { picklist: ['x'] }) },
    {
      table: 'db_relationship_extras',
      key: { table: 'todo', relationship: 'r' },
      row: aRelation('todo', 'r', { always_fetch: 1 }),
    },
    { table: 'db_virtual_relationship', key: relation, row: relation },
  ];
};

it('are empty until something is put, and hold when the change returns', async () => {
  const none = await extras.current();
  expect(none.isEmpty).toBe(true);
  expect(extras.current()).toBe(none);
  await put(...all());
  expect(system.takeChanges()).toEqual([{ table: 'db_extras', ids: [db] }]);
  const now = await extras.current();
  expect(rowOf(now)).toEqual(aTable('todo', { alias: 'task' }));
  expect(now.tableOfAlias('task')).toBe('todo');
  expect(now.table('todo')).toMatchObject({
    fields: new Map([['a', { picklist: ['x'], is_virtual: false }]]),
    relations: new Map([['r', { always_fetch: 1 }]]),
    virtual: [{ name: 'other.t_by_a', ref_service_id: other }],
  });
  expect((await openExtrasStore(system.store)(other).current()).isEmpty).toBe(true);
});

it('stay the same object while nothing changes, after any notice', async () => {
  await put(...all());
  const now = await extras.current();
  await system.store.bus.publish({ table: '*' });
  expect(await extras.current()).toBe(now);
  await put(...all());
  expect(await extras.current()).toBe(now);
  await put(alias('todo', 'job'));
  expect(rowOf(await extras.current())?.alias).toBe('job');
});

it('name a service as it is called now, and go with it', async () => {
  await put(...all());
  expect((await extras.current()).table('todo')?.virtual[0]?.name).toBe('other.t_by_a');
  await system.ask('PATCH', `service/${other}`, { name: 'elsewhere' });
  expect((await extras.current()).table('todo')?.virtual[0]?.name).toBe('elsewhere.t_by_a');
  await system.ask('DELETE', `service/${other}`);
  expect((await extras.current()).table('todo')?.virtual).toEqual([]);
  expect(await count()).toBe(3);
  await system.ask('DELETE', `service/${db}`);
  expect(await count()).toBe(0);
});

it('take a row out by all of its key', async () => {
  await put(...all());
  const relation = aVirtual('todo', {
    type: 'belongs_to',
    field: 'a',
    ref_service_id: other,
    ref_table: 't',
    ref_field: 'id',
  });
  await put({ table: 'db_virtual_relationship', key: { ...relation, ref_field: 'x' } });
  expect(await count()).toBe(4);
  await put(
    { table: 'db_virtual_relationship', key: relation },
    { table: 'db_field_extras', key: { table: 'todo', field: 'a' } },
  );
  expect(await count()).toBe(2);
});

it('change one after the other, each seeing what was before it', async () => {
  const add = ({ rows }: StoredExtras) => planned([alias('todo', `${rows.db_table_extras[0]?.alias ?? ''}x`)]);
  await Promise.all([1, 2, 3, 4].map(() => extras.change(call, add, followNothing)));
  expect(rowOf(await extras.current())?.alias).toBe('xxxx');
});

it('stay as they were when a change fails, and say nothing', async () => {
  await put(alias('todo', 'task'));
  system.takeChanges();
  const broken = put(alias('todo', 'other'), {
    table: 'db_table_extras',
    key: { table: 'x' },
    row: { table: null } as never,
  });
  await expect(broken).rejects.toThrow();
  expect(rowOf(await extras.current())?.alias).toBe('task');
  await put();
  expect(system.takeChanges()).toEqual([]);
});

it('are in the audit', async () => {
  await put(alias('todo', 'task'));
  await put(alias('todo', 'job'));
  await put({ table: 'db_table_extras', key: { table: 'todo' } });
  await put({ table: 'db_table_extras', key: { table: 'todo' } });
  const entries = await system.store.db
    .selectFrom('audit')
    .selectAll()
    .where('record_name', 'like', '%_schema%')
    .orderBy('id')
    .execute();
  expect(entries).toMatchObject([
    { action: 'update', resource: 'service', record_id: String(db), record_name: 'shop/_schema/todo', before: null },
    { user_email: 'ada@example.com' },
    { after: null },
  ]);
  expect(JSON.parse(entries[1]!.before!)).toMatchObject({ alias: 'task' });
  expect(JSON.parse(entries[1]!.after!)).toMatchObject({ alias: 'job' });
});

describe('with a change of the database', () => {
  const facts: SchemaChangeFacts = {
    tables: [['todo', 'x']],
    isHidden: false,
    isStepwise: false,
  };
  const describeChange: RecordChanges = () => [{ table: 'todo', after: { steps: ['alter table todo'] } }];
  let followed: number;
  const follow: FollowMoves = async (actor) => {
    expect([actor.caller.user?.id, actor.ip]).toEqual([call.caller.user?.id, call.ip]);
    followed += 1;
    return async () => {};
  };
  beforeEach(() => {
    followed = 0;
  });
  const prepare = () =>
    extras.prepareSchemaChange(call, () => planned([alias('todo', 'task')]), facts, describeChange, follow);
  const aliasNow = async () => rowOf(await openExtrasStore(system.store)(db).current())?.alias;
  const entries = () =>
    system.store.db.selectFrom('audit').selectAll().where('record_name', '=', 'shop/_schema/todo').execute();
  const journal = () => system.store.db.selectFrom('db_schema_pending').selectAll().execute();
  const state = async () => [await aliasNow(), (await entries()).length, (await journal()).length];
  /** As another host has it: whether that process lives is not known here. */
  const moveElsewhere = () =>
    system.store.db.updateTable('db_schema_pending').set({ owner: 'elsewhere 1 x' }).execute();
  const unfinished = async () => {
    const [change] = await extras.unfinished();
    return change as UnfinishedChange;
  };

  it('are tried and kept until that has committed, then saved once', async () => {
    const prepared = await prepare();
    expect(followed).toBe(1);
    expect(await state()).toEqual([undefined, 0, 1]);
    expect(await extras.unfinished()).toEqual([]);
    await prepared.finish();
    expect(await state()).toEqual(['task', 1, 0]);
    expect(await entries()).toMatchObject([
      { user_email: 'ada@example.com', ip_address: call.ip, request_id: call.id },
    ]);
    expect(JSON.parse((await entries())[0]!.after!)).toEqual({ steps: ['alter table todo'] });
  });

  it('leave nothing when they are refused or cancelled', async () => {
    const refused = (plan: () => ExtrasChange[]) =>
      extras.prepareSchemaChange(call, () => planned(plan()), facts, describeChange, follow);
    await expect(
      refused(() => {
        throw new Error('no');
      }),
    ).rejects.toThrow();
    const broken = [{ table: 'db_table_extras', key: { table: 'x' }, row: { table: null } as never }] as ExtrasChange[];
    await expect(refused(() => broken)).rejects.toThrow();
    expect(await state()).toEqual([undefined, 0, 0]);
    await (await prepare()).cancel();
    expect(await state()).toEqual([undefined, 0, 0]);
    expect(await extras.unfinished()).toEqual([]);
  });

  it('are saved by the next reader, under the same person, once', async () => {
    (await prepare()).leave();
    const change = await unfinished();
    expect(change).toMatchObject({ tables: facts.tables, isOwnerGone: true });
    expect(await change.finish(follow)).toBeTypeOf('function');
    expect(await state()).toEqual(['task', 1, 0]);
    expect(await entries()).toMatchObject([
      { user_email: 'ada@example.com', ip_address: call.ip, request_id: call.id },
    ]);
    expect(await change.finish(follow)).toBeUndefined();
    expect(await state()).toEqual(['task', 1, 0]);
  });

  it.each([
    ['saved', (change: UnfinishedChange) => change.finish(follow)],
    ['dropped as not done', (change: UnfinishedChange) => change.drop()],
  ])('are saved once by an owner whose change another process has %s', async (_what, settle) => {
    const prepared = await prepare();
    prepared.leave();
    await moveElsewhere();
    const change = await unfinished();
    expect(change.isOwnerGone).toBe(false);
    await settle(change);
    await prepared.finish();
    expect(await state()).toEqual(['task', 1, 0]);
    expect(await extras.unfinished()).toEqual([]);
  });

  it('keep no key or token of the caller', async () => {
    const caller = { ...call.caller, app: { id: 1, name: 'a', apiKey: 'k'.repeat(30), roleId: null } };
    const withKey = { ...call, caller: { ...caller, token: { text: 't'.repeat(30), id: 't', expiresAt: 1 } } };
    const prepared = await extras.prepareSchemaChange(withKey, () => planned([]), facts, describeChange, follow);
    expect(JSON.stringify(await journal())).not.toMatch(/kkkk|tttt/);
    await prepared.cancel();
  });
});
