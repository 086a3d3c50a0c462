// Calls with a database service that make the server read or write much: the thread of all calls is not held up by one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProcess, type TestProcess } from '../../process.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-main-thread-'));
const admin = { email: 'ada@example.com', password: 'correct horse' };
let server: TestProcess;
let token = '';
beforeAll(async () => {
  const file = join(folder, 'yard.sqlite');
  const database = openSqlite(file, { create: true });
  database.exec(`CREATE TABLE parcel (id integer PRIMARY KEY, name text); INSERT INTO parcel VALUES (1, 'one')`);
  database.close();
  server = await startProcess({
    SLUICE_DATA: join(folder, 'data'),
    SLUICE_ADMIN_EMAIL: admin.email,
    SLUICE_ADMIN_PASSWORD: admin.password,
  });
  token = (await server.ask('POST', 'system/admin/session', { body: admin })).body.session_token;
  const service = { name: 'yard', label: 'Yard', type: 'sqlite', is_active: true, config: { database: file } };
  await server.ask('POST', 'system/service', { body: { resource: [service] }, token });
  // Starts the thread and compiles what follows: reading code takes the thread of all calls, too.
  for (let n = 0; n < 3; n++) await timed({ filter: `name = '${"x''".repeat(200_000)}'` });
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** An answer, and the seconds of CPU that the main thread took for it. */
async function measured(method: string, path: string, body: object) {
  const before = server.mainThreadTime();
  const answer = await server.ask(method, path, { body, token });
  return { answer, status: answer.status, taken: server.mainThreadTime() - before };
}

/** A list whose parameters are in the body. */
const timed = (parameters: object) => measured('POST', 'yard/_table/parcel?method=GET', parameters);

describe('abuse: a filter of 4 MB takes the thread of all calls for a moment only', () => {
  it.each<[what: string, status: number, filter: () => string]>([
    ['quotes', 200, () => `name = '${"'' ".repeat(1_200_000)}'`],
    ['nothing but quotes', 200, () => `name = '${"''".repeat(1_900_000)}'`],
    ['quotes in a list', 200, () => `name in ('${"''".repeat(1_900_000)}')`],
    ['ands in a value', 400, () => `name = ${'and '.repeat(970_000)}`],
    ['words that might be operators', 400, () => `name ${'x not '.repeat(600_000)}`],
  ])('%s', async (_, status, filter) => {
    const { answer, taken } = await timed({ filter: filter(), fields: 'id' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(taken).toBeLessThan(0.6);
  });
});

it('abuse: so does a text in which a lookup stands a million times, and one with more is refused', async () => {
  await server.ask('POST', 'system/lookup', { body: { resource: [{ name: 'a', value: 'bb' }] }, token });
  const write = (times: number) => measured('PATCH', 'yard/_table/parcel/1', { name: '{a}'.repeat(times) });
  await write(200_000);
  const [first, second] = [await write(1_000_000), await write(3_000_000)];
  expect([first.status, second.status]).toEqual([200, 400]);
  expect(Math.max(first.taken, second.taken)).toBeLessThan(0.6);
  const { body } = await server.ask('GET', 'yard/_table/parcel/1', { token });
  expect(body.name === 'bb'.repeat(1_000_000)).toBe(true);
});

it.each(['_schema', '_table', '_schema/parcel/_field'])(
  'abuse: names of %s in a list that is too long are not looked for',
  async (path) => {
    const ids = Array.from({ length: 10_001 }, () => 'parcel');
    const { status, body } = await server.ask('POST', `yard/${path}?method=GET`, { body: { ids }, token });
    expect([status, body.error.message]).toEqual([400, 'A batch may hold 10000 records at most.']);
  },
);

describe('abuse: so does a plan of 1,000 fields', () => {
  const itself = { ref_table: 'planned', ref_field: 'f0' };
  const pairs = Array.from({ length: 1000 }, (_, n) => ({
    constraint_type: 'FOREIGN KEY',
    column_name: `f${n},f${(n + 1) % 1000}`,
    referenced_table_name: 'planned',
    referenced_column_name: 'f0',
  }));
  it.each<[what: string, status: number, facts: (n: number) => object, constraints: object[]]>([
    ['with names of their own', 200, (n) => ({ type: 'string', label: `The field ${n}` }), []],
    ['that reference their own table', 200, (n) => ({ type: 'integer', is_primary_key: n === 0, ...itself }), []],
    ['and of what refers beside them', 400, () => ({ type: 'integer', ...itself }), pairs],
  ])('%s', async (_, status, facts, constraints) => {
    const field = Array.from({ length: 1000 }, (_, n) => ({ name: `f${n}`, ...facts(n) }));
    const call = {
      verb: 'POST',
      path: '_schema',
      body: { resource: [{ name: 'planned', field, constraints: { ...constraints } }] },
    };
    const plan = () => measured('POST', 'yard/_plan', call);
    const [first, second] = [await plan(), await plan()];
    expect([first.status, second.status], JSON.stringify(first.answer.body).slice(0, 300)).toEqual([status, status]);
    expect(Math.min(first.taken, second.taken)).toBeLessThan(0.6);
  });
});

it('abuse: so do records whose id_field names their key thousands of times', async () => {
  const records = Array.from({ length: 200 }, () => ({ id: 1, name: 'one' }));
  const path = `yard/_table/parcel?id_field=${'id,'.repeat(9000)}`;
  const { status, taken } = await measured('PATCH', path, { resource: records });
  expect(status).toBe(200);
  expect(taken).toBeLessThan(0.6);
});

describe('abuse: others have their turn between records with thousands of fields that the table does not have', () => {
  const record = (id: number) => ({ id, name: 'one', ...Object.fromEntries(unknown) });
  const unknown = Array.from({ length: 19_900 }, (_, n) => [`unknown${n}`, n]);
  it.each<[what: string, method: string, path: string, body: () => object]>([
    [
      'one for ten thousand ids',
      'PATCH',
      'yard/_table/parcel',
      () => ({ resource: [record(1)], ids: Array(10_000).fill(1) }),
    ],
    [
      'twenty of them',
      'PATCH',
      'yard/_table/parcel',
      () => ({ resource: Array.from({ length: 20 }, () => record(1)) }),
    ],
    [
      'twenty to be read',
      'POST',
      'yard/_table/parcel?method=GET',
      () => ({ resource: Array.from({ length: 20 }, () => record(1)) }),
    ],
  ])('%s', async (_, method, path, body) => {
    const reads = { count: 0, isOver: false };
    const readOn = async () => {
      while (!reads.isOver) {
        await server.ask('GET', 'yard/_table/parcel/1', { token });
        reads.count += 1;
      }
    };
    const reading = readOn();
    const { status, taken } = await measured(method, path, body());
    reads.isOver = true;
    await reading;
    // In all it takes a quarter of a second, half of that for the JSON: few reads fit in between.
    expect([status, reads.count > 2, taken < 1]).toEqual([200, true, true]);
  });
});
