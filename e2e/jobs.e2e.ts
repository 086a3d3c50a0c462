// Jobs: what waits and what failed is seen, tried again and removed, by keyboard alone.
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, type Instance, signIn, test } from './instance.ts';
import { openStore } from './store.ts';

/** Adds jobs of a kind that nobody does, so that they stay as they are; `letter` is none of the platform's. */
function addJobs(instance: Instance, jobs: { state: string; error?: string; hoursAgo?: number }[]): void {
  const store = openStore(instance);
  const insert = store.prepare(
    'insert into job (name, state, attempts, run_at, error, created_date, payload) values (?, ?, ?, ?, ?, ?, ?)',
  );
  for (const { state, error = null, hoursAgo = 0 } of jobs) {
    const due = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
    insert.run('letter', state, error ? 8 : 0, due, error, due, 'enc:v1:x');
  }
  store.close();
}

const main = (page: Page) => page.getByRole('main');
const rows = (page: Page) => main(page).getByRole('table', { name: 'Jobs' }).locator('tbody tr');
const names = (page: Page) => rows(page).locator('[data-row-link]');
/** Presses Tab until something has the focus, as one does who has no pointer. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (name.test(focused)) return;
  }
  throw new Error(`Tab does not get to ${name}.`);
}

test('jobs that failed are found, tried again and removed by keyboard', async ({ page, instance }) => {
  test.slow();
  addJobs(instance, [
    { state: 'failed', error: 'The oldest.', hoursAgo: 3 },
    { state: 'failed', error: 'The middle one.', hoursAgo: 2 },
    { state: 'failed', error: 'The newest.', hoursAgo: 1 },
  ]);
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await expect(page.getByRole('region', { name: 'Failed jobs' })).toContainText('3 jobs failed for good');
  await page.getByRole('link', { name: 'Show failed jobs' }).press('Enter');
  await expect(page).toHaveURL(`${instance.url}/jobs?state=failed`);
  await expect(rows(page)).toHaveCount(3);
  for (const [index, reason] of ['The newest.', 'The middle one.', 'The oldest.'].entries())
    await expect(rows(page).nth(index)).toContainText(reason);
  await expect(rows(page).first()).toContainText('8 times');
  await expectAccessible(page, 'failed jobs');

  // The newest is tried again, and goes to what waits; the row in its place has the focus.
  await page.keyboard.press('/');
  await page.keyboard.press('ArrowDown');
  await expect(names(page).first()).toBeFocused();
  await tabTo(page, /^Try letter #\d+ again$/);
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(2);
  await expect(main(page).getByRole('link', { name: 'Failed (2)' })).toBeVisible();
  await expect(names(page).first()).toBeFocused();

  // Another one fails meanwhile: it is seen without doing anything, and what was ticked and has the focus stays so.
  await page.keyboard.press('Space');
  await expect(main(page).getByRole('status')).toHaveText('1 selected');
  addJobs(instance, [{ state: 'failed', error: 'Only just.' }]);
  await expect(rows(page)).toHaveCount(3, { timeout: 15_000 });
  await expect(rows(page).first()).toContainText('Only just.');
  await expect(names(page).nth(1)).toBeFocused();
  await expect(rows(page).nth(1).getByRole('checkbox')).toBeChecked();

  // Two are removed after the question; Cancel has the focus in it.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await main(page).getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Remove 2 jobs?' });
  await expect(question).toContainText('is never done');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, 'the question');
  await question.getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Only just.');

  await main(page).getByRole('button', { name: 'Try the failed one again' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(main(page).getByRole('heading', { name: 'Nothing failed' })).toBeVisible();
  const { body } = await instance.api('GET', 'system/job?filter=name%20%3D%20%22letter%22');
  expect(body.resource).toEqual(Array(2).fill(expect.objectContaining({ state: 'waiting', attempts: 0, error: null })));

  // Scheduled work says when it is done, and cannot be removed.
  await main(page)
    .getByRole('link', { name: /^Waiting/ })
    .press('Enter');
  const purge = rows(page).filter({ hasText: 'purge audit' });
  await expect(purge).toContainText('Every hour at minute 37');
  await expect(purge.getByRole('button')).toHaveCount(1);
  await instance.api('DELETE', `system/job?ids=${body.resource.map(({ id }: { id: number }) => id)}`);
});

test('a job that is begun meanwhile is left alone, and says so at its place', async ({ page, instance }) => {
  addJobs(instance, [{ state: 'failed', error: 'No more.' }]);
  await signIn(page, instance);
  await page.goto(`${instance.url}/jobs?filter=letter`);
  await expect(rows(page)).toHaveCount(1);
  const store = openStore(instance);
  const setState = (state: string) => store.prepare("update job set state = ? where name = 'letter'").run(state);
  await page.route(/system\/job\?continue/, (route) => {
    setState('running');
    return route.continue();
  });
  await rows(page).getByRole('button', { name: /^Try/ }).press('Enter');
  await expect(rows(page)).toContainText('is being worked on: wait until it has ended.');
  await expect(rows(page)).toContainText('Running');
  await expect(rows(page).getByRole('button')).toHaveCount(0);
  setState('failed');
  store.close();
  await instance.api(
    'DELETE',
    `system/job?ids=${(await instance.api('GET', 'system/job?filter=name%20%3D%20%22letter%22')).body.resource[0].id}`,
  );
});
