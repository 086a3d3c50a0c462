// Random schemas and random changes of them through `_schema`, on each engine: what is described is what was sent, nothing is
// lost that should stay, and what fails leaves everything as it was (contract/database-schema.md).
import { soakRounds, testSeed } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';
import { clientOf, dropAll } from './change.client.fixture.ts';
import { describedField, schemas, type TableInput } from './change.property.fixture.ts';

/** A change of SQLite takes a child process. */
const runs = { sqlite: soakRounds(3, 60), pgsql: soakRounds(10, 400), mysql: soakRounds(10, 400) };

/** Constraints name the database that they are in. */
const withoutDatabase = (tables: unknown, { config }: Fixture) =>
  JSON.parse(JSON.stringify(tables).replaceAll(`"${config.database}"`, '"here"'));

await onEachEngine((engine) => {
  let db: Fixture;
  let other: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
    other = await fixture(engine);
  });
  afterAll(async () => {
    await db?.stop();
    await other?.stop();
  });

  const here = clientOf(() => db);
  const there = clientOf(() => other);

  it('describes a random schema as it was sent, and changes nothing when that is sent again', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(schemas, fc.constantFrom('POST', 'PATCH', 'PUT'), async (schema, verb) => {
        const names = schema.map(({ name }) => name);
        try {
          await here.ok('POST _schema', { resource: schema });
          const described = await here.describeAll(names);
          for (const [index, table] of schema.entries()) expectDescribed(described[index], table);
          for (const again of ['POST', 'PATCH', 'PUT']) {
            const plans = await here.plan(again, '_schema', { resource: described });
            expect(plans.flatMap(({ statements }) => statements)).toEqual([]);
          }
          const plans = await here.plan(verb, '_schema', { resource: schema });
          expect(plans.flatMap(({ statements }) => statements)).toEqual([]);
          await here.ok(`${verb} _schema`, { resource: described });
          expect(await here.describeAll(names)).toEqual(described);
          await there.ok('POST _schema', { resource: described });
          expect(withoutDatabase(await there.describeAll(names), other)).toEqual(withoutDatabase(described, db));
        } finally {
          await dropAll(db, names);
          await dropAll(other, names);
        }
      }),
      { numRuns: runs[engine], seed: testSeed },
    );
  });

  function expectDescribed(described: { field: { name: string }[]; primary_key: string[] }, table: TableInput) {
    expect(described.field.map(({ name }) => name)).toEqual(table.field.map(({ name }) => name));
    for (const [index, field] of table.field.entries())
      expect(described.field[index]).toMatchObject(describedField(engine, field));
    expect(described.primary_key).toEqual(
      described.field.filter((field) => (field as { is_primary_key?: boolean }).is_primary_key).map(({ name }) => name),
    );
  }
});
