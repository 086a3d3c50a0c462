// A change of a database whose process ends between the database's commit and the store's: the next process finishes it, or
// forgets it. Ended is a platform whose store takes nothing any more; the killing itself is e2e/soundness/alter-kill.e2e.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { engineMissing, type TestDatabase } from '@sluice/testkit/databases';
import { emptyDatabase } from '@sluice/testkit/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../store/index.ts';
import { type Fixture, fixture, serviceOver } from '../fixture/index.ts';

const missing = { sqlite: undefined, pgsql: await engineMissing('pgsql'), mysql: await engineMissing('mysql') };

describe.each([
  ['sqlite', 'sqlite'],
  ['pgsql', 'sqlite'],
  ['mysql', 'sqlite'],
  ['sqlite', 'pgsql'],
  ['sqlite', 'mysql'],
] as const)('a database in %s and a store in %s', (engine, store) => {
  const test = it.skipIf(missing[engine] ?? missing[store]);
  let db: Fixture;
  let database: TestDatabase | undefined;
  let folder: string;
  let platforms: TestPlatform[];

  const start = async () => {
    const platform = await startPlatform({ data: folder, databaseUrl: database?.url ?? '', secret: 's'.repeat(40) });
    platforms.push(platform);
    return platform;
  };
  beforeEach(async () => {
    if (missing[engine] ?? missing[store]) return;
    platforms = [];
    db = await fixture(engine);
    folder = mkdtempSync(join(tmpdir(), 'sluice-killed-'));
    database = store === 'sqlite' ? undefined : await emptyDatabase(store);
    const platform = await start();
    const service = await platform.create('service', serviceOver(db, 'yard'));
    await platform.create('role', {
      name: 'readers',
      is_active: true,
      role_service_access_by_role_id: [
        { service_id: service.id, component: '_table/crate/*', verb_mask: 1, requestor_mask: 1 },
      ],
    });
    await change(platform, 'POST', '', {
      resource: [
        {
          name: 'crate',
          label: 'A crate',
          field: [
            { name: 'id', type: 'id' },
            { name: 'name', type: 'string', length: 20, label: 'What is in it' },
          ],
        },
      ],
    });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const platform of platforms ?? []) await platform.stop();
    await db?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const send = (of: TestPlatform, verb: string, path: string, body?: unknown) =>
    of.ask(verb, `yard/_schema${path}`, { body });
  const change = async (of: TestPlatform, verb: string, path: string, body?: unknown) => {
    const answer = await send(of, verb, path, body);
    expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text]);
  };
  /** What the instance shows: the table's name, its label and its field's, what the role may, and entries of the audit. */
  const stateOf = async (of: TestPlatform) => {
    const get = async (path: string) => (await of.ask('GET', path)).body;
    const names: string[] = (await get('yard/_table?as_list=true')).resource;
    const name = names.find((each) => /^crate|^box/.test(each)) as string;
    const { label, field } = await get(`yard/_schema/${name}`);
    const role = await get('system/role?filter=name%3Dreaders&related=role_service_access_by_role_id');
    const audit = await get('system/audit?filter=record_name%20like%20%27yard/_schema/%25%27');
    return {
      name,
      label,
      field: [field[1].name, field[1].label],
      role: role.resource[0].role_service_access_by_role_id[0].component,
      entries: audit.resource.map(({ user_email }: { user_email: string }) => user_email).length,
    };
  };
  const before = {
    name: 'crate',
    label: 'A crate',
    field: ['name', 'What is in it'],
    role: '_table/crate/*',
    entries: 1,
  };
  const after = { name: 'box', label: 'A box', field: ['title', 'Its title'], role: '_table/box/*', entries: 2 };
  const renaming = {
    new_name: 'box',
    label: 'A box',
    field: [{ name: 'name', new_name: 'title', label: 'Its title' }],
  };

  /** Lets a platform end with a transaction of its store: when it has been taken, or right before. */
  const endWith = (platform: TestPlatform, transaction: number, isTaken: boolean) => {
    const { exclusively } = platform.store as Store;
    let count = 0;
    vi.spyOn(platform.store as Store, 'exclusively').mockImplementation(async (work) => {
      count += 1;
      const result = count < transaction || (count === transaction && isTaken) ? await exclusively(work) : undefined;
      if (count >= transaction) throw new Error('it ended');
      return result as never;
    });
  };
  /** Ends when the change is in the journal. */
  const endBefore = (platform: TestPlatform) => endWith(platform, 1, true);
  /** Ends when the database has committed. */
  const endAfter = async (platform: TestPlatform) => {
    if (engine === 'mysql') endBefore(platform);
    else endWith(platform, 2, false);
    expect((await send(platform, 'PATCH', '/crate', renaming)).status).toBeGreaterThanOrEqual(500);
    // The server ends what it was doing for a process that has ended.
    if (engine === 'mysql') await db.sql('ALTER TABLE crate RENAME TO box, CHANGE name title varchar(20) NOT NULL');
  };

  test('before the database has committed: the change was never made', async () => {
    const [first] = platforms as [TestPlatform];
    endBefore(first);
    expect((await send(first, 'PATCH', '/crate', renaming)).status).toBeGreaterThanOrEqual(400);
    const next = await start();
    expect(await stateOf(next)).toEqual(before);
    await change(next, 'PATCH', '/crate', renaming);
    expect(await stateOf(next)).toEqual(after);
  });

  test('after the database has committed: the next process saves the rest, once', async () => {
    const [first] = platforms as [TestPlatform];
    await endAfter(first);
    const next = await start();
    expect(await stateOf(next)).toEqual(after);
    expect(await stateOf(await start())).toEqual(after);
    await change(next, 'PATCH', '/box', { new_name: 'crate' });
    expect(await stateOf(next)).toMatchObject({ name: 'crate', role: '_table/crate/*', entries: 3 });
  });

  test('after it has, and the next that is called is a change', async () => {
    const [first] = platforms as [TestPlatform];
    const next = await start();
    expect(await stateOf(next)).toEqual(before);
    await endAfter(first);
    await change(next, 'POST', '', { resource: [{ name: 'other', field: [{ name: 'id', type: 'id' }] }] });
    expect(await stateOf(next)).toEqual({ ...after, entries: 3 });
  });

  test('an entry that nothing came of does not make a later change of somebody else its own', async () => {
    const [first] = platforms as [TestPlatform];
    endBefore(first);
    await send(first, 'PATCH', '/crate', renaming);
    const next = await start();
    await change(next, 'POST', '/crate/_field', { resource: [{ name: 'n', type: 'integer', allow_null: true }] });
    expect(await stateOf(next)).toEqual({ ...before, entries: 2 });
    expect(await stateOf(await start())).toEqual({ ...before, entries: 2 });
  });
});
