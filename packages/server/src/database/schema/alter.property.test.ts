// Random sequences of alterations of a table that has records, a trigger, a check and a view, on each engine: what a change
// does not name stays, a plan tells what the write then does, and what is refused leaves everything as it was.
import { soakRounds, testSeed } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { extrasHook } from '../fixture/call.fixture.ts';
import { type EngineName, type Fixture, fixture, onEachEngine } from '../fixture/index.ts';
import { clientOf } from './change.client.fixture.ts';

/** A sequence on SQLite takes a child process for each step. */
const runs = { sqlite: soakRounds(2, 40), pgsql: soakRounds(5, 200), mysql: soakRounds(5, 200) };

const keyWords: Record<EngineName, string> = {
  sqlite: 'integer PRIMARY KEY AUTOINCREMENT',
  pgsql: 'serial PRIMARY KEY',
  mysql: 'integer AUTO_INCREMENT PRIMARY KEY',
};
const triggers: Record<EngineName, string> = {
  sqlite: `CREATE TRIGGER work_stamp AFTER UPDATE OF tag ON work
    BEGIN UPDATE work SET touched = touched + 1 WHERE id = new.id; END`,
  pgsql: `CREATE OR REPLACE FUNCTION work_stamp() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.touched = OLD.touched + 1; RETURN NEW; END $$;
    CREATE TRIGGER work_stamp BEFORE UPDATE OF tag ON work FOR EACH ROW EXECUTE FUNCTION work_stamp()`,
  mysql: `CREATE TRIGGER work_stamp BEFORE UPDATE ON work FOR EACH ROW
    SET new.touched = old.touched + (new.tag <> old.tag)`,
};

const kinds: { type: object; values: unknown[]; default?: unknown }[] = [
  { type: { type: 'integer' }, values: [1, 2, 3, null, -5], default: 7 },
  { type: { type: 'bigint' }, values: [1, 2, null, 5_000_000_000] },
  { type: { type: 'string', length: 12 }, values: ['a', "it's", '12', '7', null, 'ä ö'], default: "d'd" },
  { type: { type: 'text' }, values: ['x', null, 'long\ntext'] },
  { type: { type: 'decimal', precision: 8, scale: 2 }, values: [1.5, null, -2.25] },
  { type: { type: 'boolean' }, values: [true, false, null], default: true },
  { type: { type: 'date' }, values: ['2020-02-29', null] },
  { type: { type: 'binary' }, values: [null] },
  { type: { type: 'reference', ref_table: 'boss', ref_field: 'id' }, values: [1, 2, null] },
];

const stepOf = fc.record({
  act: fc.constantFrom(
    'add',
    'add',
    'drop',
    'renameField',
    'renameTable',
    'widen',
    'retype',
    'nulls',
    'unique',
    'index',
    'say',
    'retype',
    'unique',
    'nulls',
    'virtual',
    'relation',
    'put',
    'write',
  ),
  pick: fc.nat(1000),
  kind: fc.nat(1000),
  isBy: fc.boolean(),
});
type Step = typeof stepOf extends fc.Arbitrary<infer T> ? T : never;

