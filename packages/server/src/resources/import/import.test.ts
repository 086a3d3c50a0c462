// Imports of CSV through HTTP, on every engine: what becomes of a file, every refusal, failures in the middle, narrow callers
// (contract/packages.md §6).
import { readdirSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, fixture, onEachEngine, serviceOver } from '../../database/fixture/index.ts';
import { uploadOf } from '../package/zip.fixture.ts';

/** A form with a CSV. */
const formOf = (csv: string | Buffer, fields: Record<string, string> = {}, more: Parameters<typeof uploadOf>[1] = {}) =>
  uploadOf(Buffer.from(csv), { name: 'people.csv', field: 'file', fields, ...more });

await onEachEngine((engine) => {
  let db: Fixture;
  let platform: TestPlatform;
  let ask: TestPlatform['ask'];

  beforeAll(async () => {
    db = await fixture(engine);
    platform = await startPlatform();
    ask = platform.ask;
    await platform.create('service', serviceOver(db, 'yard'));
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  const send = (csv: string, table: string, query = '') =>
    ask('POST', `system/import${query}`, formOf(csv, { service: 'yard', resource: table }));
  const tables = async (): Promise<string[]> => (await ask('GET', 'yard/_schema?as_list=true')).body.resource;
  const rowsOf = async (table: string) => (await ask('GET', `yard/_table/${table}`)).body.resource;

  it('makes a table of nullable texts of the file, with the values as they are', async () => {
    const csv = '\ufeffname, Note,größe\r\nJo,"a ""b"", c\nd",12.50\r\n\r\n"",,007\r\n';
    const { status, body } = await send(csv, 'people');
    expect([status, body]).toEqual([200, { resource: `${platform.url}/api/v2/yard/_table/people` }]);
    expect(await rowsOf('people')).toEqual([
      { name: 'Jo', Note: 'a "b", c\nd', größe: '12.50' },
      { name: '', Note: null, größe: '007' },
    ]);
    const table = (await ask('GET', 'yard/_schema/people')).body;
    expect(table).toMatchObject({ description: 'Table created from CSV data import', primary_key: [] });
    expect(table.field).toHaveLength(3);
    for (const field of table.field)
      expect(field).toMatchObject({ db_type: 'text', allow_null: true, is_primary_key: false });
  });

  it('inserts in chunks of 500, in the order of the file', async () => {
    const name = 'yard._table.long.post.pre_process';
    const content =
      'platform.store.counts = (platform.store.counts || "") + event.request.payload.resource.length + " ";';
    const script = { name, type: 'v8js', content, is_active: true };
    await platform.create('event_script', script);
    const lines = Array.from({ length: 1203 }, (_, index) => `${index},x`);
    expect((await send(`n,t\n${lines.join('\n')}`, 'long')).status).toBe(200);
    const { body } = await ask('GET', 'yard/_table/long?count_only=true');
    expect(body).toBe(1203);
    const runs = (await ask('GET', `system/event_script/_runs?name=${name}`)).body.resource;
    expect(runs.length).toBe(3);
    const rows = (await ask('GET', 'yard/_table/long?filter=n%3D%271202%27')).body.resource;
    expect(rows).toEqual([{ n: '1202', t: 'x' }]);
    await ask('DELETE', `system/event_script/${name}`);
  });

  it('drops the table when a record is refused in the middle, and names the record', async () => {
    const lines = Array.from({ length: 1200 }, (_, index) => `${index}`);
    const bad = { pgsql: '\u0000', mysql: 'x'.repeat(70_000), sqlite: undefined }[engine as string];
    if (bad === undefined) {
      // Its texts take anything: a script refuses.
      const content = 'if (event.request.payload.resource[0].n === "1000") throw "no more";';
      const name = 'yard._table.part.post.pre_process';
      await platform.create('event_script', { name, type: 'v8js', content, is_active: true });
    } else lines[1100] = bad;
    const { status, body } = await send(`n\n${lines.join('\n')}`, 'part');
    if (bad === undefined) expect([status, body.error.message]).toEqual([500, expect.stringContaining('no more')]);
    else
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringMatching(/^Record 1101 of the uploaded CSV could not be inserted\. /),
      ]);
    expect(await tables()).not.toContain('part');
    expect((await ask('GET', 'yard/_schema/part')).status).toBe(404);
  });

  it('drops the table when a later line is no CSV, or the text no UTF-8', async () => {
    const lines = Array.from({ length: 700 }, (_, index) => `${index},x`);
    const short = await send(`n,t\n${lines.join('\n')}\nalone\n`, 'broken');
    expect([short.status, short.body.error.message]).toEqual([
      400,
      expect.stringMatching(/^Malformed CSV in the request body at line 70\d: /),
    ]);
    const csv = Buffer.concat([Buffer.from(`n,t\n${lines.join('\n')}\n1,`), Buffer.from([0xff, 0xfe])]);
    const latin = await ask('POST', 'system/import', formOf(csv, { service: 'yard', resource: 'broken' }));
    expect([latin.status, latin.body.error.message]).toEqual([400, 'The request body is not valid UTF-8.']);
    expect(await tables()).not.toContain('broken');
  });

  it('refuses headers that name no fields, before there is a table', async () => {
    const numeric =
      'First row in the uploaded CSV contains numeric value and cannot be used as field name. Please make sure first row of your CSV file is the header row.';
    const refused: [header: string, message: string | RegExp][] = [
      ['', 'The uploaded CSV is empty. Its first row has to name the fields.'],
      ['name,12', numeric],
      [' -1.5e3 ,name', numeric],
      ['a,,b', 'Cell 2 in the first row of the uploaded CSV names no field.'],
      ['a," ",b', 'Cell 2 in the first row of the uploaded CSV names no field.'],
      ['a,b,A', /^The name 'A' is already used in table 'odd'\.$/],
      ['a,b/c', /^The name of 'b\/c' must be a name of up to \d+ letters/],
      ['__proto__', /^The name of '__proto__' must be a name/],
      [`a,${'x'.repeat(300)}`, /^The name of 'x+' must be a name of up to \d+ letters/],
      [Array.from({ length: 1001 }, (_, index) => `c${index}`).join(), /at most 1000 fields/],
    ];
    for (const [header, message] of refused) {
      const { status, body } = await send(header && `${header}\n`, 'odd');
      const expected = typeof message === 'string' ? message : expect.stringMatching(message);
      expect([header.slice(0, 40), status, body.error.message]).toEqual([header.slice(0, 40), 400, expected]);
    }
    const table = await send('a\n1\n', 'no/name');
    expect([table.status, table.body.error.message]).toEqual([400, expect.stringContaining("of 'no/name' must be")]);
    expect(await tables()).not.toContain('odd');
  });

  it('leaves a table that is there as it is', async () => {
    await send('a\n1\n', 'kept');
    const { status, body } = await send('b\n2\n', 'kept');
    expect([status, body.error.message]).toEqual([
      400,
      'Importing CSV data into existing DB table [kept] is not supported.',
    ]);
    expect(await rowsOf('kept')).toEqual([{ a: '1' }]);
  });

  it('takes the marks off that a CSV for spreadsheets has', async () => {
    await send("a\n'=1+1\n''x\n", 'sheet', '?spreadsheet=true');
    expect(await rowsOf('sheet')).toEqual([{ a: '=1+1' }, { a: "'x" }]);
  });
});

