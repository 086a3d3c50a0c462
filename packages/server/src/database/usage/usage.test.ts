// What names a table or a field, in a real store; runs on each engine of it (vitest.config.ts).
import type { UsageEntry } from '@sluice/contract';
import { aCall, nobody } from '@sluice/testkit/call';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../../call/call.ts';
import type { Service } from '../../service/service.ts';
import type { Db } from '../../store/index.ts';
import { aField, aRelation, aTable, aVirtual } from '../extras/rows.fixture.ts';
import type { ExtrasChange } from '../extras/rows.ts';
import { changeStored } from '../extras/store.ts';
import { readStored } from '../extras/stored.ts';
import { createSchemaUsage, type MovedTable, type SchemaUsage, type TableMove, type UsageTable } from './index.ts';

let system: TestSystem;
let usage: SchemaUsage;
let shop: number;
let other: number;
/** Relations of the table that is looked at. */
let related: object[];

beforeEach(async () => {
  system = await startSystem();
  const create = async (name: string) => {
    const body = { resource: [{ name, label: name, type: 'everything', config: { host: 'x' } }] };
    return (await system.ask('POST', 'service', body)).body.resource[0].id as number;
  };
  shop = await create('shop');
  other = await create('other');
  related = [];
  const tables = { withoutOverrides: async (name: string) => ({ description: { name, related } }) };
  const service = { provided: () => ({ tables, context: { name: 'shop' } }) };
  usage = createSchemaUsage({ ...system, openService: () => service as unknown as Service });
});
afterEach(() => system.close());

const call: Call = aCall({ service: 'shop', verb: 'PATCH' });
const inStore = <T>(work: (db: Db) => Promise<T>) => system.store.exclusively(work);
const saveExtras = (service: number, ...changes: ExtrasChange[]) =>
  inStore((db) => changeStored(call, db, service, () => changes));

type Row = { component: string; service_id?: number | null; filters?: unknown; verb_mask?: number };

const is = (name: string, value: unknown = 1) => ({ name, operator: '=', value });

/** A role with rows on the shop. */
async function createRole(name: string, rows: Row[]): Promise<number> {
  const input = {
    name,
    role_service_access_by_role_id: rows.map((row) => ({ service_id: shop, verb_mask: 31, ...row })),
  };
  const { status, body } = await system.ask('POST', 'role', { resource: [input] });
  expect(status).toBe(201);
  return body.resource[0].id;
}
const readRole = async (id: number) =>
  (await system.ask('GET', `role/${id}?related=role_service_access_by_role_id`)).body as {
    role_service_access_by_role_id: (Row & { id: number })[];
    last_modified_by_id: number;
  };
const componentsOf = async (id: number) =>
  (await readRole(id)).role_service_access_by_role_id.map(({ component }) => component);
const filtersOf = async (id: number) =>
  (await readRole(id)).role_service_access_by_role_id.map(({ filters }) => filters);
