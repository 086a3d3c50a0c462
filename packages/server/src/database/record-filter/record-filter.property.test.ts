// Random record filters over random records: a limited caller reads, counts, groups, changes and deletes just what the
// filter leaves, and writes nothing that it would hide. What it leaves is asked of the database in another way: by an
// administrator, with the same conditions as the text of a filter.
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../call/call.ts';
import { admin, ask, type TestRequest, userWithAccess } from '../fixture/call.fixture.ts';
import { type EngineName, engines, type Fixture, fixture, onEachEngine } from '../fixture/index.ts';

const texts = [
  'a',
  'A',
  'á',
  'ab',
  'b',
  'B ',
  '',
  'ß',
  'ss',
  'ü',
  'ue',
  'y',
  '%',
  'a|b',
  '10',
  '9',
  '😀',
  '😁',
  "it's",
  '{x}',
];
const pools = {
  age: ['0', '1', '2', '18'],
  big: ['-1', '0', '9007199254740993', '9007199254740992'],
  price: ['0', '1', '1.5', '9.99', '9.999', '0.005'],
  ratio: ['0.1', '0.5', '1', '1e300'],
  active: ['true', 'false'],
  born: ['2000-01-01', '2000-01-02', '1999-12-31'],
  note: texts,
  status: texts,
  kind: texts,
};
type Field = keyof typeof pools;

/** Types of `status` and `kind`: texts of which the database finds more equal than one would think. */
const looseTypes: Record<EngineName, [string, string]> = {
  sqlite: ['varchar(20) COLLATE NOCASE', 'varchar(20) COLLATE RTRIM'],
  pgsql: ['varchar(20) COLLATE any_case', 'varchar(20) COLLATE any_accent'],
  mysql: ['varchar(20) COLLATE utf8mb4_general_ci', 'varchar(20) COLLATE utf8mb4_german2_ci'],
};
const accentsSql: Record<EngineName, string> = {
  sqlite: '',
  pgsql: "CREATE COLLATION any_accent (provider = icu, locale = 'und-u-ks-level1', deterministic = false);",
  mysql: '',
};

/** Text in the way that every engine can search in it. */
const isTextual = (name: string) => name === 'note';
const comparing = ['=', '!=', '>', '<', '>=', '<='];
const matching = ['starts with', 'ends with', 'contains'];

interface Condition {
  name: Field;
  operator: string;
  values: string[];
  byLookup: boolean;
}

const aCondition = fc.constantFrom(...(Object.keys(pools) as Field[])).chain((name) =>
  fc.record({
    name: fc.constant(name),
    operator: fc.constantFrom(
      ...[...comparing, 'in', 'not in', 'is null', 'is not null', ...(isTextual(name) ? matching : [])],
    ),
    values: fc.array(fc.constantFrom(...pools[name]), { minLength: 1, maxLength: 3 }),
    byLookup: fc.boolean(),
  }),
);
const conditions = fc.array(aCondition, { minLength: 1, maxLength: 3 });

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The caller whose role has the conditions; some values come out of lookups. */
function callerOf(all: Condition[], op: string): Caller {
  const lookups: Record<string, string> = {};
  const filters = all.map(({ name, operator, values, byLookup }, at) => {
    // A pattern's wildcards count where they are typed, and in the text of a filter; braces that are typed ask for a lookup.
    const hasBraces = values.some((value) => value.includes('{'));
    const usesLookup = (byLookup || hasBraces) && !matching.includes(operator);
    const written = values.map((value, index) => {
      lookups[`v${at}_${index}`] = value;
      return usesLookup ? `{v${at}_${index}}` : quoted(value);
    });
    const value = operator.endsWith('in') ? `(${written.join(',')})` : written[0];
    return { name, operator, value: operator.endsWith('null') ? undefined : value };
  });
  return userWithAccess([{ filters, filterOp: op }], lookups);
}

/** The same as a filter that is sent. */
const filterText = (all: Condition[], op: string) =>
  all
    .map(({ name, operator, values }) => {
      if (operator.endsWith('null')) return `(${name} ${operator})`;
      const value = operator.endsWith('in') ? `(${values.map(quoted).join(',')})` : quoted(values[0]!);
      return `(${name} ${operator} ${value})`;
    })
    .join(` ${op} `);