describe('system/import', () => {
  let platform: TestPlatform;
  let ask: TestPlatform['ask'];
  let server: Server;
  let origin = '';
  beforeAll(async () => {
    platform = await startPlatform({ fetchPrivate: 'localhost', bodyLimit: 100_000, uploadLimit: 20_000_000 });
    ask = platform.ask;
    server = createServer((request, response) => {
      response.statusCode = request.url === '/none.csv' ? 404 : 200;
      response.end('city,year\nParis,1900\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    await platform.stop();
  });

  const outcome = async (options: Parameters<TestPlatform['ask']>[2]) => {
    const { status, body } = await ask('POST', 'system/import', options);
    return [status, body.error?.message ?? body];
  };

  it('goes to the service db and a table with the time in its name, from a file in either field or an address', async () => {
    for (const field of ['file', 'files', 'files[]']) {
      const { status, body } = await ask('POST', 'system/import', formOf('a\n1\n', {}, { field }));
      const [, table = ''] = /\/api\/v2\/db\/_table\/(import_\d+)$/.exec(body.resource) ?? [];
      expect([status, (await ask('GET', `db/_table/${table}`)).body.resource]).toEqual([200, [{ a: '1' }]]);
      await ask('DELETE', `db/_schema/${table}`);
    }
    const body = { import_url: `${origin}/towns.csv?x=1`, resource: 'towns' };
    expect(await outcome({ body })).toEqual([200, { resource: `${platform.url}/api/v2/db/_table/towns` }]);
    expect((await ask('GET', 'db/_table/towns')).body.resource).toEqual([{ city: 'Paris', year: '1900' }]);
  });

  it('refuses in the words of the page', async () => {
    const noFile =
      'No import file supplied. Please upload a file or provide an URL of a file to import. Supported file type(s) is/are csv.';
    expect(await outcome({ body: {} })).toEqual([400, noFile]);
    expect(await outcome({})).toEqual([400, noFile]);
    expect(await outcome(formOf('a\n1\n', {}, { field: 'other' }))).toEqual([400, noFile]);
    const type = 'Unsupported file type. Supported types are csv';
    expect(await outcome(formOf('a\n1\n', {}, { name: 'people.json' }))).toEqual([400, type]);
    expect(await outcome({ body: { import_url: `${origin}/people.xml` } })).toEqual([400, type]);
    expect(await outcome(formOf('a\n1\n', {}, { count: 2 }))).toEqual([
      400,
      'Only a single file is allowed for import.',
    ]);
    for (const [service, group] of [
      ['files', 'File'],
      ['system', 'System'],
    ] as const)
      expect(await outcome(formOf('a\n1\n', { service }))).toEqual([
        400,
        `Importing resource(s) to service type group [${group}] is not currently supported.`,
      ]);
    expect(await outcome(formOf('a\n1\n', { service: 'nothing' }))).toEqual([
      404,
      'Could not find a service for nothing',
    ]);
    expect(await outcome({ body: { import_url: `${origin}/none.csv` } })).toEqual([
      500,
      expect.stringMatching(/^Failed to import file from http:\/\/localhost:\d+\/none\.csv\. /),
    ]);
    const local = await outcome({ body: { import_url: `${origin.replace('localhost', '127.0.0.1')}/a.csv` } });
    expect(local).toEqual([500, expect.stringContaining('does not fetch from')]);
    expect(readdirSync(join(platform.folder, 'temporary'))).toEqual([]);
  });

  it('GET answers 405', async () => {
    const { status, body } = await ask('GET', 'system/import');
    expect([status, body.error.message]).toEqual([
      405,
      "GET requests without a resource are not currently supported by the 'import' service.",
    ]);
  });

  it('reads a file that is far longer than any body as it goes, and bounds its lines and its length', async () => {
    const line = `${'x'.repeat(996)},1\n`;
    const csv = `text,n\n${line.repeat(15_000)}`;
    const { status } = await ask('POST', 'system/import', formOf(csv, { resource: 'large' }));
    expect(status).toBe(200);
    expect((await ask('GET', 'db/_table/large?count_only=true')).body).toBe(15_000);
    const open = await outcome(formOf(`a\n"${line.repeat(200)}`, { resource: 'open' }));
    expect(open).toEqual([
      400,
      expect.stringMatching(/^Malformed CSV in the request body at line \d+: Max Record Size/),
    ]);
    expect((await outcome(formOf(`a\n${'b\n'.repeat(10_100_000)}`, { resource: 'open' })))[0]).toBe(413);
    expect((await ask('GET', 'db/_schema/open')).status).toBe(404);
  }, 60_000);

  it('drops the table when the caller goes away', async () => {
    const { headers, body } = formOf(`a\n${'b\n'.repeat(1_000_000)}`, { resource: 'gone' });
    const call = request(`${platform.url}/api/v2/system/import`, {
      method: 'POST',
      headers: { ...headers, 'x-dreamfactory-session-token': platform.adminToken },
    });
    call.on('error', () => {});
    call.end(body);
    const status = async () => (await ask('GET', 'db/_schema/gone')).status;
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
    call.destroy();
    await expect.poll(status, { timeout: 20_000 }).toBe(404);
    const lastEntries = async () => (await ask('GET', 'system/audit?order=id%20desc&limit=2')).body.resource;
    const names = async () => (await lastEntries()).map((entry: { record_name: string }) => entry.record_name);
    await expect.poll(names, { timeout: 20_000 }).toEqual(['db/_schema/gone', 'db/_schema/gone']);
  }, 60_000);

  it('is decided for each step: POST on the import, on the schema and on the records', async () => {
    const db = (await ask('GET', 'system/service?filter=name=db')).body.resource[0].id;
    const row = (service_id: number, component: string) => ({ service_id, component, verb_mask: 2 });
    const rows = [row(1, 'import/*'), row(db, '_schema/*'), row(db, '_table/*')];
    const callAs = async (name: string, access: object[]) => {
      const role = await platform.create('role', { name, is_active: true, role_service_access_by_role_id: access });
      const app = await platform.create('app', { name, is_active: true });
      const user = await platform.create('user', { email: `${role.id}@b.example`, password: 'pass word' });
      await ask('PATCH', `system/user/${user.id}?related=user_to_app_to_role_by_user_id`, {
        body: { user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }] },
      });
      const options = { key: String((app as { api_key?: string }).api_key), token: await platform.tokenOf(user.id) };
      return (csv: string, table: string) =>
        ask('POST', 'system/import', { ...options, ...formOf(csv, { resource: table }) });
    };
    for (const [index, missing] of rows.entries()) {
      const call = await callAs(
        `without ${index}`,
        rows.filter((other) => other !== missing),
      );
      expect([missing.component, (await call('a\n1\n', 'narrow')).status]).toEqual([missing.component, 403]);
    }
    expect((await ask('GET', 'db/_schema/narrow')).status).toBe(404);
    const call = await callAs('with all', rows);
    expect((await call('a\n1\n', 'narrow')).status).toBe(200);
    expect((await ask('GET', 'db/_table/narrow')).body.resource).toEqual([{ a: '1' }]);
    // What a failed import made goes, although its caller may not drop tables.
    expect((await call('a,b\n1,2\nalone\n', 'taken_back')).status).toBe(400);
    expect((await ask('GET', 'db/_schema/taken_back')).status).toBe(404);
    const entries = (await ask('GET', 'system/audit?order=id%20desc&limit=10')).body.resource;
    const names = entries.map((entry: { record_name: string }) => entry.record_name);
    expect(names.slice(0, 3)).toEqual(['db/_schema/taken_back', 'db/_schema/taken_back', 'db/_schema/narrow']);
  });
});
