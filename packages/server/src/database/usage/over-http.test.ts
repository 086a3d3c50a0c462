// A rename made beside a running platform, by another process on its store: who may do what goes by the new names on the
// calls that follow, and what cannot follow refuses.

import { aCall } from '@sluice/testkit/call';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createChangeNotices } from '../../events/changes.ts';
import { createSecrets } from '../../identity/keys.ts';
import { createRecordEngine } from '../../records/index.ts';
import { servedResources } from '../../resources/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { type Fixture, fixture, serviceOver } from '../fixture/index.ts';
import { createSchemaUsage, type SchemaUsage, type TableMove, type UsageTable } from './index.ts';

let db: Fixture;
let platform: TestPlatform;
/** The other process: its store and what it makes of it. */
let store: Store;
let usage: SchemaUsage;
let key: string;
let token: string;
let service: number;
let count = 0;

beforeAll(async () => {
  db = await fixture('sqlite');
  platform = await startPlatform();
  service = (await platform.create('service', serviceOver(db, 'shop'))).id;
  const { settings, folder } = platform;
  store = await openStore({ url: settings.databaseUrl, dataFolder: folder, log: { info() {}, warn() {} } });
  const secrets = createSecrets(Buffer.alloc(32, 7));
  const resources = servedResources({
    settings,
    secrets,
    hashPassword: async () => '',
    types: () => platform.types as never,
    mails: { findGap: async () => 'service' as const, queue: async () => {} },
    limits: { entries: async () => [], resetIfLocked: async () => {} },
    services: () => ({ rows: async () => [], openById: () => Promise.reject(new Error('not looked at here')) }),
  });
  const records = createRecordEngine({ store, settings, resources, notices: createChangeNotices({ error() {} }) });
  usage = createSchemaUsage({
    store,
    records,
    openService: () => Promise.reject(new Error('not looked at here')),
  });
});
afterAll(async () => {
  await store?.close();
  await platform?.stop();
  await db?.stop();
});
beforeEach(() => db.reset());

/** A person with these rows on the service. */
async function signIn(rows: object[]): Promise<void> {
  count += 1;
  const role = await platform.create('role', {
    name: `clerk${count}`,
    is_active: true,
    role_service_access_by_role_id: rows.map((row) => ({
      service_id: service,
      verb_mask: 1,
      requestor_mask: 1,
      ...row,
    })),
  });
  const app = await platform.create('app', { name: `app${count}`, is_active: true });
  key = String(app.api_key);
  const login = { email: `ann${count}@example.com`, password: 'pass word' };
  await platform.create('user', { ...login, user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }] });
  const { body } = await platform.ask('POST', 'user/session', { body: login, token: null, key });
  token = String(body.session_token);
}
const statusOf = async (path: string) => (await platform.ask('GET', `shop/${path}`, { token, key })).status;
const namesIn = async (table: string) => {
  const { body, text } = await platform.ask('GET', `shop/_table/${table}?fields=id`, { token, key });
  return body.resource ? body.resource.length : text;
};

const change = async ({ table, field }: Pick<UsageTable, 'table'> & Pick<TableMove, 'field'>, newName?: string) => {
  const call = aCall({ service: 'shop' });
  const moves = [{ ...(field === undefined ? {} : { field }), ...(newName === undefined ? {} : { newName }) }];
  const publish = await store.exclusively((tx) => usage.follow(call, tx, [{ table: { service, table }, moves }]));
  await publish();
};

it('a row for a table is for it under its new name, in every process', async () => {
  await signIn([{ component: '_table/contact' }, { component: '_schema/contact/*' }]);
  expect(await statusOf('_table/contact')).toBe(200);
  await db.sql('ALTER TABLE contact RENAME TO person');
  try {
    await platform.ask('GET', 'shop/_schema?refresh=true');
    await change({ table: 'contact' }, 'person');
    await vi.waitFor(async () => expect(await statusOf('_table/person')).toBe(200), { timeout: 15_000, interval: 50 });
    expect(await statusOf('_schema/person')).toBe(200);
    expect([await statusOf('_table/contact'), await statusOf('_schema/contact')]).toEqual([403, 403]);
  } finally {
    await db.sql('ALTER TABLE person RENAME TO contact');
    await platform.ask('GET', 'shop/_schema?refresh=true');
  }
});

it('a record filter goes on by the new name of its field; without the field it refuses', async () => {
  const filters = [{ name: 'name', operator: '=', value: 'Ann' }];
  await signIn([{ component: '_table/contact', filters }]);
  expect(await namesIn('contact')).toBe(1);
  await db.sql('ALTER TABLE contact RENAME COLUMN name TO called');
  try {
    await platform.ask('GET', 'shop/_schema/contact?refresh=true');
    // Nothing followed yet: it fails closed.
    expect(await namesIn('contact')).toContain("'name'");
    await change({ table: 'contact', field: 'name' }, 'called');
    await vi.waitFor(async () => expect(await namesIn('contact')).toBe(1), { timeout: 15_000, interval: 50 });
  } finally {
    await db.sql('ALTER TABLE contact RENAME COLUMN called TO name');
    await platform.ask('GET', 'shop/_schema/contact?refresh=true');
  }
});

it.each(['AND', 'OR'])('a record filter by a field that is gone refuses every call (%s)', async (filter_op) => {
  const filters = ['called', 'id'].map((name) => ({ name, operator: '!=', value: 99 }));
  await signIn([{ component: '_table/contact/*', verb_mask: 31, filters, filter_op }]);
  await change({ table: 'contact', field: 'called' }, undefined);
  const calls: [string, string, object?][] = [
    ['GET', 'contact'],
    ['GET', 'contact/1'],
    ['POST', 'contact', { resource: [{ name: 'New' }] }],
    ['PATCH', 'contact/1', { age: 1 }],
    ['PATCH', 'contact?filter=id=1', { resource: { age: 1 } }],
    ['PUT', 'contact/1', { name: 'Ann', age: 1 }],
    ['DELETE', 'contact/1'],
    ['DELETE', 'contact?force=true'],
  ];
  for (const [verb, path, body] of calls) {
    const { status, text } = await platform.ask(verb, `shop/_table/${path}`, { token, key, ...(body ? { body } : {}) });
    expect(status, `${verb} ${path}: ${text}`).toBe(400);
    expect(text).toContain("'called'");
  }
  const { body } = await platform.ask('GET', 'shop/_table/contact/1?fields=name,age');
  expect(body).toEqual({ name: 'Ann', age: 30 });
});