const aRecord = fc.record(
  Object.fromEntries(
    Object.entries(pools).map(([name, pool]) => [
      name,
      name === 'active' ? fc.constantFrom(...pool) : fc.constantFrom(null, ...pool),
    ]),
  ),
  { requiredKeys: [] },
);

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
    const { words } = engines[engine];
    const [status, kind] = looseTypes[engine];
    await db.sql(`${accentsSql[engine]}
      CREATE TABLE thing (id ${words.id}, name varchar(40) NOT NULL, age integer, big bigint, price decimal(10,2),
        ratio ${words.double}, active ${words.boolean} NOT NULL DEFAULT TRUE, born date, note text,
        status ${status} DEFAULT 'open', kind ${kind})`);
  });
  afterAll(() => db?.stop());

  const runs = { numRuns: engine === 'sqlite' ? soakRounds(50, 3_000) : soakRounds(20, 1_000) };
  /** On a busy machine there are fewer cases: what comes after this is left out. */
  let until = 0;
  beforeEach(() => {
    until = performance.now() + soakRounds(10_000, Number.POSITIVE_INFINITY);
  });
  const query = async (as: Caller, parameters: TestRequest['query'], path = '') => {
    const answer = await ask(db.service, `GET _table/thing${path}`, { as, query: parameters });
    if (answer.status === 200) return answer.body;
    throw new Error(answer.text);
  };
  const all = () => query(admin, { order: 'id' }).then((body) => body.resource as Record<string, unknown>[]);
  const allowed = async (filter: string): Promise<number[]> =>
    (await query(admin, { filter, fields: 'id', order: 'id' })).resource.map((record: { id: number }) => record.id);
  const fill = async (records: Record<string, unknown>[]) => {
    await ask(db.service, 'DELETE _table/thing', { query: { force: 'true' } });
    const resource = records.map((record, at) => ({ name: `n${at}`, ...record }));
    const { status, text } = await ask(db.service, 'POST _table/thing', { body: { resource } });
    expect(status, text).toBe(200);
  };
  const some = fc.array(aRecord, { minLength: 2, maxLength: 8 });
  const op = fc.constantFrom('and', 'or');

  describe('a limited caller', { timeout: soakRounds(60_000, 3_600_000) }, () => {
    it('reads, counts and groups just the records of the filter', async () => {
      const property = fc.asyncProperty(
        some,
        conditions,
        op,
        conditions,
        async (records, filter, joined, clientConditions) => {
          if (performance.now() > until) return;
          await fill(records);
          const as = callerOf(filter, joined);
          const server = filterText(filter, joined);
          const client = filterText(clientConditions, 'or');
          const both = `(${client}) and (${server})`;
          const ids = await allowed(server);
          for (const parameters of [
            { fields: 'id', order: 'id' },
            { fields: 'id', order: 'status desc,id', limit: '3', offset: '1', include_count: 'true' },
            { count_only: 'true' },
            { fields: 'active', group: 'active', order: 'active', include_count: 'true' },
            { count_only: 'true', group: 'age' },
          ] as Record<string, string>[]) {
            expect(await query(as, parameters)).toEqual(await query(admin, { ...parameters, filter: server }));
            expect(await query(as, { ...parameters, filter: client })).toEqual(
              await query(admin, { ...parameters, filter: both }),
            );
          }
          for (const { id } of await all()) {
            const { status } = await ask(db.service, `GET _table/thing/${id}`, { as });
            expect(status).toBe(ids.includes(Number(id)) ? 200 : 404);
          }
        },
      );
      await fc.assert(property, runs);
    });

    it('changes and deletes no others, and leaves none changed that it would hide', async () => {
      const property = fc.asyncProperty(
        some,
        conditions,
        op,
        aRecord,
        fc.constantFrom('id', 'ids', 'filter', 'records', 'delete', 'delete filter', 'force'),
        async (records, filter, joined, change, method) => {
          if (performance.now() > until) return;
          await fill(records);
          const as = callerOf(filter, joined);
          const server = filterText(filter, joined);
          const ids = await allowed(server);
          const before = await all();
          const one = Number(before[0]!.id);
          const list = before.map((record) => record.id).join(',');
          const requests: Record<typeof method, [string, TestRequest]> = {
            id: [`PATCH _table/thing/${one}`, { body: change }],
            ids: ['PUT _table/thing', { body: { resource: [change] }, query: { ids: list, continue: 'true' } }],
            filter: ['PATCH _table/thing', { body: { resource: [change] }, query: { filter: 'id > 0' } }],
            records: [
              'PATCH _table/thing',
              { body: { resource: before.map(({ id }) => ({ ...change, id })) }, query: { continue: 'true' } },
            ],
            delete: ['DELETE _table/thing', { query: { ids: list, continue: 'true' } }],
            'delete filter': ['DELETE _table/thing', { query: { filter: '(id > 0) or (id is null)' } }],
            force: ['DELETE _table/thing', { query: { force: 'true' } }],
          };
          const [line, request] = requests[method];
          await ask(db.service, line, { as, ...request });
          const after = new Map((await all()).map((record) => [record.id, record]));
          for (const record of before)
            if (!ids.includes(Number(record.id))) expect(after.get(record.id)).toEqual(record);
          if (line.startsWith('DELETE')) expect(await allowed(server)).toEqual([]);
          else expect(await allowed(server)).toEqual(ids);
        },
      );
      await fc.assert(property, runs);
    });

    it('creates nothing that it would not see', async () => {
      let createdCount = 0;
      const property = fc.asyncProperty(conditions, op, aRecord, async (filter, joined, record) => {
        if (performance.now() > until) return;
        await fill([{ note: 'a' }]);
        const as = callerOf(filter, joined);
        const before = await allowed(filterText(filter, joined));
        const request = { as, body: { resource: [{ name: 'new', ...record }] } };
        const { status } = await ask(db.service, 'POST _table/thing', request);
        const after = await allowed(filterText(filter, joined));
        expect(after.length - before.length).toBe(status === 200 ? 1 : 0);
        expect(await query(admin, { count_only: 'true' })).toBe(status === 200 ? 2 : 1);
        if (status === 200) createdCount += 1;
      });
      await fc.assert(property, { numRuns: runs.numRuns * 2 });
      expect(createdCount).toBeGreaterThan(0);
    });
  });
});
