// The sample database moves from one engine to another: its schema as JSON by an upload, its records through `_table`.
import { createHash } from 'node:crypto';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const tables = ['countries', 'cities', 'companies', 'people', 'orders', 'order_items'];
const recordsPerCall = 5000;
const serverEngines = ['pgsql', 'mysql'] as const;

let platform: TestPlatform;
const databases: TestDatabase[] = [];
beforeAll(async () => {
  platform = await startPlatform({ demo: true, bodyLimit: 64 * 1024 * 1024 });
});
afterAll(async () => {
  await platform?.stop();
  for (const database of databases) await database.drop();
});

async function makeService(engine: (typeof serverEngines)[number]): Promise<void> {
  const database = await freshDatabase(engine);
  databases.push(database);
  const { host, port, database: name, user: username, password } = database;
  const config = { host, port, database: name, username, password, schema: 'default', max_records: 100_000 };
  await platform.create('service', { name: engine, label: engine, type: engine, is_active: true, config });
}

async function ok(verb: string, path: string, body?: unknown) {
  const answer = await platform.ask(verb, path, { body });
  expect([verb, path, answer.status, answer.status === 200 ? '' : answer.text.slice(0, 1000)]).toEqual([
    verb,
    path,
    200,
    '',
  ]);
  return answer.body;
}

const describeAll = async (service: string) => (await ok('GET', `${service}/_schema?ids=${tables.join(',')}`)).resource;

const readAll = async (service: string, table: string): Promise<Record<string, unknown>[]> =>
  (await ok('GET', `${service}/_table/${table}?file=${table}.json`)).resource;

/** Records as one text: numbers by their value, since engines write their digits in different ways. */
const checksum = (records: Record<string, unknown>[]): string => {
  const hash = createHash('sha256');
  const texts = records.map((record) =>
    JSON.stringify(
      Object.entries(record).map(([name, value]) => [
        name,
        typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value,
      ]),
    ),
  );
  for (const text of texts.sort()) hash.update(text);
  return hash.digest('hex');
};

/** What a description says beyond the words of an engine. */
const gist = (
  description: { field: Record<string, unknown>[]; related: Record<string, unknown>[] } & Record<string, unknown>,
) => ({
  name: description.name,
  primary_key: description.primary_key,
  label: description.label,
  fields: description.field.map(
    ({
      name,
      allow_null,
      is_primary_key,
      is_unique,
      is_foreign_key,
      ref_table,
      ref_field,
      auto_increment,
      required,
    }) => ({
      name,
      allow_null,
      is_primary_key,
      is_unique,
      is_foreign_key,
      ref_table,
      ref_field,
      auto_increment,
      required,
    }),
  ),
  related: description.related
    .map(({ name, field, ref_table, ref_field, ref_on_delete }) => ({
      name,
      field,
      ref_table,
      ref_field,
      ref_on_delete,
    }))
    .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
});

for (const engine of serverEngines) {
  const missing = await engineMissing(engine);
  describe.skipIf(missing)(missing ?? `from SQLite to ${engine}`, () => {
    it('arrives whole', async () => {
      await makeService(engine);
      const source = await describeAll('world');
      const made = await ok('POST', `${engine}/_schema?fields=*`, { resource: source.toReversed() });
      expect(made.resource).toHaveLength(tables.length);
      const target = await describeAll(engine);
      expect(target.map(gist)).toEqual(source.map(gist));

      for (const table of tables) {
        const records = await readAll('world', table);
        for (let start = 0; start < records.length; start += recordsPerCall)
          await ok('POST', `${engine}/_table/${table}`, { resource: records.slice(start, start + recordsPerCall) });
        const { meta } = await ok('GET', `${engine}/_table/${table}?limit=1&include_count=true`);
        expect([table, meta.count]).toEqual([table, records.length]);
        expect([table, checksum(await readAll(engine, table))]).toEqual([table, checksum(records)]);
      }
    }, 180_000);

    it('goes back as a schema, and is the same again', async () => {
      const config = { database: `back_${engine}.sqlite` };
      await platform.create('service', {
        name: `back_${engine}`,
        label: 'Back',
        type: 'sqlite',
        is_active: true,
        config,
      });
      const source = await describeAll(engine);
      await ok('POST', `back_${engine}/_schema`, { resource: source });
      // A moment that SQLite fills in itself reads as required there (contract/database-schema.md §2).
      const withoutRequired = (each: ReturnType<typeof gist>) => ({
        ...each,
        fields: each.fields.map(({ required, ...field }) => field),
      });
      const described = (await describeAll(`back_${engine}`)).map(gist);
      expect(described.map(withoutRequired)).toEqual(source.map(gist).map(withoutRequired));
    });
  });
}
