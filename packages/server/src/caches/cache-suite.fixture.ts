// What every cache does alike, over HTTP (contract/services-other.md §7).
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleOf, type PreparedExample } from '../services/example.fixture.ts';

/** A platform with the services `one` and `two` of a type, over the same server. */
export async function startCaches(
  type: string,
): Promise<{ platform: TestPlatform; config: object; stop(): Promise<void> }> {
  const platform = await startPlatform();
  const { config, release }: PreparedExample = await (await exampleOf(type)).prepare(platform);
  for (const name of ['one', 'two'])
    await platform.create('service', { name, label: name, type, is_active: true, config });
  const stop = async () => {
    await platform.stop();
    await release?.();
  };
  return { platform, config, stop };
}

export function describeCache(type: string, missing: string | undefined): void {
  describe.skipIf(missing)(missing ? `${type}: ${missing}` : `a cache of the type ${type}`, () => {
    let platform: TestPlatform;
    let ask: TestPlatform['ask'];
    let stop: () => Promise<void>;
    beforeAll(async () => {
      ({ platform, stop } = await startCaches(type));
      ask = platform.ask;
    });
    afterAll(() => stop?.());

    const outcome = async (verb: string, path: string, body?: unknown, headers?: Record<string, string>) => {
      const answer = await ask(verb, path, { body, ...(headers ? { headers } : {}) });
      return [answer.status, answer.body?.error?.message ?? answer.body];
    };

    it('stores a value by its key, reads, changes and deletes it', async () => {
      const value = { a: [1, null, { ü: '€' }], n: 1.5 };
      expect(await outcome('POST', 'one/first', value)).toEqual([201, { first: value }]);
      expect(await outcome('GET', 'one/first')).toEqual([200, value]);
      expect(await outcome('POST', 'one/first', value)).toEqual([
        400,
        "Key 'first' already exists in cache. Use PUT to update existing key.",
      ]);
      expect(await outcome('PUT', 'one/first', [1, 2])).toEqual([200, { first: [1, 2] }]);
      expect(await outcome('PATCH', 'one/first', { b: 2 })).toEqual([200, { first: { b: 2 } }]);
      expect(await outcome('GET', 'one/first')).toEqual([200, { b: 2 }]);
      expect(await outcome('DELETE', 'one/first')).toEqual([200, { success: true }]);
      expect(await outcome('DELETE', 'one/first')).toEqual([200, { success: false }]);
      expect(await outcome('GET', 'one/first')).toEqual([404, "No value found for key 'first'."]);
    });

    it('takes slashes of an address for dots', async () => {
      expect(await outcome('PUT', 'one/a/b/c', { x: 1 })).toEqual([200, { 'a.b.c': { x: 1 } }]);
      for (const path of ['a/b/c', 'a.b.c', 'a/b.c'])
        expect(await outcome('GET', `one/${path}`)).toEqual([200, { x: 1 }]);
      expect(await outcome('GET', 'one/A/b/c')).toEqual([404, "No value found for key 'A.b.c'."]);
    });

    it('keeps a text, and a single JSON value, as a text', async () => {
      const text = { 'content-type': 'text/plain' };
      expect(await outcome('PUT', 'one/text', 'one, two\n', text)).toEqual([200, { text: 'one, two\n' }]);
      expect(await outcome('GET', 'one/text')).toEqual([200, 'one, two\n']);
      for (const [json, kept] of [
        ['5', '5'],
        ['true', 'true'],
        ['"word"', 'word'],
        ['1.5', '1.5'],
      ] as const) {
        await outcome('PUT', 'one/single', json, { 'content-type': 'application/json' });
        expect(await outcome('GET', 'one/single')).toEqual([200, kept]);
      }
    });

    it('stores several at once, of which none may be there for a POST', async () => {
      expect(await outcome('POST', 'one', { p: 1, q: 'two' })).toEqual([201, { success: true }]);
      expect(await outcome('POST', 'one', { o: 1, q: 2, p: 3 })).toEqual([
        400,
        'Nothing was stored in cache. One or more key(s) already exists (q,p)',
      ]);
      expect((await outcome('GET', 'one/o'))[0]).toBe(404);
      expect(await outcome('GET', 'one/p')).toEqual([200, 1]);
      expect(await outcome('PUT', 'one', { o: 1, 'q/r': [2] })).toEqual([200, { success: true }]);
      expect(await outcome('GET', 'one/q/r')).toEqual([200, [2]]);
      expect(await outcome('PATCH', 'one', { o: { z: 1 } })).toEqual([200, { success: true }]);
      expect(await outcome('GET', 'one/o')).toEqual([200, { z: 1 }]);
    });

    it('answers the default where there is nothing, and takes a value away with clear and pull', async () => {
      expect(await outcome('GET', 'one/none?default=x')).toEqual([200, 'x']);
      expect(await outcome('GET', 'one/none?default=')).toEqual([404, "No value found for key 'none'."]);
      for (const word of ['clear', 'pull']) {
        await ask('PUT', 'one/taken', { body: { v: word } });
        expect(await outcome('GET', `one/taken?${word}=true&default=x`)).toEqual([200, { v: word }]);
        expect(await outcome('GET', `one/taken?${word}=true&default=x`)).toEqual([200, 'x']);
      }
      await ask('PUT', 'one/taken', { body: { v: 1 } });
      const all = await Promise.all(Array.from({ length: 8 }, () => ask('GET', 'one/taken?clear=true')));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('stores one of many POSTs at once', async () => {
      const all = await Promise.all(Array.from({ length: 8 }, (_, n) => ask('POST', 'one/race', { body: { n } })));
      expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
      const winner = all.find(({ status }) => status === 201)?.body.race;
      expect(await outcome('GET', 'one/race')).toEqual([200, winner]);
    });

    it('refuses what is no key, no value and no time', async () => {
      const noKey = (act: string) => `No key/resource provide. Please provide a cache key to ${act}.`;
      expect(await outcome('GET', 'one')).toEqual([400, noKey('retrieve')]);
      expect(await outcome('DELETE', 'one')).toEqual([400, noKey('delete')]);
      const noValue = 'No value/payload provided to store in cache.';
      for (const body of [undefined, {}, [], ''])
        for (const path of ['one/empty', 'one']) expect(await outcome('PUT', path, body)).toEqual([400, noValue]);
      expect(await outcome('POST', 'one', { a: null })).toEqual([400, noValue]);
      expect(await outcome('POST', 'one', [1])).toEqual([
        400,
        'Invalid payload provided. Please provide a key/value pair.',
      ]);
      for (const ttl of ['0', '-1', '1.5', 'soon', '99999999'])
        expect((await outcome('PUT', `one/timed?ttl=${ttl}`, { a: 1 }))[1]).toMatch(/^The ttl must be a whole number/);
      const badKey = 'A cache key has 1 to 200 bytes and no control characters.';
      for (const key of ['a%0d%0ab', 'a%7f', 'k'.repeat(201), '%E2%82%AC'.repeat(67)]) {
        expect(await outcome('GET', `one/${key}`)).toEqual([400, badKey]);
        expect(await outcome('PUT', `one/${key}`, { a: 1 })).toEqual([400, badKey]);
        expect(await outcome('DELETE', `one/${key}`)).toEqual([400, badKey]);
        expect(await outcome('PUT', 'one', { [decodeURIComponent(key)]: 1 })).toEqual([400, badKey]);
      }
      for (const key of ['a\0b', '']) expect(await outcome('PUT', 'one', { [key]: 1 })).toEqual([400, badKey]);
      expect((await outcome('GET', 'one/timed'))[0]).toBe(404);
    });

    it('takes every key that is one, apart from each other', async () => {
      const keys = [
        'a b',
        'ä',
        '€'.repeat(66),
        '#',
        '%23',
        '*',
        '__proto__',
        "'",
        '"',
        '\\',
        '{x}',
        'K'.repeat(200),
        'k ',
      ];
      for (const [n, key] of keys.entries())
        expect(await outcome('PUT', `one/${encodeURIComponent(key)}`, { n })).toEqual([200, { [key]: { n } }]);
      for (const [n, key] of keys.entries())
        expect([key, ...(await outcome('GET', `one/${encodeURIComponent(key)}`))]).toEqual([key, 200, { n }]);
    });

    it('bounds the size of a value and the number of a call', async () => {
      const large = 'x'.repeat(900_000);
      expect((await ask('PUT', 'one/large', { body: { large } })).status).toBe(200);
      expect((await ask('GET', 'one/large')).body).toEqual({ large });
      const [status, message] = await outcome('PUT', 'one/large', { large: 'x'.repeat(1_048_576) });
      expect([status, message]).toEqual([
        400,
        expect.stringMatching(/^The value of the key 'large' has more than \d+ bytes/),
      ]);
      const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`m${index}`, 1]));
      expect(await outcome('PUT', 'one', many)).toEqual([400, 'At most 1000 values are stored at once.']);
    });

    it('abuse: a service reaches no values of another one on the same server', async () => {
      await ask('PUT', 'one/mine', { body: { secret: 1 } });
      expect((await outcome('GET', 'two/mine'))[0]).toBe(404);
      expect(await outcome('DELETE', 'two/mine')).toEqual([200, { success: false }]);
      expect((await outcome('POST', 'two/mine', { other: 1 }))[0]).toBe(201);
      expect(await outcome('GET', 'one/mine')).toEqual([200, { secret: 1 }]);
    });

    it('abuse: a role decides for a key however it is written, and in every body', async () => {
      const id = (await ask('GET', 'system/service?filter=name=one')).body.resource[0].id;
      const rows = [
        { service_id: id, component: '*', verb_mask: 31 },
        { service_id: id, component: 'secret/x', verb_mask: 0 },
        { service_id: id, component: 'a/b.c', verb_mask: 0 },
        { service_id: id, component: 'dotted.key', verb_mask: 1 },
      ];
      const role = await platform.create('role', { name: type, is_active: true, role_service_access_by_role_id: rows });
      const app = await platform.create('app', { name: type, is_active: true });
      const user = await platform.create('user', { email: `${type}@b.example`, password: 'pass word' });
      await ask('PATCH', `system/user/${user.id}?related=user_to_app_to_role_by_user_id`, {
        body: { user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }] },
      });
      const options = { key: String((app as { api_key?: string }).api_key), token: await platform.tokenOf(user.id) };
      const as = async (verb: string, path: string, body?: unknown) =>
        (await ask(verb, path, { ...options, body })).status;
      await ask('PUT', 'one', { body: { 'secret.x': 1, 'dotted.key': 2, open: 3, 'a.b.c': 4 } });
      for (const path of [
        'one/secret/x',
        'one/secret.x',
        'one/SECRET.x',
        'one/secret.x/',
        'one/secret.x?default=1',
        'one/a/b/c',
      ])
        expect([path, await as('GET', path)]).toEqual([path, 403]);
      for (const verb of ['POST', 'PUT', 'PATCH'])
        for (const key of ['secret.x', 'secret/x', 'dotted/key', 'dotted.key'])
          expect([verb, key, await as(verb, 'one', { open: 1, [key]: 1 })]).toEqual([verb, key, 403]);
      for (const path of ['one/dotted.key', 'one/dotted/key']) {
        expect(await as('GET', path)).toBe(200);
        // The right to read is not the right to delete.
        expect(await as('GET', `${path}?clear=true`)).toBe(403);
        expect(await as('DELETE', path)).toBe(403);
      }
      expect(await as('GET', 'one/open')).toBe(200);
      expect(await as('GET', 'two/open')).toBe(403);
      expect(await outcome('GET', 'one')).toEqual([400, expect.any(String)]);
      expect((await ask('GET', 'one?as_access_list=true', options)).body).toEqual({ resource: ['', '*'] });
      expect(await outcome('GET', 'one/dotted.key')).toEqual([200, 2]);
    });

    it('raises events, and scripts run at them', async () => {
      const events = (await ask('GET', 'system/event?service=one')).body.one;
      expect(Object.keys(events)).toContain('one.{key}');
      const content = 'event.response.content = {seen: event.response.content, key: event.resource};';
      const script = {
        name: 'one.{key}.get.post_process',
        type: 'v8js',
        is_active: true,
        allow_event_modification: true,
      };
      await platform.create('event_script', { ...script, content });
      await ask('PUT', 'one/watched', { body: { a: 1 } });
      expect((await ask('GET', 'one/watched')).body).toMatchObject({ seen: { a: 1 } });
      await ask('DELETE', `system/event_script/${encodeURIComponent(script.name)}`);
    });

    it('is tried without being saved', async () => {
      const record = (await ask('GET', 'system/service?filter=name=one')).body.resource[0];
      expect(await outcome('POST', `system/service/${record.id}/_test`, {})).toEqual([200, { success: true }]);
      for (const default_ttl of [0, -5, 99_999_999]) {
        const [status, message] = await outcome('PATCH', `system/service/${record.id}`, { config: { default_ttl } });
        expect([status, message]).toEqual([400, expect.stringContaining('default_ttl must be between 1 and')]);
      }
    });
  });
}
