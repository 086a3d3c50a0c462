import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const addRole = () =>
  ask('POST', 'role?fields=*&related=lookup_by_role_id', {
    resource: [{ name: 'reader', lookup_by_role_id: [{ name: 'a', value: '1' }] }],
  });
const withIfMatch = (version: string) => ({ headers: { 'if-match': version } });
const staleMessage = 'The record was changed by someone else in the meantime.';

test('a record is answered with its version, after every kind of call on it alone', async () => {
  const { etag, body } = await addRole();
  expect(etag).toMatch(/^"[0-9-]+"$/);
  expect((await ask('GET', 'role/1')).etag).toBe(etag);
  expect((await ask('GET', 'role/1?fields=name')).etag).toBe(etag);
  const changed = await ask('PATCH', 'role/1', { is_active: true });
  expect(changed.etag).toMatch(/^"[0-9-]+"$/);
  expect(changed.etag).not.toBe(etag);
  expect((await ask('GET', 'role')).etag).toBeUndefined();
  expect(body.resource).toHaveLength(1);
});

test('a write on an old version is refused and changes nothing', async () => {
  const { etag = '' } = await addRole();
  await ask('PATCH', 'role/1', { description: 'theirs' });
  for (const [verb, body] of [
    ['PUT', { description: 'mine' }],
    ['PATCH', { description: 'mine' }],
    ['DELETE', undefined],
  ] as const) {
    const refused = await ask(verb, 'role/1', body, withIfMatch(etag));
    expect([refused.status, refused.body.error.message]).toEqual([412, staleMessage]);
  }
  const current = await ask('GET', 'role/1');
  expect(current.body.description).toBe('theirs');
  expect((await ask('PATCH', 'role/1', { description: 'mine' }, withIfMatch(current.etag ?? ''))).status).toBe(200);
  expect((await ask('GET', 'role/1')).body.description).toBe('mine');
});

test('a change of a nested row is a change of the record', async () => {
  const { etag = '' } = await addRole();
  await ask('PATCH', 'role/1', { lookup_by_role_id: [{ id: 1, value: '2' }] });
  expect((await ask('PATCH', 'role/1', { description: 'mine' }, withIfMatch(etag))).status).toBe(412);
});

test('one of several versions, a weak one and any are accepted; without a header nothing is checked', async () => {
  const { etag = '' } = await addRole();
  for (const version of [`"0-0", ${etag}`, '*']) {
    const before = (await ask('GET', 'role/1')).etag ?? '';
    const ifMatch = version === '*' ? '*' : version.replace(etag, before);
    expect((await ask('PATCH', 'role/1', { description: version }, withIfMatch(ifMatch))).status).toBe(200);
  }
  expect((await ask('PATCH', 'role/1', { description: 'x' }, withIfMatch('"0-0"'))).status).toBe(412);
  expect((await ask('PATCH', 'role/1', { description: 'x' })).status).toBe(200);
});

test('a name used again is another record', async () => {
  const first = await ask('POST', 'custom?fields=*', { resource: [{ name: 'chat', value: 1 }] });
  await ask('DELETE', 'custom/chat');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await ask('POST', 'custom', { resource: [{ name: 'chat', value: 1 }] });
  expect((await ask('PATCH', 'custom/chat', { value: 2 }, withIfMatch(first.etag ?? ''))).status).toBe(412);
});

test('of several writers who saw the same version, at the same time, exactly one is first', async () => {
  await addRole();
  for (const round of [1, 2, 3]) {
    const { etag } = await ask('GET', 'role/1');
    const changes = [1, 2, 3, 4, 5, 6].map((n) =>
      n % 2 ? { description: `${round}.${n}` } : { lookup_by_role_id: [{ name: `k${round}${n}`, value: 'v' }] },
    );
    const answers = await Promise.all(changes.map((change) => ask('PATCH', 'role/1', change, withIfMatch(etag!))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
  }
});