// biome-ignore lint/suspicious/noExplicitAny: descriptions and records of every shape
type Any = any;

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  afterEach(() => {
    extrasHook.onChange = undefined;
  });
  afterAll(() => db?.stop());
  const { call, ok, describeTable, plan } = clientOf(() => db);

  const quote = (name: string) => `"${name}"`;

  async function makeTables(): Promise<void> {
    await ok('POST _schema', { resource: [{ name: 'boss', field: [{ name: 'id', type: 'id' }] }] });
    await ok('POST _table/boss', { resource: [{ id: 1 }, { id: 2 }] });
    await db.sql(`CREATE TABLE work (id ${keyWords[engine]}, tag varchar(20) NOT NULL, touched integer NOT NULL DEFAULT 0,
      amount integer NOT NULL DEFAULT 1, parent integer, CONSTRAINT work_amount CHECK (amount >= 0),
      CONSTRAINT work_tag UNIQUE (tag), CONSTRAINT work_parent FOREIGN KEY (parent) REFERENCES work (id))`);
    await db.sql('CREATE INDEX work_two ON work (amount, tag)');
    await db.sql(triggers[engine]);
    await db.sql('CREATE VIEW work_view AS SELECT id, tag FROM work WHERE amount > 0');
    await ok('GET _schema', undefined, { query: { refresh: 'true' } });
    await ok('POST _table/work', {
      resource: [1, 2, 3, 4].map((id) => ({ tag: `t${id}`, amount: id, parent: id === 1 ? null : 1 })),
    });
  }

  class Run {
    table = 'work';
    count = 0;
    /** Fields that steps may change: the name in the database. */
    free: string[] = [];
    hasVirtual = false;

    async state() {
      const described = await describeTable(this.table);
      const { resource } = await ok(`GET _table/${this.table}`, undefined, { query: { order: 'id' } });
      return { described, records: resource as Any[] };
    }

    /** Plans a write, sees that nothing changes by that, does it, and compares both. */
    async write(verb: string, path: string, body?: unknown): Promise<{ isDone: boolean; planned: Any[] }> {
      const before = await this.state();
      const planned: Any[] = await plan(verb, path, body);
      expect(await this.state()).toEqual(before);
      const steps: string[][] = [];
      extrasHook.onChange = async (changes) => {
        for (const { after } of changes?.records ?? []) steps.push((after as { steps: string[] }).steps);
      };
      const answer = await call(`${verb} ${path}`, body);
      extrasHook.onChange = undefined;
      const hasMisfits = planned.some(({ misfits }) => misfits.length > 0);
      expect([path, body, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([
        path,
        body,
        hasMisfits ? 400 : 200,
        hasMisfits ? expect.stringContaining('do not fit the change') : '',
      ]);
      if (hasMisfits) expect(await this.state()).toEqual(before);
      else
        expect(steps).toEqual(
          planned.map(({ statements }) => statements).filter((each) => steps.length > 0 || each.length > 0),
        );
      return { isDone: !hasMisfits, planned };
    }

    async step({ act, pick, kind: number, isBy }: Step): Promise<void> {
      const before = await this.state();
      const fields: Any[] = before.described.field;
      const name = this.free[pick % Math.max(1, this.free.length)];
      const field = fields.find((each) => each.name === name);
      const keyOf = (each: Any) => each.alias ?? each.name;
      const column = field && keyOf(field);
      /** What the records have to be afterwards, by what they were. */
      let expected = (record: Any): Any => record;
      const touched = new Set<string>();
      const path = `_schema/${this.table}`;

      if (act === 'add') {
        const kind = kinds[number % kinds.length]!;
        const added = `f${this.count++}${isBy ? ' x' : ''}`;
        const hasDefault = kind.default !== undefined && isBy;
        const sent = {
          name: added,
          ...kind.type,
          allow_null: !hasDefault,
          ...(hasDefault ? { default: kind.default } : {}),
        };
        await this.write('POST', `${path}/_field`, { resource: [sent] });
        this.free.push(added);
        const { records } = await this.state();
        for (const record of records) expect(record[added] ?? null).toEqual(hasDefault ? kind.default : null);
        expect(records.map(({ [added]: _, ...rest }) => rest)).toEqual(before.records);
        const values = records.map(({ id }, at) => ({ id, [added]: kind.values[(at + pick) % kind.values.length] }));
        if (!hasDefault) await ok(`PATCH _table/${this.table}`, { resource: values });
        touched.add(added);
        expected = (record) => {
          const value = records.find(({ id }) => id === record.id)?.[added];
          return { ...record, [added]: hasDefault ? value : values.find(({ id }) => id === record.id)?.[added] };
        };
      } else if (act === 'drop' || act === 'put') {
        if (!field) return;
        const { planned } =
          act === 'drop'
            ? await this.write('DELETE', `${path}/_field/${name}`)
            : await this.write('PUT', path, {
                field: fields.filter((each) => each.name !== name && !each.is_virtual),
              });
        const used = before.records.filter((record) => record[column] !== null).length;
        expect(planned[0].losses).toEqual(used === 0 ? [] : [{ field: name, records: used }]);
        this.free = this.free.filter((each) => each !== name);
        if (act === 'put') this.hasVirtual = false;
        expected = ({ [column]: _, ...rest }) => rest;
        if (act === 'put' && before.described.field.some((each: Any) => each.is_virtual)) {
          const without = expected;
          expected = (record) => {
            const { v: _, ...rest } = without(record);
            return rest;
          };
        }
        touched.add(String(name));
        touched.add('v');
      } else if (act === 'renameField') {
        if (!field) return;
        const newName = `r${this.count++}`;
        await this.write('PATCH', `${path}/${name}`, { new_name: newName });
        this.free = this.free.map((each) => (each === name ? newName : each));
        touched.add(String(name)).add(newName);
        if (field.alias === null) expected = ({ [column]: value, ...rest }) => ({ ...rest, [newName]: value });
      } else if (act === 'renameTable') {
        // A view of MariaDB goes on naming the table of old.
        if (engine === 'mysql') await db.sql('DROP VIEW IF EXISTS work_view');
        const newName = this.table === 'work' ? 'Work two' : 'work';
        await this.write('PATCH', path, { new_name: newName });
        this.table = newName;
        touched.add('parent');
        if (engine === 'mysql')
          await db.sql(`CREATE VIEW work_view AS SELECT id, tag FROM ${quote(newName)} WHERE amount > 0`);
      } else if (act === 'widen') {
        if (field?.type !== 'string' || field.length === null || field.length > 150) return;
        await this.write('PATCH', `${path}/${name}`, { length: field.length + 10 });
        touched.add(String(name));
        expect((await describeTable(this.table)).field.find((each: Any) => each.name === name)).toEqual({
          ...field,
          length: field.length + 10,
          db_type: field.db_type.replace(String(field.length), String(field.length + 10)),
          precision: field.precision === null ? null : field.length + 10,
        });
      } else if (act === 'retype') {
        if (!field || field.is_foreign_key || field.is_virtual) return;
        const to: Record<string, object> = {
          integer: isBy ? { type: 'bigint' } : { type: 'string', length: 40 },
          bigint: { type: 'string', length: 40 },
          string: { type: 'integer' },
          date: { type: 'string', length: 30 },
        };
        const type = to[field.type];
        if (!type || (field.type === 'string' && field.length === null)) return;
        const { isDone } = await this.write('PATCH', `${path}/${name}`, { ...type, default: null });
        if (!isDone) return;
        touched.add(String(name));
        const { records } = await this.state();
        for (const [at, record] of records.entries())
          expect(record[column] === null ? null : String(record[column])).toEqual(
            before.records[at]?.[column] === null ? null : String(before.records[at]?.[column]),
          );
        expected = (record) => ({ ...record, [column]: records.find(({ id }) => id === record.id)?.[column] });
      } else if (act === 'nulls' || act === 'unique' || act === 'index') {
        if (!field || (act !== 'nulls' && !/^(integer|bigint|string|date|decimal)$/.test(field.type))) return;
        if (act !== 'nulls' && field.type === 'string' && field.length === null && engine === 'mysql') return;
        const key = act === 'nulls' ? 'allow_null' : act === 'unique' ? 'is_unique' : 'is_index';
        const { isDone } = await this.write('PATCH', `${path}/${name}`, { [key]: !field[key] });
        if (isDone) {
          touched.add(String(name));
          const changed = (await describeTable(this.table)).field.find((each: Any) => each.name === name);
          expect([name, key, changed[key]]).toEqual([name, key, !field[key]]);
        }
      } else if (act === 'say') {
        if (!field) return;
        const alias = isBy ? `al${this.count++}` : null;
        await this.write('PATCH', `${path}/${name}`, { label: `L ${this.count}`, alias });
        touched.add(String(name));
        expected = ({ [column]: value, ...rest }) => ({ ...rest, [alias ?? field.name]: value });
      } else if (act === 'virtual') {
        if (this.hasVirtual) return;
        await this.write('POST', `${path}/_field`, {
          resource: [
            {
              name: 'v',
              is_virtual: true,
              type: 'integer',
              db_function: [{ use: ['SELECT'], function: 'amount + 1', function_type: 'database' }],
            },
          ],
        });
        this.hasVirtual = true;
        touched.add('v');
        expected = (record) => ({ ...record, v: record.amount + 1 });
      } else if (act === 'relation') {
        await this.write('POST', `${path}/_related`, {
          resource: [{ is_virtual: true, type: 'belongs_to', field: 'amount', ref_table: 'boss', ref_field: 'id' }],
        });
      } else {
        const [first] = before.records;
        await ok(`PATCH _table/${this.table}/${first.id}`, { tag: `u${this.count++}` });
        const { records } = await this.state();
        expect(records[0].touched).toBe(first.touched + 1);
        expect(await call(`PATCH _table/${this.table}/${first.id}`, { amount: -1 })).toMatchObject({ status: 400 });
        expect(await call(`PATCH _table/${this.table}/${first.id}`, { parent: 99 })).toMatchObject({ status: 400 });
        expect(await call(`PATCH _table/${this.table}/${first.id}`, { tag: 't2' })).toMatchObject({ status: 400 });
        expected = (record) => (record.id === first.id ? records[0] : record);
      }

      const after = await this.state();
      expect(after.records).toEqual(before.records.map(expected));
      const rest = ({ field: list }: Any) => list.filter((each: Any) => !touched.has(each.name));
      expect(rest(after.described)).toEqual(rest(before.described));
      expect(after.described.primary_key).toEqual(['id']);
      // Fields that are made stand at the end, the others where they were.
      expect((await db.sql('SELECT count(*) FROM work_view'))[0]).toBe('4');
    }
  }

  it('keeps what a change does not name, and does what its plan says', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepOf, { minLength: 12, maxLength: 16 }), async (steps) => {
        const run = new Run();
        await makeTables();
        try {
          for (const kind of [0, 2, 6, 8]) await run.step({ act: 'add', pick: kind, kind, isBy: false });
          for (const step of steps) await run.step(step);
          // The trigger, the check, the keys and the counter live.
          await run.step({ act: 'write', pick: 0, kind: 0, isBy: false });
          const { resource } = await ok(`POST _table/${run.table}`, { resource: [{ tag: 'new' }] });
          expect(resource).toEqual([{ id: 5 }]);
          const indexes = await indexNames(run.table);
          expect(indexes).toContain('work_two');
        } finally {
          extrasHook.onChange = undefined;
          await db.sql('DROP VIEW work_view');
          await call(`DELETE _schema/work`);
          await call(`DELETE _schema/Work two`);
          await call('DELETE _schema/boss');
        }
      }),
      { numRuns: runs[engine], seed: testSeed },
    );
  });

  const indexNames = (table: string): Promise<(string | null)[]> =>
    db.sql(
      {
        sqlite: `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '${table}'`,
        pgsql: `SELECT indexname FROM pg_indexes WHERE tablename = '${table}'`,
        mysql: `SELECT DISTINCT index_name FROM information_schema.statistics
          WHERE table_schema = database() AND table_name = '${table}'`,
      }[engine],
    );
});
