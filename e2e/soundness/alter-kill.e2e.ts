// SIGKILL in the middle of schema changes, round after round: tables are as before the change or as after it, never between.
//
// SQLite and PostgreSQL change a database in one transaction. MariaDB commits each ALTER by itself: there a change of several
// statements may stop between two of them, and each of them is whole. What the platform's own store says of tables (labels,
// picklists, access of roles) goes with the tables: a journal in the store tells the next process what is to be saved.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { soakRounds } from '@sluice/testkit/soak';
import { admin, expect, type Instance, startInstance, test } from '../instance.ts';
import { findDamage, withFile } from './file.ts';

const rounds = soakRounds(6, 50);
const rowCount = 4000;

const engines = ['sqlite', 'pgsql', 'mysql'] as const;
type EngineName = (typeof engines)[number];

/** A database under change. */
interface Place {
  engine: EngineName;
  config: Record<string, unknown>;
  /** Runs SQL past the platform: the values of the last statement's first column. */
  run(sql: string): Promise<string[]>;
  /** The number of the change that is next; of all that were made. */
  next: number;
  /** How the tables are before each change of the cycle. */
  states: State[];
}

/** What a database and the store say, as text that is compared. */
interface State {
  /** Names of all tables, fields with their types and rules, and every record. */
  tables: string;
  /** Labels, picklists, and the access of the role. */
  extras: string;
}

type Change = [verb: string, path: string, body?: unknown];

const baseFields = [
  { name: 'id', type: 'id' },
  { name: 'name', type: 'string', length: 80 },
  { name: 'n', type: 'integer', allow_null: true, is_index: true },
];

/** A cycle: after the last one all is as before the first. */
const changes: Change[] = [
  [
    'POST',
    'thing/_field',
    { resource: [{ name: 'note', type: 'string', length: 40, default: 'x', label: 'A note', picklist: ['x', 'y'] }] },
  ],
  ['PATCH', 'thing/_field/n', { type: 'string', length: 20 }],
  ['PATCH', 'thing/_field/note', { new_name: 'remark', label: 'A remark' }],
  ['PATCH', 'thing/_field/n', { type: 'integer' }],
  ['PATCH', 'thing', { new_name: 'item' }],
  [
    'PUT',
    'item',
    {
      label: 'An item',
      field: [
        ...baseFields.map((field) => (field.name === 'name' ? { ...field, length: 90, is_index: true } : field)),
        { name: 'extra', type: 'decimal', length: 8, scale: 2, default: 1.5, label: 'More' },
        { name: 'kind', type: 'string', length: 9, allow_null: true, picklist: ['a'] },
      ],
    },
  ],
  [
    'POST',
    '',
    {
      resource: [
        {
          name: 'crate',
          label: 'A crate',
          field: [
            { name: 'id', type: 'id' },
            { name: 'item_id', type: 'reference', ref_table: 'item', ref_field: 'id', allow_null: true },
          ],
        },
      ],
    },
  ],
  ['DELETE', 'crate'],
  ['PATCH', 'item', { new_name: 'thing', label: 'Thing' }],
  [
    'PUT',
    'thing',
    { field: baseFields.map((field) => (field.name === 'name' ? { ...field, is_index: false } : field)) },
  ],
];

