import { expect, it } from 'vitest';
import { answer } from '../call/call.ts';
import { createValueCaches } from '../service/value-cache.ts';
import { answerCache } from './answer-cache.ts';
import { admin, fakeCall, type TestRequest, user } from './fixture/call.fixture.ts';

it('keeps an answer for each caller with the same query in the same place (contract/database-tables.md §12)', async () => {
  const cache = answerCache({ cache_enabled: true, cache_ttl: 1 }, { cache: createValueCaches()() })!;
  let calls = 0;
  const get = (request: TestRequest, set = {}) =>
    cache.get({ ...fakeCall('GET', '_table/t', request), ...set }, async () => answer(++calls));
  const query = { filter: "url like '{df.host_url}%'", fields: '*' };
  await get({ query });
  await get({ query: { filter: query.filter } });
  expect(calls).toBe(1);
  await get({ query: { ...query, refresh: 'true' } });
  await get({ query, as: user({ '*': 31 }) });
  // `{df.host_url}` is what the Host header says: a made-up one must not decide the answers of others.
  await get({ query, as: admin }, { baseUrl: 'http://made.up' });
  expect(calls).toBe(4);
  // Rows of a role may be for scripts alone.
  await get({ query, as: { ...admin, requestor: 'SCRIPT' } });
  expect(calls).toBe(5);
});

it('is off unless it is configured', () => {
  for (const config of [{}, { cache_enabled: true }, { cache_ttl: 5 }, { cache_enabled: true, cache_ttl: 0 }])
    expect(answerCache(config, { cache: createValueCaches()() })).toBeUndefined();
});
