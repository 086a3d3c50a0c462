// `system/job`: what administrators see of jobs and do to them.
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, expect, it } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];
beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const run_at = '2026-01-20T12:00:00.000Z';
const addJob = (set: object = {}) =>
  system.store.insert(system.store.db, 'job', {
    ...{ name: 'mail', state: 'failed', attempts: 8, run_at, created_date: run_at, payload: 'enc:v1:x', error: 'gone' },
    ...set,
  } as never);

it('shows everything but what jobs work on and who has them', async () => {
  const id = await addJob({ worker: 'host:1', unique_key: 'k' });
  const { body } = await ask('GET', 'job');
  expect(body.resource).toEqual([
    {
      id,
      name: 'mail',
      state: 'failed',
      attempts: 8,
      run_at,
      schedule: null,
      subject: null,
      error: 'gone',
      created_date: run_at,
    },
  ]);
});

it('is no resource that older clients read of', async () => {
  const { body } = await ask('GET', '');
  expect(JSON.stringify(body)).not.toContain('"job"');
});

it('has a job tried again, from the first attempt on, at once', async () => {
  const id = await addJob();
  const { status, body } = await ask('PATCH', `job/${id}?fields=*`, { state: 'waiting' });
  expect([status, body]).toEqual([200, expect.objectContaining({ state: 'waiting', attempts: 0, error: null })]);
  expect(Date.parse(body.run_at)).toBeGreaterThan(Date.now() - 60_000);
});

it('takes no other state, and leaves what is running alone', async () => {
  const id = await addJob({ state: 'running' });
  for (const state of ['failed', 'running', 'done', ''])
    expect((await ask('PATCH', `job/${await addJob()}`, { state })).status).toBe(400);
  expect(await ask('PATCH', `job/${id}`, { state: 'waiting' })).toMatchObject({
    ...{ status: 409, body: { error: { message: "The job 'mail' is being worked on: wait until it has ended." } } },
  });
  expect((await ask('DELETE', `job/${id}`)).status).toBe(409);
});

it('removes jobs, but not what is done again and again; nobody makes one by a call', async () => {
  const ids = [await addJob(), await addJob({ state: 'waiting' })];
  expect((await ask('DELETE', `job?ids=${ids.join(',')}`)).status).toBe(200);
  const scheduled = await addJob({ name: 'purge audit', state: 'waiting', schedule: '37 * * * *' });
  expect(await ask('DELETE', `job/${scheduled}`)).toMatchObject({ status: 400 });
  for (const verb of ['POST', 'PUT'] as const)
    expect((await ask(verb, 'job', { resource: [{ name: 'mail', state: 'waiting' }] })).status).toBe(405);
});