test('a schema change that SIGKILL meets is done whole or not at all', async () => {
  test.setTimeout(soakRounds(240_000, 1_800_000));
  const folder = await mkdtemp(join(tmpdir(), 'sluice-alter-kill-'));
  const file = join(folder, 'db', 'sqlite.sqlite');
  await mkdir(join(folder, 'db'));
  const databases: TestDatabase[] = [];
  const places: Place[] = [];
  for (const engine of engines) {
    if (engine !== 'sqlite' && (await engineMissing(engine))) continue;
    const facts = { engine, next: 0, states: [] };
    if (engine === 'sqlite') {
      const run = async (sql: string) =>
        withFile(file, (database) => {
          if (!/^select/.test(sql)) database.exec(sql);
          return /^select/.test(sql) ? database.run(sql).rows.map(([value]) => String(value)) : [];
        });
      places.push({ ...facts, config: { database: 'sqlite.sqlite' }, run });
      continue;
    }
    const database = await freshDatabase(engine);
    databases.push(database);
    const { host, port, user: username, password } = database;
    const config = { host, port, database: database.database, username, password, schema: 'default' };
    const run = async (sql: string) => (await database.run(sql)).map(([value]) => String(value));
    places.push({ ...facts, config, run });
  }
  const instance = await startInstance(
    { SLUICE_ADMIN_EMAIL: admin.email, SLUICE_ADMIN_PASSWORD: admin.password },
    folder,
  );
  const seen = { before: 0, after: 0, between: 0 };
  try {
    for (const place of places) await makeTable(instance, place);
    // The first time may leave other names of indexes than those that follow.
    for (const isKept of [false, true])
      await Promise.all(
        places.map(async (place) => {
          for (const change of changes) {
            if (isKept) place.states.push(await readState(instance, place));
            await expectChange(instance, place, change);
          }
        }),
      );
    for (const place of places) expect(await readState(instance, place)).toEqual(place.states[0]);

    for (let round = 0; round < rounds; round += 1) {
      const callers = places.map((place) => changeUntilKilled(instance, place));
      await wait(20 + Math.random() * 400);
      await instance.kill();
      await Promise.all(callers);
      await Promise.all(places.map(untilAlone));
      expect([round, findDamage(file)]).toEqual([round, []]);
      await instance.start();
      await Promise.all(
        places.map(async (place) => {
          seen[await settle(instance, place, round)] += 1;
        }),
      );
    }
    console.log(`alter-kill: ${JSON.stringify(seen)}`);
    // All works as before: once around.
    for (const place of places)
      for (let count = 0; count < changes.length; count += 1) {
        await expectChange(instance, place, changeOf(place));
        place.next += 1;
        expect(await readState(instance, place)).toEqual(stateOf(place, place.next));
      }
  } finally {
    await instance.stop();
    for (const database of databases) await database.drop();
  }
});

const changeOf = ({ next }: Place): Change => changes[next % changes.length] as Change;
const stateOf = ({ states }: Place, at: number): State => states[at % changes.length] as State;

async function makeTable(instance: Instance, place: Place): Promise<void> {
  const { engine, config } = place;
  const created = await instance.api('POST', 'system/service', {
    resource: [
      { name: engine, label: engine, type: engine, is_active: true, config: { ...config, max_records: 100_000 } },
    ],
  });
  expect([engine, created.status, created.body]).toEqual([engine, 201, created.body]);
  const table = await instance.api('POST', `${engine}/_schema`, { resource: [{ name: 'thing', field: baseFields }] });
  expect([engine, table.status, table.body]).toEqual([engine, 200, table.body]);
  const records = Array.from({ length: rowCount }, (_, n) => ({ name: `${n} ${'x'.repeat(40)}`, n }));
  for (let from = 0; from < rowCount; from += 1000) {
    const { status } = await instance.api('POST', `${engine}/_table/thing`, {
      resource: records.slice(from, from + 1000),
    });
    expect([engine, status]).toEqual([engine, 200]);
  }
  const role = await instance.api('POST', 'system/role', {
    resource: [
      {
        name: `${engine}-readers`,
        is_active: true,
        role_service_access_by_role_id: [
          {
            service_id: created.body.resource[0].id,
            component: '_table/thing/*',
            verb_mask: 1,
            requestor_mask: 1,
          },
        ],
      },
    ],
  });
  expect(role.status).toBe(201);
}

const send = (instance: Instance, { engine }: Place, [verb, path, body]: Change) =>
  instance.api(verb, `${engine}/_schema${path === '' ? '' : `/${path}`}`, body);

