// Uniqueness is kept by an index: of many calls that write one name at once one succeeds, and the others are refused as
// they would have been a moment later.
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const callCount = 12;
const runAtOnce = <T>(work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: callCount }, (_, index) => work(index)));
/** The refusals among responses; of a batch, that of its first record. */
const refusalsOf = (answers: { status: number; body: { error?: { message: string; context?: unknown } } }[]) =>
  new Set(
    answers
      .filter(({ status }) => status >= 300)
      .map(({ status, body }) => {
        const { message, context } = body.error ?? { message: '' };
        const first = (context as { resource?: { message: string }[] } | null)?.resource?.[0]?.message;
        return `${status} ${first ?? message}`;
      }),
  );

const takenRefusal = (field: string) => `400 Invalid data supplied. The ${field} has already been taken.`;
const lookupTakenRefusal = '400 Lookup name can not be modified to one that already exists.';

test.each([
  ['role', (index: number) => ({ name: index % 2 ? 'same' : 'SAME' }), takenRefusal('name')],
  ['service', (index: number) => ({ name: index % 2 ? 'same' : 'SAME', type: 'gadget' }), takenRefusal('name')],
  ['app', () => ({ name: 'same' }), takenRefusal('name')],
  ['cors', () => ({ path: 'same', origin: '*' }), takenRefusal('path')],
  ['email_template', () => ({ name: 'same' }), takenRefusal('name')],
  ['custom', () => ({ name: 'same', value: 1 }), takenRefusal('name')],
  ['lookup', () => ({ name: 'same', value: '1' }), lookupTakenRefusal],
  [
    'user',
    (index: number) => ({
      email: index % 2 ? 'Same@example.com' : 'same@EXAMPLE.com',
      username: `user${Math.random()}`,
    }),
    takenRefusal('email'),
  ],
])('abuse: many who add one %s at once: one is added, the others are refused as usual', async (path, record, text) => {
  for (const mode of ['', '?rollback=true']) {
    const answers = await runAtOnce((index) => ask('POST', `${path}${mode}`, { resource: [record(index)] }));
    const added = answers.filter(({ status }) => status === 201);
    expect(added).toHaveLength(mode === '' ? 1 : 0);
    expect([...refusalsOf(answers)]).toEqual([text]);
  }
});

test('abuse: many who give one key at once: every app has one of its own', async () => {
  const api_key = 'k'.repeat(64);
  const answers = await runAtOnce((index) =>
    ask('POST', 'app?fields=*', { resource: [{ name: `app ${index}`, api_key }] }),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  expect(new Set(answers.map(({ body }) => body.resource[0].api_key)).size).toBe(callCount);
});

test('abuse: many who add one lookup key of an owner, or one assignment, at once: there is one', async () => {
  await ask('POST', 'role', { resource: [{ name: 'r' }] });
  await ask('POST', 'user', { resource: [{ email: 'jo@example.com' }] });
  for (const path of ['role/1', 'app/1', 'user/2']) {
    const relation = `lookup_by_${path.split('/')[0]}_id`;
    // The element means the key of that name, be it there by then or not.
    const answers = await runAtOnce((index) =>
      ask('PATCH', path, { [relation]: [{ name: 'key', value: String(index) }] }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await ask('GET', `${path}?related=${relation}`)).body[relation]).toHaveLength(1);
  }
  // Through several owners at once, none of which waits for the other.
  const row = { user_id: 2, app_id: 1, role_id: 1 };
  const owners = ['user/2', 'app/1', 'role/1'];
  const answers = await Promise.all(
    owners.map((path) => ask('PATCH', path, { [`user_to_app_to_role_by_${path.split('/')[0]}_id`]: [row] })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect([...refusalsOf(answers)]).toEqual([
    '400 Multiple user-to-app-to-role assignment. You can only have a single user-to-app-to-role assignment.',
  ]);
});

test('of each owner, and of the instance, a name is another', async () => {
  await ask('POST', 'role', { resource: [{ name: 'r', lookup_by_role_id: [{ name: 'key' }] }] });
  await ask('PATCH', 'app/1', { lookup_by_app_id: [{ name: 'key' }, { name: 'Key' }] });
  await ask('PATCH', 'admin/1', { lookup_by_user_id: [{ name: 'key' }] });
  await ask('POST', 'lookup', { resource: [{ name: 'key' }, { name: 'KEY' }] });
  const rows = await system.store.db.selectFrom('lookup').select(['owner', 'name']).orderBy('id').execute();
  expect(rows.map(({ owner, name }) => `${owner}:${name}`)).toEqual([
    'role 1:key',
    'app 1:key',
    'app 1:Key',
    'user 1:key',
    ':key',
    ':KEY',
  ]);
});
