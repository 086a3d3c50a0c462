// A cache in the store of the instance: shared by processes, bounded, gone with its service.
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeCache } from '../../caches/cache-suite.fixture.ts';
import { openStoredValues, purgeStoredValues } from './stored-values.ts';

describeCache('cache_local', undefined);

describe('values in the store', () => {
  let platform: TestPlatform;
  let id: number;
  beforeAll(async () => {
    platform = await startPlatform();
    ({ id } = await platform.create('service', { name: 'one', label: 'One', type: 'cache_local', is_active: true }));
  });
  afterAll(() => platform?.stop());

  const rows = () => platform.store.db.selectFrom('cache_value').selectAll().execute();
  const ask = async (verb: string, path: string, body?: unknown) => (await platform.ask(verb, path, { body })).status;

  it('end when their time is over, and others never do', async () => {
    await ask('PUT', 'one/short?ttl=1', { a: 1 });
    await ask('PUT', 'one/usual', { a: 1 });
    await ask('PUT', 'one/always?forever=true', { a: 1 });
    const ends = (await rows()).map(({ expires_at }) => Math.round((Date.parse(expires_at) - Date.now()) / 60_000));
    expect(ends.sort((a, b) => a - b).slice(0, 2)).toEqual([1, 300]);
    expect(ends.at(-1)).toBeGreaterThan(1_000_000_000);
    const past = new Date(Date.now() - 1).toISOString();
    await platform.store.db
      .updateTable('cache_value')
      .set({ expires_at: past })
      .where('expires_at', '<', '9')
      .execute();
    expect(await ask('GET', 'one/short')).toBe(404);
    expect(await ask('GET', 'one/always')).toBe(200);
    expect((await platform.ask('DELETE', 'one/short')).body).toEqual({ success: false });
    // What has ended is not in the way of a new one.
    expect(await ask('POST', 'one/short', { b: 1 })).toBe(201);
    await purgeStoredValues(platform.store.db);
    expect(await rows()).toHaveLength(2);
  });

  it('are kept as long as the service says', async () => {
    await platform.ask('PATCH', `system/service/${id}`, { body: { config: { default_ttl: 7, store: 'file' } } });
    await ask('PUT', 'one/seven', { a: 1 });
    const row = (await rows()).sort((a, b) => a.expires_at.localeCompare(b.expires_at))[0];
    expect(Math.round((Date.parse(row?.expires_at ?? '') - Date.now()) / 60_000)).toBe(7);
  });

  it('make room for others, those first that end first', async () => {
    const { store } = platform;
    const record = { name: 'small', label: 'Small', type: 'cache_local', is_active: true };
    const small = await platform.create('service', record);
    const values = openStoredValues(store as never, small.id, { values: 10, bytes: 1_000 });
    for (let n = 0; n < 41; n++) await values.put([[`n${n}`, '1']], 1_000 + n);
    const kept = [];
    for (let n = 0; n < 41; n++) if ((await values.get(`n${n}`)) !== undefined) kept.push(n);
    expect(kept).toEqual(Array.from({ length: 10 }, (_, index) => 31 + index));
    for (let n = 0; n < 20; n++) await values.put([[`b${n}`, `"${'x'.repeat(300)}"`]], 5_000 + n);
    await values.put([['last', '1']], 9_000);
    const own = (await rows()).filter(({ service_id }) => service_id === small.id);
    const bytes = own.reduce((sum, row) => sum + Number(row.bytes), 0);
    expect(bytes).toBeLessThanOrEqual(1_000);
    expect(await values.get('last')).toBe('1');
  });

  it('outlive their process, and go with their service', async () => {
    const { data, databaseUrl } = platform.settings;
    await ask('PUT', 'one/kept?forever=true', { a: 1 });
    const again = await startPlatform({ data, databaseUrl });
    expect((await again.ask('GET', 'one/kept')).body).toEqual({ a: 1 });
    await again.ask('DELETE', `system/service/${id}`);
    const left = await again.store.db.selectFrom('cache_value').selectAll().execute();
    expect(left.filter(({ service_id }) => service_id === id)).toEqual([]);
    await again.stop();
  });
});
