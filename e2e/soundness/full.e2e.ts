// No room left: a database at its page limit, and a data folder on a file system of 16 MB that is full.
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountSmallDisk } from '@sluice/testkit/small-disk';
import { admin, expect, type Instance, startInstance, test } from '../instance.ts';
import { findDamage, withFile } from './file.ts';

const administrator = { SLUICE_ADMIN_EMAIL: admin.email, SLUICE_ADMIN_PASSWORD: admin.password };
const noteTable = 'create table note (id integer primary key, name text unique not null, body text)';
const rightsOfARole = 20;

type Answer = Awaited<ReturnType<Instance['api']>>;

const note = (instance: Instance, name: string, body = 'x'.repeat(3000)) =>
  instance.api('POST', 'notes/_table/note', { resource: [{ name, body }] });

const role = (instance: Instance, name: string) =>
  instance.api('POST', 'system/role', {
    resource: [
      {
        name,
        role_service_access_by_role_id: Array.from({ length: rightsOfARole }, (_, index) => ({
          service_id: 1,
          component: `part${index}/${'x'.repeat(200)}`,
          verb_mask: 1,
          requestor_mask: 1,
        })),
      },
    ],
  });

/** What is refused for lack of room, and in which words. */
function expectNoRoom({ status, body }: Answer, words: RegExp): void {
  const { error } = body;
  expect([status, error.status_code]).toEqual([507, 507]);
  // A batch says it of the record that found no room.
  const said = error.code === 1000 ? error.context.resource.at(-1) : error;
  expect(said).toMatchObject({ status_code: 507, message: expect.stringMatching(words) });
}

/** Writes until there is no room; answers the names that were acknowledged, and the refusal. */
async function fill(prefix: string, write: (name: string) => Promise<Answer>) {
  const names: string[] = [];
  for (let n = 0; n < 5000; n += 1) {
    const answer = await write(`${prefix}${n}`);
    if (answer.status >= 300) return { names, answer };
    names.push(`${prefix}${n}`);
  }
  throw new Error('It never became full.');
}

const namesOf = async (instance: Instance, path: string): Promise<string[]> => {
  const { status, body } = await instance.api('GET', `${path}?fields=name`);
  expect(status).toBe(200);
  return (body.resource as { name: string }[]).map(({ name }) => name);
};

/** Every kind of write to a table that has no room: refused in words, and nothing of it is there. */
async function expectRefusedWhole(instance: Instance, names: string[]): Promise<void> {
  const words = /can not grow.*Nothing was written/;
  const big = 'y'.repeat(100_000);
  const path = 'notes/_table/note';
  expectNoRoom(await note(instance, 'single', big), words);
  const rollback = { resource: [{ name: 'all-0' }, { name: 'all-1', body: big }] };
  expectNoRoom(await instance.api('POST', `${path}?rollback=true`, rollback), words);
  expectNoRoom(await instance.api('PATCH', `${path}?ids=1`, { resource: [{ body: big }] }), words);
  expectNoRoom(await instance.api('PATCH', `${path}/1`, { body: big }), words);
  expect((await namesOf(instance, path)).sort()).toEqual([...names].sort());
  const { body } = await instance.api('GET', `${path}?limit=5000`);
  expect(body.resource.filter((record: { body: string }) => record.body !== 'x'.repeat(3000))).toEqual([]);
}

test('a database at its page limit answers 507, keeps what it has, and works on when there is room', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-pages-'));
  await mkdir(join(folder, 'db'));
  const file = join(folder, 'db', 'notes.sqlite');
  withFile(file, (database) => database.exec(noteTable));
  const instance = await startInstance(administrator, folder);
  try {
    await connect(instance, { statements: ['PRAGMA max_page_count = 60'] });
    const { names, answer } = await fill('note', (name) => note(instance, name));
    expect(names.length).toBeGreaterThan(20);
    expectNoRoom(answer, /can not grow/);
    await expectRefusedWhole(instance, names);

    const gone = names.splice(0, 10);
    const filter = encodeURIComponent(`name in (${gone.map((name) => `"${name}"`).join(',')})`);
    expect((await instance.api('DELETE', `notes/_table/note?filter=${filter}`)).status).toBe(200);
    expect((await note(instance, 'again')).status).toBe(200);
    expect((await namesOf(instance, 'notes/_table/note')).sort()).toEqual([...names, 'again'].sort());
    await instance.kill();
    expect(findDamage(file)).toEqual([]);
  } finally {
    await instance.stop();
  }
});

