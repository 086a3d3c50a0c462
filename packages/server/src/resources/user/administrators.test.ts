import { aPerson } from '@sluice/testkit/call';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const lastAdministratorRefusal = 'The last active administrator cannot be removed.';
const addAdmin = async (name: string, set: object = {}): Promise<number> =>
  (await ask('POST', 'admin', { resource: [{ email: `${name}@example.com`, ...set }] })).body.resource[0].id;
/** A call of that administrator, whose session this process has cached. */
const signedInAs = (id: number) => ({ caller: { user: aPerson({ id }), hasSentKey: true, hasSentToken: true } });
const readActiveIds = async () =>
  (
    await system.store.db
      .selectFrom('user')
      .select('id')
      .where('is_sys_admin', '=', 1)
      .where('is_active', '=', 1)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id);
const outcome = ({ status, body }: { status: number; body: { error?: { message: string } } }) => [
  status,
  body.error?.message,
];

test('abuse: the last active administrator is not switched off, whatever value says so', async () => {
  const off = await addAdmin('off', { is_active: false });
  for (const verb of ['PUT', 'PATCH'] as const) {
    for (const is_active of [false, 0, '0', 'false'])
      expect(outcome(await ask(verb, 'admin/1', { is_active }))).toEqual([403, lastAdministratorRefusal]);
    expect((await ask(verb, `admin?ids=1,${off}`, { resource: [{ is_active: false }] })).status).toBe(400);
    expect((await ask(verb, 'admin', { resource: [{ id: 1, is_active: false }] })).status).toBe(400);
  }
  expect(await readActiveIds()).toEqual([1]);
  // Who is off already is no obstacle, and neither is a write that leaves it as it is.
  expect((await ask('PATCH', `admin/${off}`, { is_active: false })).status).toBe(200);
  expect((await ask('PATCH', 'admin/1', { is_active: true, phone: '1' })).status).toBe(200);
});

test('abuse: an administrator switches off others, not themselves', async () => {
  await addAdmin('other');
  const off = await ask('PATCH', 'admin/1', { is_active: false });
  expect(outcome(off)).toEqual([403, 'Cannot deactivate your account.']);
});

test('abuse: a batch that would switch off all administrators leaves one, and with rollback all', async () => {
  const other = await addAdmin('other');
  const third = await addAdmin('third');
  const switchOffAll = { resource: [1, third, other].map((id) => ({ id, is_active: false })) };
  expect((await ask('PATCH', 'admin?rollback=true', switchOffAll, signedInAs(other))).status).toBe(400);
  expect(await readActiveIds()).toEqual([1, other, third]);
  expect((await ask('PATCH', 'admin?continue=true', switchOffAll, signedInAs(other))).status).toBe(400);
  expect(await readActiveIds()).toEqual([other]);
});

test('the last active administrator is not deleted, one by one, by ids or by force', async () => {
  const off = await addAdmin('off', { is_active: false });
  const key = { caller: { user: aPerson({ id: 1 }), hasSentKey: true, hasSentToken: true } };
  expect(outcome(await ask('DELETE', 'admin/1', undefined, key))).toEqual([403, 'Cannot delete your account.']);
  for (const path of ['admin?force=true', `admin?ids=${off},1&rollback=true`])
    expect((await ask('DELETE', path)).status).toBe(400);
  expect((await ask('GET', 'admin?as_list=true')).body.resource).toEqual([1, off]);
  expect((await ask('DELETE', `admin/${off}`)).status).toBe(200);
});

test('abuse: two administrators who delete each other at once: one stays', async () => {
  const [b, c] = [await addAdmin('b'), await addAdmin('c')];
  await system.store.db.updateTable('user').set({ is_active: 0 }).where('id', '=', 1).execute();
  const answers = await Promise.all([
    ask('DELETE', `admin/${c}`, undefined, signedInAs(b)),
    ask('DELETE', `admin/${b}`, undefined, signedInAs(c)),
  ]);
  expect(answers.map(outcome).sort()).toEqual([
    [200, undefined],
    [404, 'User not found.'],
  ]);
  expect(await readActiveIds()).toHaveLength(1);
});

test('abuse: administrators who switch off each other and themselves at once: one stays', async () => {
  const ids = [1, await addAdmin('b'), await addAdmin('c')];
  const calls = ids.flatMap((actorId) =>
    ids.map((id) => ask('PATCH', `admin/${id}`, { is_active: false }, signedInAs(actorId))),
  );
  const answers = await Promise.all(calls);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(await readActiveIds()).toHaveLength(1);
});

test('abuse: an administrator who was removed meanwhile writes no administrators any more', async () => {
  const gone = await addAdmin('gone');
  await ask('PATCH', `admin/${gone}`, { is_active: false });
  const refused = await ask('POST', 'admin', { resource: [{ email: 'new@example.com' }] }, signedInAs(gone));
  expect(refused.body.error.context.resource[0].message).toBe('User is not active.');
  expect(outcome(await ask('PATCH', 'admin/1', { phone: '1' }, signedInAs(gone)))).toEqual([
    403,
    'User is not active.',
  ]);
  await ask('DELETE', `admin/${gone}`);
  expect(outcome(await ask('DELETE', 'admin/1', undefined, signedInAs(gone)))).toEqual([404, 'User not found.']);
});
