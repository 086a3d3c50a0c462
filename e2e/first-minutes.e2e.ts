// The README's "Two minutes", done as it says by somebody who types: from an instance that nobody has seen to a call with a key.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { field } from './databases.ts';
import { expect, startInstance, test } from './instance.ts';

const run = promisify(execFile);
/** Milliseconds a key takes at forty words a minute. */
const keyTime = 300;

test('from a fresh instance to a first call with a key of its own: the steps of the README', async ({
  page,
}, testInfo) => {
  test.setTimeout(180_000);
  const instance = await startInstance();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-first-minutes-'));
  const shop = join(folder, 'shop.sqlite');
  const begun = performance.now();
  let keys = 0;
  let presses = 0;
  const type = async (input: ReturnType<typeof page.getByLabel>, text: string, isPasted = false) => {
    await input.fill(text);
    keys += isPasted ? 2 : text.length;
    presses++;
  };
  const press = async (target: ReturnType<typeof page.getByLabel>) => {
    await target.click();
    presses++;
  };
  try {
    await run(process.execPath, ['examples/make-shop.mjs', shop]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: instance.url });
    await page.goto(instance.url);
    await type(page.getByLabel('One-time code'), /set-up code ([A-Z0-9-]+)/.exec(instance.output())?.[1] ?? '', true);
    await type(page.getByLabel('First name'), 'Ada');
    await type(page.getByLabel('Last name'), 'Lovelace');
    await type(page.getByLabel('Email'), 'ada@example.com');
    await type(page.getByLabel('Password', { exact: true }), 'correct horse');
    await type(page.getByLabel('Repeat the password'), 'correct horse');
    await press(page.getByRole('button', { name: 'Create the administrator' }));

    const steps = page.getByRole('region', { name: 'Your way to the first call' });
    await press(steps.getByRole('link', { name: 'Connect a database' }));
    await type(page.getByLabel('Connection address'), shop, true);
    await page.keyboard.press('Enter');
    await expect(field(page, 'Name')).toHaveValue('shop');
    await press(page.getByRole('button', { name: 'Save', exact: true }));

    await press(page.getByRole('link', { name: 'See its data' }));
    await press(page.getByRole('link', { name: 'product' }).first());
    await expect(page.getByText('Green tea')).toBeVisible();

    await press(page.getByRole('main').getByRole('button', { name: 'Create API key' }));
    const dialog = page.getByRole('dialog');
    await press(dialog.getByRole('button', { name: 'Create API key' }));
    await press(dialog.getByRole('button', { name: 'Copy the code' }));
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const { stdout } = await run('bash', ['-c', command]);
    expect(JSON.parse(stdout).resource).toContainEqual(expect.objectContaining({ name: 'Green tea' }));
    testInfo.annotations.push({
      type: 'first call',
      description: `${keys} keys, ${presses} fields and buttons, ${Math.round(performance.now() - begun)} ms by machine`,
    });
    // A second and a half for each field and button beside the typing: under two minutes on screen.
    expect(keys * keyTime + presses * 1_500).toBeLessThan(120_000);

    await page.goto(`${instance.url}/home`);
    await expect(page.getByRole('link', { name: 'All services' })).toBeVisible();
    await expect(steps).toHaveCount(0);
  } finally {
    await instance.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
