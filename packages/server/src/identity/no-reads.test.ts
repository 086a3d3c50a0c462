// A call whose token, key, role and service are remembered reads nothing from the store; runs on each engine (vitest.config.ts).
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lookupOwner } from '../store/index.ts';
import { ids, insertPeople, openTestInstance, portalKey, type TestInstance } from './instance.fixture.ts';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openTestInstance();
  await insertPeople(instance);
});
afterEach(() => instance.close());

it('reads nothing for a caller seen before, and reads again after a change', async () => {
  const { body } = await instance.ask('session', {
    verb: 'POST',
    body: { email: 'jo@example.com', password: 'correct horse' },
    apiKey: portalKey,
  });
  const defaults = { name: 'team', description: null, private: 0, app_id: null, role_id: null, user_id: null };
  const { db } = instance.store;
  const addKey = (key: Record<string, unknown>) =>
    db
      .insertInto('lookup')
      .values({ ...defaults, ...key, owner: lookupOwner(key) } as never)
      .execute();
  await addKey({ value: 'red' });
  await instance.store.bus.publish({ table: 'lookup' });
  const credentials = { token: String(body.session_token), apiKey: portalKey };
  const identify = () => instance.identity.identify(credentials, { requestor: 'API' });
  await identify();

  const reads: string[] = [];
  const { executeQuery, selectFrom } = { executeQuery: db.executeQuery, selectFrom: db.selectFrom };
  // The bus of some engines looks at its own table now and then.
  db.selectFrom = ((table: string) => {
    if (table !== 'change_notice') reads.push(table);
    return selectFrom.call(db, table as never);
  }) as never;
  db.executeQuery = ((query: never) => {
    reads.push('query');
    return executeQuery.call(db, query);
  }) as never;
  for (let round = 0; round < 20; round++) {
    const { role, lookups } = await identify();
    expect([role?.name, lookups.get('team')]).toEqual(['reader', 'red']);
  }
  expect(reads).toEqual([]);

  await instance.store.bus.publish({ table: 'user', ids: [2] });
  await identify();
  expect(reads).toContain('user');
  expect(reads).not.toContain('role');

  await addKey({ value: 'blue', user_id: ids.jo });
  await instance.store.bus.publish({ table: 'lookup' });
  expect((await identify()).lookups.get('team')).toBe('blue');
  expect(reads).toContain('lookup');
});
