import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const post = (...pairs: object[]) => ask('POST', 'custom', { resource: pairs });

test('a value of any JSON is kept by name and answered bare (CFG-049)', async () => {
  const values: Record<string, unknown> = {
    chat: true,
    text: 'dark',
    number: 25,
    zero: 0,
    list: [1, { a: null }],
    object: { deep: { er: 'ä' } },
    nothing: null,
    'with space & ünï': 1.5,
  };
  const { status, body } = await post(...Object.entries(values).map(([name, value]) => ({ name, value })));
  expect([status, body]).toEqual([201, { resource: Object.keys(values).map((name) => ({ name })) }]);
  for (const [name, value] of Object.entries(values)) expect((await ask('GET', `custom/${name}`)).body).toEqual(value);
  expect((await ask('GET', 'custom/chat?fields=name,value')).body).toEqual({ name: 'chat', value: true });
  const list = (await ask('GET', 'custom')).body.resource;
  expect(list.map((setting: { name: string }) => setting.name)).toEqual(Object.keys(values).sort());
  expect(list[0]).toMatchObject({ name: 'chat', value: true, created_by_id: 1, last_modified_by_id: null });
});

test('a pair that is not wrapped is no record; a name that is there fails the batch', async () => {
  expect((await ask('POST', 'custom', { chat: true })).body.error.message).toContain('No record(s) detected');
  await post({ name: 'chat', value: true });
  const { status, body } = await post({ name: 'chat', value: false });
  expect([status, body.error.code]).toEqual([400, 1000]);
  expect(body.error.context.resource[0].context).toEqual({ name: ['The name has already been taken.'] });
  expect((await ask('GET', 'custom/chat')).body).toBe(true);
});

test('is changed by name, alone or several, and never renamed', async () => {
  await post({ name: 'chat', value: true }, { name: 'theme', value: 'dark' });
  expect((await ask('PUT', 'custom', { resource: [{ name: 'chat', value: false }] })).body).toEqual({
    resource: [{ name: 'chat' }],
  });
  expect((await ask('PATCH', 'custom/theme', { value: 'light', name: 'other' })).body).toEqual({ name: 'theme' });
  expect((await ask('GET', 'custom/chat')).body).toBe(false);
  expect((await ask('GET', 'custom/theme')).body).toBe('light');
  expect((await ask('GET', 'custom/other')).status).toBe(404);
});

test('an unknown name, in any case, is a 404; numbers are names like others', async () => {
  await post({ name: 'Chat', value: 1 }, { name: 7, value: 'seven' });
  expect((await ask('GET', 'custom/x')).body.error.message).toBe("Record with identifier 'x' not found.");
  expect((await ask('GET', 'custom/chat')).status).toBe(404);
  expect((await ask('GET', 'custom/7')).body).toBe('seven');
  expect((await ask('DELETE', 'custom/x')).status).toBe(404);
});

test('is read, changed and deleted by ids, which are names', async () => {
  await post({ name: 'a', value: 1 }, { name: 'b', value: 2 }, { name: 'c', value: 3 });
  expect((await ask('GET', 'custom?ids=b,a&fields=name')).body.resource).toEqual([{ name: 'b' }, { name: 'a' }]);
  expect((await ask('GET', 'custom?as_list=true')).body.resource).toEqual(['a', 'b', 'c']);
  expect((await ask('DELETE', 'custom?ids=c,a')).body.resource).toEqual([{ name: 'c' }, { name: 'a' }]);
  expect((await ask('GET', 'custom?include_count=true&fields=name')).body).toEqual({
    resource: [{ name: 'b' }],
    meta: { count: 1 },
  });
});

test('a name must be there, fit and be addressable', async () => {
  for (const [name, text] of [
    ['', 'The name field is required.'],
    ['a/b', 'The name format is invalid.'],
    ['n'.repeat(256), 'The name may not be greater than 255 characters.'],
  ])
    expect((await post({ name, value: 1 })).body.error.context.resource[0].context.name).toEqual([text]);
});
