// Databases nobody here designed: what Chromium keeps in its own profile. Each is connected and read whole.
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { chromium } from '@playwright/test';
import { fullBrowser } from './browser.ts';
import { expect, test } from './instance.ts';
import config from './playwright.config.ts';
import { readAndPutBack } from './put-back.ts';

async function sqliteFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((file) => file.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const file = await open(path).catch(() => undefined);
    const { buffer } = (await file?.read(Buffer.alloc(16), 0, 16, 0)) ?? { buffer: Buffer.alloc(0) };
    await file?.close();
    if (buffer.toString('latin1') === 'SQLite format 3\0') found.push(path);
  }
  return found;
}

test('databases of a browser profile are listed, described and read at once', async ({ instance }) => {
  test.setTimeout(120_000);
  const profile = await mkdtemp(join(tmpdir(), 'sluice-profile-'));
  try {
    const browser = await chromium.launchPersistentContext(profile, {
      ...config.use?.launchOptions,
      ...(fullBrowser ? { executablePath: fullBrowser } : {}),
    });
    const page = await browser.newPage();
    await page.goto(`${instance.url}/login`);
    await page
      .context()
      .addCookies([{ name: 'kept', value: 'yes', url: instance.url, expires: Date.now() / 1000 + 9999 }]);
    await browser.close();

    const files = await sqliteFiles(profile);
    expect(files.length).toBeGreaterThan(4);
    const tables: string[] = [];
    for (const [index, database] of files.entries()) {
      const name = `profile_${index}`;
      const creation = await instance.api('POST', 'system/service', {
        resource: [{ name, label: basename(database), type: 'sqlite', is_active: true, config: { database } }],
      });
      expect([database, creation.status]).toEqual([database, 201]);
      const list = await instance.api('GET', `${name}/_table?as_list=true`);
      expect([database, list.status]).toEqual([database, 200]);
      for (const table of list.body.resource as string[]) {
        const path = encodeURIComponent(table);
        const schema = await instance.api('GET', `${name}/_schema/${path}`);
        const records = await instance.api('GET', `${name}/_table/${path}?limit=5&include_count=true`);
        expect([table, schema.status, records.status]).toEqual([table, 200, 200]);
        expect(records.body.meta.count).toBeGreaterThanOrEqual(records.body.resource.length);
        const fields = schema.body.field.map((field: { name: string }) => field.name);
        for (const record of records.body.resource) expect(Object.keys(record)).toEqual(fields);
        tables.push(`${basename(database)}.${table}`);
      }
      await readAndPutBack(instance, name, list.body.resource);
    }
    expect(tables).toContain('Cookies.cookies');
    expect(tables).toContain('History.urls');
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
});
