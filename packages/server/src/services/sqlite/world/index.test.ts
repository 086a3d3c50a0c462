import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, testContext } from '../../../database/fixture/call.fixture.ts';
import { configOf } from '../../../database/fixture/sqlite.ts';
import type { Service } from '../../../service/service.ts';
import { sqlite } from '../index.ts';
import { ensureWorld, makeWorld } from './index.ts';
import { sampleTables } from './rows.ts';

let folder: string;
let service: Service;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-world-'));
  service = await sqlite.open(configOf({ database: await ensureWorld(folder) }), testContext(folder));
});
afterAll(async () => {
  await service.close?.();
  await rm(folder, { recursive: true, force: true });
});

const read = <T>(file: string, sql: string, then: (rows: unknown[][]) => T): T => {
  const database = openSqlite(file);
  try {
    return then(database.run(sql).rows);
  } finally {
    database.close();
  }
};
const file = () => join(folder, 'db', 'world.sqlite');

describe('world', () => {
  it('has 100,000 rows in six tables', async () => {
    const counts = await Promise.all(
      sampleTables.map(
        async ({ name }) => (await ask(service, `GET _table/${name}`, { query: { count_only: 'true' } })).body,
      ),
    );
    expect(counts).toHaveLength(6);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100_000);
  });

  it('keeps every reference', () => {
    expect(read(file(), 'PRAGMA foreign_key_check', (rows) => rows)).toEqual([]);
  });

  it('has orders that cost what their lines do', () => {
    const wrong = `SELECT o.id FROM orders o JOIN order_items i ON i.order_id = o.id GROUP BY o.id
      HAVING abs(o.total - sum(i.quantity * i.unit_price * (1 - ifnull(i.discount, 0)))) > 0.01`;
    expect(read(file(), wrong, (rows) => rows)).toEqual([]);
  });

  it('is alike wherever it is made', async () => {
    const other = join(folder, 'again.sqlite');
    await makeWorld(other);
    for (const { name } of sampleTables) {
      const rows = (path: string) => read(path, `SELECT * FROM ${name} ORDER BY 1, 2 LIMIT 300`, (found) => found);
      expect(rows(other)).toEqual(rows(file()));
    }
  });

  it('shows every kind of value on the wire', async () => {
    const { body } = await ask(service, 'GET _table/people/1');
    expect(body).toMatchObject({ id: 1, card_number: '9007199254748912', is_subscribed: expect.any(Boolean) });
    const country = await ask(service, 'GET _table/countries/CI');
    expect(country.body).toMatchObject({ name: 'Côte d’Ivoire', population: 28_873_000, is_landlocked: false });
    expect(Buffer.from(country.body.flag, 'base64').subarray(0, 2).toString()).toBe('BM');
  });

  it('is related: every table but one refers to another', async () => {
    const described = await Promise.all(sampleTables.map(({ name }) => ask(service, `GET _schema/${name}`)));
    const kinds = described.map(({ body }) => body.related.map(({ type }: { type: string }) => type));
    expect(kinds.every((list) => list.length > 0)).toBe(true);
  });

  it('is made once, and leaves nothing half made', async () => {
    await writeFile(file(), 'changed by its owner');
    expect(await ensureWorld(folder)).toBe('world.sqlite');
    expect(await readFile(file(), 'utf8')).toBe('changed by its owner');
    expect((await readdir(join(folder, 'db'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
