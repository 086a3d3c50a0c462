// A call whose token, key, role and service are known asks the store nothing; runs on each engine (vitest.config.ts).
import { afterEach, beforeEach, expect, it } from 'vitest';
import { people, portalKey, type TestInstance, testInstance } from './test-instance.ts';

let instance: TestInstance;
beforeEach(async () => {
  instance = await testInstance();
  await people(instance);
});
afterEach(() => instance.close());

it('reads nothing for who was seen before, and reads again after a change', async () => {
  const { body } = await instance.ask('session', {
    verb: 'POST',
    body: { email: 'jo@example.com', password: 'correct horse' },
    apiKey: portalKey,
  });
  const credentials = { token: String(body.session_token), apiKey: portalKey };
  const identify = () => instance.identity.identify(credentials, { requestor: 'API' });
  await identify();

  const asked: string[] = [];
  const { db } = instance.store;
  const { executeQuery, selectFrom } = { executeQuery: db.executeQuery, selectFrom: db.selectFrom };
  // The bus of some engines looks at its own table now and then.
  db.selectFrom = ((table: string) => {
    if (table !== 'change_notice') asked.push(table);
    return selectFrom.call(db, table as never);
  }) as never;
  db.executeQuery = ((query: never) => {
    asked.push('query');
    return executeQuery.call(db, query);
  }) as never;
  for (let at = 0; at < 20; at++) expect((await identify()).role?.name).toBe('reader');
  expect(asked).toEqual([]);

  await instance.store.bus.publish({ table: 'user', ids: [2] });
  await identify();
  expect(asked).toContain('user');
});
