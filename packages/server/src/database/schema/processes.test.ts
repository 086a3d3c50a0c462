// Two platforms on one store: what one does to a database, the other one's next calls know.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { engineMissing, type TestDatabase } from '@sluice/testkit/databases';
import { emptyDatabase } from '@sluice/testkit/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Fixture, fixture, serviceOver } from '../fixture/index.ts';
import { statementsOf } from '../fixture/statements.ts';

const missingService = await engineMissing('pgsql');

describe.each([
  { store: 'sqlite', missing: undefined },
  { store: 'pgsql', missing: await engineMissing('pgsql') },
  { store: 'mysql', missing: await engineMissing('mysql') },
] as const)('two processes on a store in $store', ({ store, missing }) => {
  const test = it.skipIf(missing ?? missingService);
  let db: Fixture;
  let database: TestDatabase | undefined;
  let folder: string;
  let a: TestPlatform;
  let b: TestPlatform;

  beforeAll(async () => {
    if (missing ?? missingService) return;
    // SQLite would notice by itself, by a number in the file.
    db = await fixture('pgsql');
    folder = mkdtempSync(join(tmpdir(), 'sluice-two-'));
    database = store === 'sqlite' ? undefined : await emptyDatabase(store);
    const shared = { data: folder, databaseUrl: database?.url ?? '', secret: 's'.repeat(40) };
    a = await startPlatform(shared);
    b = await startPlatform(shared);
    await a.create('service', serviceOver(db, 'yard', { cache_enabled: true, cache_ttl: 10 }));
    await soon(async () => expect((await b.ask('GET', 'yard/_table/team/1')).status).toBe(200));
  });
  afterAll(async () => {
    await b?.stop();
    await a?.stop();
    await db?.stop();
    if (folder) rmSync(folder, { recursive: true });
  });

  /** Within the delay of the bus, on a busy machine. */
  const soon = (expectation: () => Promise<void>) => vi.waitFor(expectation, { timeout: 5000, interval: 50 });
  const change = async (verb: string, path: string, body?: unknown) => {
    const answer = await a.ask(verb, `yard/_schema/${path}`, { body });
    expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text]);
  };
  const get = async (of: TestPlatform, path: string) => (await of.ask('GET', `yard/${path}`)).body;
  const fieldsOf = async (of: TestPlatform) =>
    (await get(of, '_schema/team')).field.map(({ name }: { name: string }) => name);

  /** Each is read before the change, so that all of it is known and cached, and asked for alone after it. */
  const views: [what: string, view: () => Promise<unknown>, expected: Record<string, unknown>][] = [
    [
      'a record, cached',
      async () => Object.keys(await get(b, '_table/team/1')),
      { before: ['id', 'name'], added: ['id', 'name', 'motto'], renamed: ['id', 'name', 'slogan'] },
    ],
    [
      'a list and its schema',
      async () => {
        const { resource, meta } = await get(b, '_table/team?include_schema=true');
        const names = meta.schema.field.map(({ name }: { name: string }) => name);
        expect(Object.keys(resource[0])).toEqual(names);
        return names;
      },
      { before: ['id', 'name'], added: ['id', 'name', 'motto'], renamed: ['id', 'name', 'slogan'] },
    ],
    [
      'a description',
      () => fieldsOf(b),
      { before: ['id', 'name'], added: ['id', 'name', 'motto'], renamed: ['id', 'name', 'slogan'] },
    ],
  ];

  test.each(views)('%s: what one alters the other one soon shows', async (_what, view, expected) => {
    expect(await view()).toEqual(expected.before);
    expect(await view()).toEqual(expected.before);
    await change('POST', 'team/_field', {
      resource: [{ name: 'motto', type: 'string', allow_null: true, label: 'Their motto' }],
    });
    await soon(async () => expect(await view()).toEqual(expected.added));
    await change('PATCH', 'team/_field/motto', { new_name: 'slogan' });
    // The one that made the change has it at once.
    expect(Object.keys(await get(a, '_table/team/1'))).toEqual(['id', 'name', 'slogan']);
    await soon(async () => expect(await view()).toEqual(expected.renamed));
    expect((await get(b, '_schema/team/_field/slogan')).label).toBe('Their motto');
    await change('DELETE', 'team/_field/slogan');
    await soon(async () => expect(await view()).toEqual(expected.before));
  });

  test('an alias that one gives is the name of cached records of the other one', async () => {
    expect(Object.keys(await get(b, '_table/team/2'))).toEqual(['id', 'name']);
    await change('PATCH', 'team/_field/name', { alias: 'called' });
    await soon(async () => expect(Object.keys(await get(b, '_table/team/2'))).toEqual(['id', 'called']));
    expect(Object.keys(await get(a, '_table/team/2'))).toEqual(['id', 'called']);
    await change('PATCH', 'team/_field/name', { alias: null });
    expect(Object.keys(await get(a, '_table/team/2'))).toEqual(['id', 'name']);
    await soon(async () => expect(Object.keys(await get(b, '_table/team/2'))).toEqual(['id', 'name']));
  });

  test('an unrelated change causes no re-read', async () => {
    await get(b, '_schema/team');
    for (const name of ['one', 'two', 'three']) await a.create('role', { name });
    await soon(async () => expect((await b.ask('GET', 'system/role')).body.resource).toHaveLength(3));
    const statements = await statementsOf('pgsql', async () => {
      await get(b, '_schema/team');
      await get(b, '_table/team?limit=1&order=id%20desc');
    });
    expect(statements.filter((sql) => /pg_attribute|pg_class|pg_constraint/.test(sql))).toEqual([]);
    // The list of statements is not blind.
    await change('POST', 'team/_field', { resource: [{ name: 'motto', type: 'string', allow_null: true }] });
    const after = await statementsOf('pgsql', () => soon(async () => expect(await fieldsOf(b)).toContain('motto')));
    expect(after.some((sql) => /pg_attribute|pg_class|pg_constraint/.test(sql))).toBe(true);
    await change('DELETE', 'team/_field/motto');
  });
});