async function expectChange(instance: Instance, place: Place, change: Change): Promise<void> {
  const { status, body } = await send(instance, place, change);
  expect([place.engine, change, status, body]).toEqual([place.engine, change, 200, body]);
}

/** Makes one change after another until the connection breaks; any other answer than success fails the test. */
async function changeUntilKilled(instance: Instance, place: Place): Promise<void> {
  for (;;) {
    const change = changeOf(place);
    const answer = await send(instance, place, change).catch(() => undefined);
    if (!answer) return;
    expect([place.engine, change, answer.status, answer.body]).toEqual([place.engine, change, 200, answer.body]);
    place.next += 1;
  }
}

/** What a server still runs for the process that was killed comes to its end. */
async function untilAlone({ engine, run }: Place): Promise<void> {
  const others = {
    sqlite: 'select 0',
    pgsql: 'select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    mysql: 'select count(*) from information_schema.processlist where db = database() and id <> connection_id()',
  };
  await expect.poll(async () => (await run(others[engine]))[0], { timeout: 60_000, intervals: [20] }).toBe('0');
}

/** Finds out what became of the change that was under way, and finishes it where it has to be. */
async function settle(instance: Instance, place: Place, round: number): Promise<'before' | 'after' | 'between'> {
  const change = changeOf(place);
  const before = stateOf(place, place.next);
  const after = stateOf(place, place.next + 1);
  const state = await readState(instance, place);
  const is = (other: State) => state.tables === other.tables && state.extras === other.extras;
  if (is(after) && !is(before)) {
    place.next += 1;
    return 'after';
  }
  if (is(before)) return 'before';
  const where = `round ${round}: ${place.engine}, ${JSON.stringify(change)}`;
  // The tables are those of after, or of neither: what the store says is compared with them.
  const isAfter = state.tables === after.tables;
  if (place.engine !== 'mysql' || isAfter || state.tables === before.tables)
    expect([where, state]).toEqual([where, isAfter ? after : before]);
  // Sent again it is whole.
  await expectChange(instance, place, change);
  expect([where, await readState(instance, place)]).toEqual([where, after]);
  place.next += 1;
  return 'between';
}

async function readState(instance: Instance, place: Place): Promise<State> {
  const { engine, run } = place;
  const get = async (path: string) => {
    const { status, body } = await instance.api('GET', path);
    expect([path, status, body]).toEqual([path, 200, body]);
    return body;
  };
  const names: string[] = (await get(`${engine}/_table?as_list=true`)).resource;
  const stored = await run(tableNames[engine]);
  const tables: unknown[] = [names, stored.sort()];
  const extras: unknown[] = [];
  for (const name of names) {
    const { label, plural, field, related, constraints, ...rest } = await get(`${engine}/_schema/${name}`);
    const records = await get(`${engine}/_table/${name}?order=id&limit=${rowCount * 2}`);
    const digest = createHash('sha256').update(JSON.stringify(records.resource)).digest('hex');
    const natives = field.map(({ label, picklist, ...native }: Record<string, unknown>) => native);
    tables.push([rest, natives, related.map(({ label, ...native }: Record<string, unknown>) => native)]);
    tables.push([records.resource.length, digest]);
    extras.push([label, field.map((each: Record<string, unknown>) => [each.name, each.label, each.picklist])]);
  }
  const roles = await get(`system/role?filter=name%3D${engine}-readers&related=role_service_access_by_role_id`);
  extras.push(roles.resource[0].role_service_access_by_role_id.map((row: { component: string }) => row.component));
  return { tables: JSON.stringify(tables), extras: JSON.stringify(extras) };
}

/** All there are, also those that the platform would not list. */
const tableNames: Record<EngineName, string> = {
  sqlite: "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
  pgsql: "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  mysql: 'select table_name from information_schema.tables where table_schema = database()',
};
