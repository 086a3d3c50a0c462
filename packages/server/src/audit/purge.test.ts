// How long the audit is kept; runs on each engine of the store (vitest.config.ts).
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestInstance, type TestInstance } from '../identity/instance.fixture.ts';
import { unknownActor, writeAuditEntries } from './entry.ts';
import { purgeAudit } from './purge.ts';

let instance: TestInstance;
beforeEach(async () => {
  // Of itself it keeps everything, until a test says otherwise.
  instance = await openTestInstance({ auditDays: 0 });
});
afterEach(() => instance.close());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const entry = (days: number) => ({
  ...unknownActor,
  created_date: daysAgo(days),
  action: 'sign_in' as const,
  resource: 'user',
  record_id: null,
  record_name: String(days),
});
const remainingNames = async () =>
  (await instance.store.db.selectFrom('audit').select('record_name').orderBy('id').execute()).map(
    (entry) => entry.record_name,
  );
const fill = async (...days: number[]) => {
  for (let at = 0; at < days.length; at += 500)
    await writeAuditEntries(instance.store.db, ...days.slice(at, at + 500).map(entry));
};

it('is so many days; older entries go', async () => {
  await fill(200, 91, 89.9, 1, 90.1);
  await purgeAudit(instance.store, 90);
  expect(await remainingNames()).toEqual(['89.9', '1']);
});

it('is for ever with 0', async () => {
  await fill(5_000);
  await purgeAudit(instance.store, 0);
  expect(await remainingNames()).toEqual(['5000']);
});

it('ends for thousands of entries too, in statements of a thousand, by several processes at once', async () => {
  await fill(...Array.from({ length: 2_500 }, () => 100), 1);
  const { db } = instance.store;
  const deleteFrom = vi.spyOn(db, 'deleteFrom');
  await Promise.all([purgeAudit(instance.store, 90), purgeAudit(instance.store, 90)]);
  expect(await remainingNames()).toEqual(['1']);
  expect(deleteFrom.mock.calls.length).toBeGreaterThanOrEqual(3);
});

it('stops between two statements when the instance does', async () => {
  await fill(...Array.from({ length: 2_000 }, () => 100));
  let checks = 0;
  await purgeAudit(instance.store, 90, () => ++checks > 1);
  expect(await remainingNames()).toHaveLength(1_000);
});

it('acts once an hour, in one process of the instance', async () => {
  await instance.jobs.start();
  await fill(40, 20);
  // It is done when the instance is made; the next time is an hour later, or as soon as this test says.
  const job = () =>
    instance.store.db.selectFrom('job').select('run_at').where('name', '=', 'purge audit').executeTakeFirst();
  await vi.waitFor(async () => expect(Date.parse((await job())!.run_at)).toBeGreaterThan(Date.now()), 10_000);
  await instance.restart({ auditDays: 30 });
  await instance.store.db
    .updateTable('job')
    .set({ run_at: new Date().toISOString() })
    .where('name', '=', 'purge audit')
    .execute();
  await instance.jobs.start();
  await vi.waitFor(async () => expect(await remainingNames()).toEqual(['20']), 10_000);
});
