// The React app of examples/, on the client that `npm run client` writes for it: the steps of its README.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createServer } from 'vite';
import { expect, test } from './instance.ts';
import { admin } from './server.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

test('the React app signs in, searches, turns pages, and changes a record', async ({ page, instance }) => {
  const key = await instance.api('POST', 'system/app/_key', { name: 'cities', access: 'write', service: 'world' });
  expect(key.status).toBe(201);
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache', 'react-app-'));
  await cp(join(root, 'examples/react-app'), folder, {
    recursive: true,
    filter: (path) => !/node_modules|dist|sluice\.ts/.test(path.slice(root.length)),
  });
  const out = join(folder, 'src/sluice.ts');
  await run(process.execPath, ['scripts/client.mjs', instance.url, '--service', 'world', '--out', out], {
    cwd: root,
    env: { ...process.env, SLUICE_KEY: key.body.api_key },
  });
  const proxy = { '/api': instance.url };
  const app = await createServer({ root: folder, logLevel: 'error', server: { host: '127.0.0.1', port: 0, proxy } });
  try {
    await app.listen();
    await page.goto(app.resolvedUrls?.local[0] ?? '');
    await page.getByLabel('Email').fill(admin.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByLabel('as an administrator').check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toHaveText('Invalid credentials supplied.');
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();

    // The dev server compiles what the page imports when it is asked for.
    await expect(page.getByText('3000 cities')).toBeVisible({ timeout: 30_000 });
    const first = page.getByRole('row').nth(1);
    const before = await first.textContent();
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(first).not.toHaveText(before ?? '');
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(first).toHaveText(before ?? '');

    await page.getByLabel('Name contains').fill('berlin');
    await expect(page.getByRole('row', { name: 'Berlin Germany' })).toBeVisible();
    const population = page.getByLabel('Population of Berlin', { exact: true });
    const old = await population.inputValue();
    await population.fill('1234567');
    await population.blur();
    const stored = async () =>
      (await instance.api('GET', "world/_table/cities?filter=name='Berlin'&fields=population")).body.resource[0]
        .population;
    await expect.poll(stored).toBe(1234567);
    await population.fill(old);
    await population.blur();
    await expect.poll(stored).toBe(Number(old));

    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
    await instance.api('DELETE', `system/app/${key.body.app_id}`);
    await instance.api('DELETE', `system/role/${key.body.role_id}`);
  }
});