const versionOf = async (id: number) =>
  (await system.store.db.selectFrom('role').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;

/** What is renamed or dropped: a table, or a field of it. */
type Target = Omit<UsageTable, 'service'> & Pick<TableMove, 'field'>;

const movedOf = ({ field, ...table }: Target, newName?: string) => ({
  table: { service: shop, ...table },
  moves: [{ ...(field === undefined ? {} : { field }), ...(newName === undefined ? {} : { newName }) }],
});
async function find(target: Target, newName?: string): Promise<UsageEntry[]> {
  const { table, moves } = movedOf(target, newName);
  return (await usage.find(table, moves))[0]!;
}
/** Answers what somebody has to look at, as it is found before. */
async function rename(target: Target, newName: string): Promise<UsageEntry[]> {
  const stays = (await find(target, newName)).filter(({ onRename }) => onRename === 'stays');
  await follow(movedOf(target, newName));
  return stays;
}
async function drop(target: Target): Promise<UsageEntry[]> {
  const stays = (await find(target)).filter(({ kind, onDrop }) => kind !== 'foreignKey' && onDrop === 'stays');
  await follow(movedOf(target));
  return stays;
}
async function follow(...moved: MovedTable[]): Promise<void> {
  const publish = await inStore((db) => usage.follow(call, db, moved));
  await publish();
}

const alias = (table: string, name: string): ExtrasChange => ({
  table: 'db_table_extras',
  key: { table },
  row: aTable(table, { alias: name }),
});

describe('rows of roles', () => {
  it('follow a table below _table and _schema, however they are written', async () => {
    const before = [
      ...['_table/todo', '_table/todo/', '/_Table/TODO/*', '_table/todo/{id}', '_schema/todo', '_schema/todo/_field/*'],
      ...['_table/*', '*', '', '_table/', '_table/todos', '_table/to', '_table/to*', '_proc/todo', '_table/x/todo'],
    ];
    const role = await createRole(
      'clerk',
      before.map((component) => ({ component })),
    );
    const stays = await rename({ table: 'todo' }, 'task');
    expect(await componentsOf(role)).toEqual([
      ...['_table/task', '_table/task/', '/_Table/task/*', '_table/task/{id}', '_schema/task', '_schema/task/_field/*'],
      ...before.slice(6),
    ]);
    expect(stays).toMatchObject([{ kind: 'role', id: role, name: 'clerk', onRename: 'stays' }]);
    expect(stays[0]?.detail).toContain("'_table/to*'");
  });

  it('of other services, and of all, are left alone', async () => {
    const role = await createRole('clerk', [
      { component: '_table/todo', service_id: other },
      { component: '_table/todo', service_id: null },
    ]);
    const version = await versionOf(role);
    expect(await rename({ table: 'todo' }, 'task')).toEqual([]);
    expect(await componentsOf(role)).toEqual(['_table/todo', '_table/todo']);
    expect(await versionOf(role)).toBe(version);
  });
});

describe('a table with an alias', () => {
  const rows = ['_table/task', '_schema/todo', '_table/todo', '_schema/task'].map((component) => ({ component }));
  beforeEach(() => saveExtras(shop, alias('todo', 'task')));

  it('keeps it: only rows by its real name follow', async () => {
    const role = await createRole('clerk', rows);
    expect(await rename({ table: 'todo' }, 'job')).toEqual([]);
    expect(await componentsOf(role)).toEqual(['_table/task', '_schema/job', '_table/todo', '_schema/task']);
  });

  it('is found by both names', async () => {
    await createRole('clerk', rows);
    const found = (await find({ table: 'todo' })).filter(({ kind }) => kind === 'role');
    expect(found.map(({ detail }) => /'([^']*)'/.exec(detail)?.[1])).toEqual(['_table/task', '_schema/todo']);
  });
});

describe('two tables whose names differ in letter case', () => {
  it('share their rows, which stay', async () => {
    const role = await createRole('clerk', [{ component: '_table/todo' }]);
    const target = { table: 'todo', others: { tables: ['TODO', 'todo'] } };
    expect(await rename(target, 'task')).toMatchObject([{ onRename: 'stays' }]);
    expect(await componentsOf(role)).toEqual(['_table/todo']);
    const aliasMove = { newName: 'todo', newApiName: 'task' };
    const entries = await usage.find({ service: shop, ...target }, [aliasMove]);
    expect(entries).toMatchObject([[{ onRename: 'stays', sentence: { id: 'rowOfAnyCase' } }]]);
    await inStore((db) => usage.follow(call, db, [{ table: { service: shop, ...target }, moves: [aliasMove] }]));
    expect(await componentsOf(role)).toEqual(['_table/todo']);
  });
});

it('rows that have the new name already are listed', async () => {
  const role = await createRole('clerk', [{ component: '_table/task' }, { component: '_table/other' }]);
  const stays = await rename({ table: 'todo' }, 'task');
  expect(stays).toMatchObject([{ kind: 'role', id: role, onRename: 'stays' }]);
  expect(stays[0]?.detail).toContain('has the new name already');
});

it.each(['', ' task', 'task ', 'a*', '*', 'a/b', '{a}', 'a,b'])(
  'the name %j is refused: a row would be for others',
  async (name) => {
    const role = await createRole('clerk', [{ component: '_table/todo' }]);
    await expect(rename({ table: 'todo' }, name)).rejects.toMatchObject({ key: 'schema.value' });
    expect(await componentsOf(role)).toEqual(['_table/todo']);
  },
);

describe('record filters', () => {
  it('follow a field in rows of its table alone', async () => {
    const filters = [is('Name', 'x'), is('id', ' ( NAME ) '), is('other'), is('id', '(now())'), { name: 5 }, 'x'];
    const role = await createRole('clerk', [
      { component: '_table/todo', filters },
      { component: '_table/todo/*', filters: [is('id')] },
      { component: '_table/task', filters: [is('name')] },
      { component: '_table/*', filters: [is('name')] },
      { component: '*', filters: [{ name: 'id', operator: 'in', value: '(name)' }] },
    ]);
    const stays = await rename({ table: 'todo', field: 'name' }, 'title');
    expect(await filtersOf(role)).toEqual([
      [is('title', 'x'), is('id', '(title)'), is('other'), is('id', '(now())'), { name: 5 }, 'x'],
      [is('id')],
      [is('name')],
      [is('name')],
      [{ name: 'id', operator: 'in', value: '(name)' }],
    ]);
    expect(stays).toMatchObject([{ kind: 'recordFilter', id: role, name: 'clerk' }]);
    expect(stays[0]?.detail).toContain("'_table/*'");
  });

  it('go by an alias, which stays', async () => {
    await saveExtras(shop, alias('todo', 'task'), {
      table: 'db_field_extras',
      key: { table: 'todo', field: 'name' },
      row: aField('todo.name', { alias: 'title' }),
    });
    const rows = [
      { component: '_table/task', filters: [is('title'), is('name')] },
      { component: '_table/*', filters: [is('title')] },
      { component: '_table/todo', filters: [is('title')] },
    ];
    const role = await createRole('clerk', rows);
    const version = await versionOf(role);
    expect(await rename({ table: 'todo', field: 'name' }, 'called')).toEqual([]);
    expect(await filtersOf(role)).toEqual(rows.map(({ filters }) => filters));
    expect(await versionOf(role)).toBe(version);
    expect(await drop({ table: 'todo', field: 'name' })).toHaveLength(2);
  });

  it('mean a field by its letters where another differs in nothing else', async () => {
    const role = await createRole('clerk', [{ component: '_table/todo', filters: [is('name'), is('NAME')] }]);
    await rename({ table: 'todo', field: 'Name', others: { fields: ['name', 'Name'] } }, 'title');
    expect(await filtersOf(role)).toEqual([[is('name'), is('title')]]);
  });

  it('stay when the field is dropped', async () => {
    const role = await createRole('clerk', [{ component: '_table/todo', filters: [is('name')] }]);
    const stays = await drop({ table: 'todo', field: 'name' });
    expect(stays).toMatchObject([{ kind: 'recordFilter', id: role, onDrop: 'stays' }]);
    expect(stays[0]?.detail).toContain('refused');
    expect(await filtersOf(role)).toEqual([[is('name')]]);
  });
});

it('rows for a field of a description follow it', async () => {
  const before = [
    '_schema/todo/name',
    '_schema/todo/_field/Name/',
    '_schema/todo/_related/name',
    '_schema/task/name',
    '_table/todo/name',
  ];
  const role = await createRole(
    'clerk',
    before.map((component) => ({ component })),
  );
  await rename({ table: 'todo', field: 'name' }, 'title');
  expect(await componentsOf(role)).toEqual(['_schema/todo/title', '_schema/todo/_field/title/', ...before.slice(2)]);
});

it('rows for a relation by its name are listed', async () => {
  const role = await createRole('clerk', [
    { component: '_schema/user/_related/Todo_by_owner_id' },
    { component: '_schema/user/_related/team_by_todo/' },
    { component: '_schema/user/_related/todos_by_owner_id' },
  ]);
  expect(await rename({ table: 'todo' }, 'task')).toMatchObject([
    { id: role, detail: expect.stringContaining('Todo_by_owner_id') },
    { id: role, detail: expect.stringContaining('team_by_todo') },
  ]);
  expect(await rename({ table: 'todo', field: 'owner_id' }, 'boss')).toHaveLength(2);
});

describe('a rename', () => {
  it('is a change of the role by the caller: version, audit, bus', async () => {
    const [clerk, idle] = [
      await createRole('clerk', [{ component: '_table/todo' }]),
      await createRole('idle', [{ component: '_table/task' }]),
    ];
    const before = [await versionOf(clerk), await versionOf(idle)];
    system.takeChanges();
    await rename({ table: 'todo' }, 'task');
    expect([await versionOf(clerk), await versionOf(idle)]).toEqual([before[0]! + 1, before[1]]);
    const notices = system.takeChanges();
    expect(notices).toContainEqual({ table: 'role', ids: [clerk] });
    expect(notices.map(({ table }) => table)).toContain('role_service_access');
    const entry = await system.store.db.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
    expect(entry).toMatchObject({
      action: 'update',
      user_email: 'ada@example.com',
      request_id: 'test-call',
      ip_address: '127.0.0.1',
    });
    expect(JSON.parse(entry.before!)).toMatchObject({ component: '_table/todo', role_id: clerk });
    expect(JSON.parse(entry.after!)).toMatchObject({ component: '_table/task' });
  });

  it('leaves everything as it was when its transaction fails, and says nothing', async () => {
    const role = await createRole('clerk', [{ component: '_table/todo' }]);
    await saveExtras(other, leading());
    const state = async () => [
      await readRole(role),
      await versionOf(role),
      await readStored(system.store.db, other),
      await countAudit(),
    ];
    const before = await state();
    system.takeChanges();
    const failed = inStore(async (db) => {
      await usage.follow(call, db, [movedOf({ table: 'todo' }, 'task')]);
      throw new Error('the database refused');
    });
    await expect(failed).rejects.toThrow('the database refused');
    expect(await state()).toEqual(before);
    expect(system.takeChanges()).toEqual([]);
  });

  it('overwrites nothing of a role that somebody else changes meanwhile', async () => {
    const role = await createRole('clerk', [{ component: '_table/todo', filters: [is('name')] }]);
    const row = (await readRole(role)).role_service_access_by_role_id[0]!;
    const filters = [is('name'), is('id')];
    const request = { fields: undefined, related: [], continue: false, rollback: false };
    let renaming: Promise<unknown> | undefined;
    await system.records.transaction(call, async (transaction) => {
      const input = { role_service_access_by_role_id: [{ id: row.id, filters }] };
      const actor = { ...call, service: 'system' };
      await system.records.updateOne('role', { id: role, input }, request, { actor, transaction });
      renaming = rename({ table: 'todo', field: 'name' }, 'title');
      // It comes as far as the lock.
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
    await renaming;
    expect(await filtersOf(role)).toEqual([[is('title'), is('id')]]);
  });

  it('lets names change places, in rows and in filters', async () => {
    const rows = [
      { component: '_schema/todo/_field/name' },
      { component: '_schema/todo/_field/title' },
      { component: '_table/todo', filters: [is('name', '(title)'), is('title')] },
    ];
    const role = await createRole('clerk', rows);
    const table = { service: shop, table: 'todo' };
    const swap = [
      { field: 'name', newName: 'title' },
      { field: 'title', newName: 'name' },
    ];
    await follow({ table, moves: [...swap, { newName: 'task' }] });
    expect(await componentsOf(role)).toEqual(['_schema/task/_field/title', '_schema/task/_field/name', '_table/task']);
    expect((await filtersOf(role))[2]).toEqual([is('title', '(name)'), is('name')]);
  });

  it('fails as a whole where a row cannot have the name', async () => {
    const long = `_table/todo/${'x'.repeat(240)}`;
    const role = await createRole('clerk', [{ component: '_table/todo' }, { component: long }]);
    await expect(rename({ table: 'todo' }, 'task'.repeat(20))).rejects.toMatchObject({ key: 'record.invalid' });
    expect(await componentsOf(role)).toEqual(['_table/todo', long]);
  });

  it('is not for callers who may not change roles, whatever lets them in', async () => {
    const role = await createRole('clerk', [{ component: '_table/todo' }]);
    const stranger = aCall({ service: 'shop', caller: nobody });
    const work = (db: Db) => usage.follow(stranger, db, [movedOf({ table: 'todo' }, 'task')]);
    await expect(inStore(work)).rejects.toMatchObject({ status: 403 });
    expect(await componentsOf(role)).toEqual(['_table/todo']);
  });

  it('reaches every row of a role that has many, and lists no more than a thousand', async () => {
    const rows = Array.from({ length: 600 }, (_, index) => ({ component: `_table/todo/${index}` }));
    const roles = [await createRole('one', rows), await createRole('two', rows)];
    const found = await find({ table: 'todo' });
    expect(found).toHaveLength(1001);
    expect(found.at(-1)).toMatchObject({ kind: 'role', id: null, detail: 'There are more places than are listed.' });
    await rename({ table: 'todo' }, 'task');
    for (const role of roles)
      expect((await componentsOf(role)).every((component) => component.startsWith('_table/task/'))).toBe(true);
  });
});

const leading = (): ExtrasChange => {
  const row = aVirtual('person', {
    type: 'has_many',
    field: 'id',
    ref_service_id: shop,
    ref_table: 'todo',
    ref_field: 'owner',
  });
  return { table: 'db_virtual_relationship', key: row, row };
};
const countAudit = async () => (await system.store.db.selectFrom('audit').select('id').execute()).length;

describe('virtual relations of other services', () => {
  beforeEach(async () => {
    const row = aRelation('person', 'shop.todo_by_owner', { alias: 'todos' });
    await saveExtras(other, leading(), {
      table: 'db_relationship_extras',
      key: { table: 'person', relationship: row.relationship },
      row,
    });
    system.takeChanges();
  });
  const stored = async () => {
    const { rows } = await readStored(system.store.db, other);
    return [
      ...rows.db_virtual_relationship.map(({ ref_table, ref_field }) => `${ref_table}.${ref_field}`),
      ...rows.db_relationship_extras.map(({ relationship, alias: name }) => `${relationship} ${name}`),
    ];
  };

  it('follow a table and a field', async () => {
    expect(await rename({ table: 'todo' }, 'task')).toEqual([]);
    expect(await stored()).toEqual(['task.owner', 'shop.task_by_owner todos']);
    expect(system.takeChanges()).toEqual([{ table: 'db_extras', ids: [other] }]);
    await rename({ table: 'task', field: 'owner' }, 'boss');
    expect(await stored()).toEqual(['task.boss', 'shop.task_by_boss todos']);
  });

  it('go with a table, and with the field they join by', async () => {
    await drop({ table: 'todo', field: 'id' });
    await drop({ table: 'task' });
    expect(await stored()).toHaveLength(2);
    expect(system.takeChanges()).toEqual([]);
    await drop({ table: 'todo', field: 'owner' });
    expect(await stored()).toEqual([]);
    expect(system.takeChanges()).toEqual([{ table: 'db_extras', ids: [other] }]);
    await saveExtras(other, leading());
    await drop({ table: 'todo' });
    expect(await stored()).toEqual([]);
  });

  it('are in the audit of their service', async () => {
    await rename({ table: 'todo' }, 'task');
    const entries = await system.store.db.selectFrom('audit').selectAll().orderBy('id').execute();
    expect(entries.at(-1)).toMatchObject({
      resource: 'service',
      record_id: String(other),
      user_email: 'ada@example.com',
    });
  });
});

describe('a list of places', () => {
  beforeEach(async () => {
    const own = aVirtual('todo', {
      type: 'belongs_to',
      field: 'name',
      ref_service_id: other,
      ref_table: 'x',
      ref_field: 'y',
    });
    await saveExtras(
      shop,
      { table: 'db_table_extras', key: { table: 'todo' }, row: aTable('todo', { label: 'To do', name_field: 'name' }) },
      { table: 'db_field_extras', key: { table: 'todo', field: 'name' }, row: aField('todo.name', { label: 'Title' }) },
      {
        table: 'db_field_extras',
        key: { table: 'todo', field: 'long' },
        row: aField('todo.long', { is_virtual: 1, sql: { SELECT: "concat(first_name, name, '!')" } }),
      },
      {
        table: 'db_field_extras',
        key: { table: 'user', field: 'count' },
        row: aField('user.count', { is_virtual: 1, sql: { SELECT: '(select count(*) from Todo)' } }),
      },
      { table: 'db_virtual_relationship', key: own, row: own },
    );
    await saveExtras(other, leading());
    related = [
      { type: 'has_many', field: 'id', ref_table: 'note', ref_field: 'todo_id' },
      { type: 'belongs_to', field: 'name', ref_table: 'user', ref_field: 'id' },
      { type: 'has_one', field: 'name', ref_table: 'tag', ref_field: 'a,b' },
    ];
  });
  const found = async (field?: string) =>
    (await find({ table: 'todo', ...(field === undefined ? {} : { field }) })).map(
      ({ kind, name, detail, onRename, onDrop }) => `${kind} ${name} ${onRename} ${onDrop} ${detail}`,
    );

  it('of a table', async () => {
    expect(await found()).toEqual([
      'extras shop follows removed Says of the table: label, name_field.',
      'extras shop follows removed Says of the field name: label.',
      'extras shop follows removed Says of the field long: db_function, is_virtual.',
      expect.stringMatching(/^extras shop stays stays The db_function of field count of table user has the name/),
      'virtualRelation shop follows removed The virtual relation other.x_by_name of table todo joins the table.',
      'virtualRelation other follows removed The virtual relation shop.todo_by_owner of table person joins the table.',
      expect.stringMatching(/^foreignKey shop follows stays The foreign key of note \(todo_id\) leads here/),
      expect.stringMatching(/^foreignKey shop follows stays The foreign key of tag \(a, b\) leads here/),
    ]);
  });

  it('of a field', async () => {
    expect(await found('name')).toEqual([
      'extras shop follows removed Says of the field: label.',
      'extras shop follows removed Its values name the records of the table.',
      expect.stringMatching(/^extras shop stays stays The db_function of field long of table todo has the name/),
      'virtualRelation shop follows removed The virtual relation other.x_by_name of table todo joins by the field.',
      expect.stringMatching(/^foreignKey shop follows stays The foreign key of tag/),
    ]);
    expect(await found('first')).toEqual([]);
    expect(await found('owner')).toEqual([expect.stringMatching(/^virtualRelation other/)]);
  });

  it('that a rename leaves', async () => {
    expect(await rename({ table: 'todo', field: 'name' }, 'title')).toMatchObject([
      { kind: 'extras', onRename: 'stays' },
    ]);
  });
});

it('abuse: nothing is read again for each of 900 fields that move', async () => {
  await createRole('r', [{ component: '_table/task/*', filters: [is('f1')] }]);
  await saveExtras(shop, alias('task', 'todo'));
  let queries = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { records, store } = system;
  const counted = createSchemaUsage({
    records,
    store: { ...store, db: store.db.withPlugin(counter) },
    openService: () => {
      throw new Error('no other service leads to the table');
    },
  });
  const table = { service: shop, table: 'task' };
  const queriesOf = async (count: number, letter: string) => {
    const fields = Array.from({ length: count }, (_, n) => `${letter}${n + 10}`);
    queries = 0;
    await counted.findFiltered(table, fields);
    await inStore((db) =>
      counted.follow(call, db.withPlugin(counter) as Db, [
        { table, moves: fields.map((field) => ({ field, newName: `${field}_new` })) },
      ]),
    );
    await inStore((db) =>
      counted.follow(call, db.withPlugin(counter) as Db, [{ table, moves: fields.map((field) => ({ field })) }]),
    );
    return queries;
  };
  const forOne = await queriesOf(1, 'a');
  expect(forOne).toBeGreaterThan(3);
  expect(await queriesOf(900, 'b')).toBe(forOne);
});