test('a full data folder answers 507, reads and signing in go on, and writes do again once there is room', async () => {
  test.setTimeout(120_000);
  const disk = mountSmallDisk(16 * 1024 * 1024);
  const folder = join(disk.folder, 'data');
  const [file, store] = [join(folder, 'db', 'notes.sqlite'), join(folder, 'sluice.sqlite')];
  await mkdir(join(folder, 'db'), { recursive: true });
  withFile(file, (database) => database.exec(noteTable));
  const instance = await startInstance(administrator, folder);
  try {
    await connect(instance);
    expect((await note(instance, 'before')).status).toBe(200);
    await disk.fill(500_000);

    // The service and the platform's own store, until neither finds room for anything more.
    const roles = await fill('role', (name) => role(instance, name));
    expect(roles.names.length).toBeGreaterThan(0);
    expectNoRoom(roles.answer, /disk .* is full/);
    const notes = await fill('note', (name) => note(instance, name));
    expectNoRoom(notes.answer, /can not grow/);
    await disk.fill().catch(() => {});
    notes.names.push('before');

    // What a refused write took of the journal is free for smaller ones: these too until there is none.
    const small = await fill('small', (name) => instance.api('POST', 'system/role', { resource: [{ name }] }));
    const changes = await fill('change', (description) => instance.api('PATCH', 'system/role/1', { description }));
    const apps = { resource: [{ name: 'a1' }, { name: 'a2' }] };
    for (const answer of [
      small.answer,
      changes.answer,
      await role(instance, 'none'),
      await instance.api('POST', 'system/app?rollback=true', apps),
    ])
      expectNoRoom(answer, /disk .* is full/);
    roles.names.push(...small.names);
    const changed = await instance.api('GET', 'system/role/1');
    expect(changed.body.description).toBe(changes.names.at(-1) ?? null);
    expect((await namesOf(instance, 'system/role')).sort()).toEqual([...roles.names].sort());
    await expectRefusedWhole(instance, notes.names);

    // Someone has to be able to see it, and to get in for that.
    const entered = await instance.api('POST', 'system/admin/session', admin);
    expect(entered.status).toBe(200);
    const token = { 'X-DreamFactory-Session-Token': entered.body.session_token };
    expect((await instance.api('GET', 'system/service', undefined, token)).status).toBe(200);
    const basic = { Authorization: `Basic ${Buffer.from(`${admin.email}:${admin.password}`).toString('base64')}` };
    expect((await instance.api('GET', 'notes/_table/note?limit=1', undefined, basic)).status).toBe(200);
    expect((await fetch(`${instance.url}/readyz`)).status).toBe(200);

    await disk.makeRoom();
    expect((await note(instance, 'after')).status).toBe(200);
    expect((await role(instance, 'after')).status).toBe(201);
    expect((await instance.api('POST', 'system/app?rollback=true', apps)).status).toBe(201);
    expect((await namesOf(instance, 'notes/_table/note')).sort()).toEqual([...notes.names, 'after'].sort());
    expect((await namesOf(instance, 'system/role')).sort()).toEqual([...roles.names, 'after'].sort());

    await instance.kill();
    expect([...findDamage(file), ...findDamage(store)]).toEqual([]);
    const rights = withFile(store, (database) =>
      database
        .run('select role_id, count(*) from role_service_access group by role_id')
        .rows.map(([, count]) => Number(count)),
    );
    expect(new Set(rights)).toEqual(new Set([rightsOfARole]));
    // Those with rights, and the one from afterwards.
    expect(rights).toHaveLength(roles.names.length - small.names.length + 1);
  } finally {
    await instance.stop();
    await disk.remove();
  }
});

async function connect(instance: Instance, more: Record<string, unknown> = {}): Promise<void> {
  const config = { database: 'notes.sqlite', max_records: 5000, ...more };
  const service = { name: 'notes', label: 'Notes', type: 'sqlite', is_active: true, config };
  expect((await instance.api('POST', 'system/service', { resource: [service] })).status).toBe(201);
}
