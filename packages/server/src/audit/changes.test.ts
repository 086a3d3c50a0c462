// What the record engine tells the audit; runs on each engine of the store (vitest.config.ts).
import type { AuditRecord } from '@sluice/contract';
import { aCallerWith, aPerson } from '@sluice/testkit/call';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const mask = '**********';
const rows = () => system.store.db.selectFrom('audit').selectAll().orderBy('id').execute();
/** The entries since the last look, as the wire shows them. */
async function entries() {
  const { body } = await ask('GET', `audit?filter=id > ${seen}`);
  seen = Math.max(seen, ...body.resource.map((entry: { id: number }) => entry.id));
  return body.resource;
}
let seen = 0;
beforeEach(() => {
  seen = 0;
});
const version = async (table: 'role' | 'service', id: number) =>
  (await system.store.db.selectFrom(table).select('version').where('id', '=', id).executeTakeFirst())?.version;

describe('an entry', () => {
  test('of a new record has it whole, and who made it', async () => {
    const caller = { user: aPerson(), app: { id: 2, name: 'portal', apiKey: 'k', roleId: null } };
    await ask('POST', 'role', { resource: [{ name: 'reader', is_active: true }] }, { caller, ip: '192.0.2.7' });
    expect(await entries()).toEqual([
      {
        id: 1,
        created_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        action: 'create',
        resource: 'role',
        record_id: '1',
        record_name: 'reader',
        user_id: 1,
        user_email: 'ada@example.com',
        app_id: 2,
        ip_address: '192.0.2.7',
        user_agent: null,
        outcome: 'ok',
        request_id: 'test-call',
        before: null,
        after: {
          id: 1,
          name: 'reader',
          description: null,
          is_active: true,
          created_date: expect.any(String),
          last_modified_date: expect.any(String),
          created_by_id: 1,
          last_modified_by_id: null,
        },
      },
    ]);
  });

  test('of a change has the fields that differ, of a delete the record with what hung on it', async () => {
    await ask('POST', 'role', {
      resource: [
        {
          name: 'reader',
          role_service_access_by_role_id: [{ component: 'a' }, { component: 'b' }],
          lookup_by_role_id: [{ name: 'x', value: 'y' }],
        },
      ],
    });
    await ask('POST', 'app', { resource: [{ name: 'shop', role_id: 1 }] });
    await entries();
    await ask('PATCH', 'role/1', { name: 'reader', description: 'reads', is_active: false });
    expect(await entries()).toMatchObject([
      { action: 'update', record_id: '1', before: { description: null }, after: { description: 'reads' } },
    ]);
    expect((await rows()).at(-1)?.before).toBe('{"description":null}');
    await ask('DELETE', 'role/1');
    expect(await entries()).toMatchObject([
      {
        action: 'delete',
        record_name: 'reader',
        before: { name: 'reader', description: 'reads', role_service_access: 2, lookup: 1, app: 1 },
        after: null,
      },
      { action: 'delete', resource: 'role_service_access', record_id: '1', before: { role_id: 1, component: 'a' } },
      { action: 'delete', resource: 'role_service_access', record_id: '2', before: { role_id: 1, component: 'b' } },
      { action: 'delete', resource: 'lookup', record_name: 'x', before: { role_id: 1, value: 'y' } },
    ]);
  });

  test('of an app that goes counts those who chose it, whose version stays', async () => {
    await ask('POST', 'app', { resource: [{ name: 'shop' }] });
    const { id } = (await ask('GET', 'app?filter=name = shop')).body.resource[0];
    await ask('POST', 'user', { resource: [{ email: 'jo@example.com', default_app_id: id }] });
    await entries();
    await ask('DELETE', `app/${id}`);
    expect(await entries()).toMatchObject([{ action: 'delete', record_name: 'shop', before: { user: 1 } }]);
    const user = await system.store.db.selectFrom('user').selectAll().where('id', '=', 2).executeTakeFirst();
    expect(user).toMatchObject({ default_app_id: null, version: 1 });
  });

  test('there is one of each record that goes with its owner, however many, their secrets masked', async () => {
    const keys = Array.from({ length: 1100 }, (_, at) => ({ name: `key ${at}`, value: `hidden ${at}`, private: true }));
    for (let at = 0; at < keys.length; at += 550)
      await ask(at === 0 ? 'POST' : 'PATCH', at === 0 ? 'role' : 'role/1', {
        ...(at === 0 ? { resource: [{ name: 'keeper', lookup_by_role_id: keys.slice(0, 550) }] } : {}),
        ...(at === 0 ? {} : { lookup_by_role_id: keys.slice(at) }),
      });
    await system.store.db.deleteFrom('audit').execute();
    await ask('DELETE', 'role/1');
    const written = await rows();
    expect(written.map(({ resource }) => resource)).toEqual(['role', ...keys.map(() => 'lookup')]);
    expect(written.some(({ before }) => before?.includes('hidden'))).toBe(false);
    expect(JSON.parse(written[0]?.before ?? '')).toMatchObject({ lookup: 1100 });
    expect(await system.store.db.selectFrom('lookup').selectAll().execute()).toEqual([]);
  });

  test('tells of every row nested in a record whose it is', async () => {
    await ask('POST', 'role', { resource: [{ name: 'a' }, { name: 'b' }] });
    await ask('POST', 'user', { resource: [{ email: 'jo@example.com' }] });
    await entries();
    await ask('PATCH', 'role/1', {
      role_service_access_by_role_id: [{ service_id: 5, component: '_table/*', verb_mask: 1 }],
      lookup_by_role_id: [{ name: 'region', value: 'eu' }],
      user_to_app_to_role_by_role_id: [{ user_id: 2, app_id: 1 }],
    });
    await ask('PATCH', 'service/5', { service_doc_by_service_id: { content: '{"a":1}' } });
    expect(await entries()).toMatchObject([
      { action: 'create', resource: 'role_service_access', record_id: '1', after: { role_id: 1, service_id: 5 } },
      { action: 'create', resource: 'lookup', record_name: 'region', after: { role_id: 1, value: 'eu' } },
      { action: 'create', resource: 'user_to_app_to_role', after: { user_id: 2, app_id: 1, role_id: 1 } },
      { action: 'create', resource: 'service_doc', record_id: '5', after: { service_id: 5, content: '{"a":1}' } },
    ]);
    await ask('PATCH', 'role/1', {
      description: 'kept by its rows',
      role_service_access_by_role_id: [{ id: 1, verb_mask: 3, role_id: 2 }],
      lookup_by_role_id: [{ name: 'region', value: 'us' }],
      user_to_app_to_role_by_role_id: [{ id: 1, role_id: null }],
    });
    expect(
      (await entries()).map(({ action, resource, before, after }: AuditRecord) => [action, resource, before, after]),
    ).toEqual([
      [
        'update',
        'role_service_access',
        { role_id: 1, service_id: 5, verb_mask: 1 },
        { role_id: 2, service_id: 5, verb_mask: 3 },
      ],
      ['update', 'lookup', { role_id: 1, value: 'eu' }, { role_id: 1, value: 'us' }],
      ['delete', 'user_to_app_to_role', { id: 1, user_id: 2, app_id: 1, role_id: 1 }, null],
      ['update', 'role', { description: null }, { description: 'kept by its rows' }],
    ]);
  });

  test('is made by every way to write: by ids, imported, emptied, of a record known by its name', async () => {
    await ask('POST', 'role', { resource: [{ name: 'a' }, { name: 'b' }] });
    await ask('PATCH', 'role?ids=1,2', { resource: [{ is_active: true }] });
    await ask('DELETE', 'role?force=true');
    await ask('POST', 'custom', { resource: [{ name: 'theme', value: { dark: true, size: 1 } }] });
    await ask('PATCH', 'custom/theme', { value: { dark: false, size: 1 } });
    const lines = (await entries()).map((entry: AuditRecord) => `${entry.action} ${entry.resource} ${entry.record_id}`);
    expect(lines).toEqual([
      'create role 1',
      'create role 2',
      'update role 1',
      'update role 2',
      'delete role 1',
      'delete role 2',
      'create custom theme',
      'update custom theme',
    ]);
    expect((await rows()).at(-1)).toMatchObject({
      before: '{"value":{"dark":true}}',
      after: '{"value":{"dark":false}}',
    });
  });

  test('names a caller who is no administrator', async () => {
    const editor = { caller: aCallerWith([{ component: 'role/*' }], { id: 9, email: 'jo@example.com' }) };
    await ask('POST', 'role', { resource: [{ name: 'a' }] }, editor);
    expect(await entries()).toMatchObject([{ user_id: 9, user_email: 'jo@example.com' }]);
  });

  test('holds no more than fits: long texts are cut and say so', async () => {
    const long = 'ü'.repeat(50_000);
    await ask('POST', 'email_template', { resource: [{ name: 'a', body_text: long, body_html: long, to: ['a@b.c'] }] });
    await ask('POST', 'custom', {
      resource: [{ name: 'big', value: Array.from({ length: 20_000 }, () => long.slice(0, 9)) }],
    });
    const [template, custom] = await entries();
    expect(template.after.body_text).toBe(`${long.slice(0, 2000)}… (cut, 50000 characters)`);
    expect(template.after).toMatchObject({ name: 'a', to: ['a@b.c'] });
    expect(custom.after).toMatchObject({ name: 'big', value: expect.stringContaining('… (cut, ') });
    for (const { after } of await rows()) expect(Buffer.byteLength(after ?? '')).toBeLessThan(16_001);
  });
});

describe('no entry', () => {
  test('is left by what was refused or rolled back', async () => {
    await ask('POST', 'role', { resource: [{}] });
    await ask('POST', 'role?rollback=true', { resource: [{ name: 'a' }, { name: 'b' }, {}] });
    await ask('POST', 'role', { resource: [{ name: 'c', role_service_access_by_role_id: [{ service_id: 777 }] }] });
    await ask('DELETE', 'app/1');
    expect(await rows()).toEqual([]);
  });

  test('is left by a long batch that was undone, though entries go into the store in between', async () => {
    const many = Array.from({ length: 150 }, (_, index) => ({ name: `r${index}` }));
    expect((await ask('POST', 'role?rollback=true', { resource: [...many, {}] })).status).toBe(400);
    expect(await rows()).toEqual([]);
    await ask('POST', 'role?rollback=true', { resource: many });
    expect(await rows()).toHaveLength(150);
  });

  test('no change either: a change without its entry is rolled back', async () => {
    const { schema } = system.store.db;
    await schema.alterTable('audit').renameTo('audit_away').execute();
    try {
      await expect(ask('POST', 'role', { resource: [{ name: 'a' }] })).rejects.toThrow('audit');
    } finally {
      // The store of a server is used by other tests afterwards.
      await schema.alterTable('audit_away').renameTo('audit').execute();
    }
    expect((await ask('GET', 'role')).body.resource).toEqual([]);
  });

  test('and nothing else is left by a change to what is already so', async () => {
    await ask('POST', 'role', {
      resource: [
        {
          name: 'reader',
          role_service_access_by_role_id: [
            { service_id: 5, component: 'a', filters: [{ name: 'x', operator: '=', value: '1' }] },
            { component: 'b' },
          ],
          lookup_by_role_id: [{ name: 'secret', value: 's3cret', private: true }],
        },
      ],
    });
    await ask('POST', 'service', {
      resource: [{ name: 'drive', type: 'everything', config: { host: 'h', password: 'pw' } }],
    });
    // Writes the defaults out that the form shows: nothing anyone sees becomes another.
    await entries();
    await ask('PUT', 'service/8', (await ask('GET', 'service/8')).body);
    expect(await entries()).toEqual([]);
    for (const path of ['role/1?related=role_service_access_by_role_id,lookup_by_role_id', 'service/8', 'app/1']) {
      const { body, etag } = await ask('GET', path);
      system.takeChanges();
      const saved = await ask('PUT', path.split('?')[0] as string, body);
      expect([saved.status, saved.etag]).toEqual([200, etag]);
      expect(system.takeChanges()).toEqual([]);
      expect((await ask('GET', path)).body).toEqual(body);
    }
    expect(await entries()).toEqual([]);
    expect([await version('role', 1), await version('service', 8)]).toEqual([1, 2]);
  });

  test('but the one of the row that differs is left by a record with many rows', async () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ service_id: 5, component: `_table/t${index}` }));
    await ask('POST', 'role', { resource: [{ name: 'big', role_service_access_by_role_id: many }] });
    await entries();
    const { body } = await ask('GET', 'role/1?related=role_service_access_by_role_id');
    body.role_service_access_by_role_id[77].verb_mask = 3;
    system.takeChanges();
    await ask('PUT', 'role/1', body);
    expect(await entries()).toMatchObject([{ action: 'update', resource: 'role_service_access', record_id: '78' }]);
    expect(system.takeChanges()).toEqual([
      { table: 'role_service_access', ids: [78] },
      { table: 'role', ids: [1] },
    ]);
    expect(await version('role', 1)).toBe(2);
  });
});

test('rows that one call names twice are changed twice', async () => {
  await ask('POST', 'role', { resource: [{ name: 'a', role_service_access_by_role_id: [{ component: 'a' }] }] });
  const twice = (component: string) => ({ id: 1, component });
  await ask('PATCH', 'role/1', { role_service_access_by_role_id: [twice('b'), twice('a')] });
  const { body } = await ask('GET', 'role/1?related=role_service_access_by_role_id');
  expect(body.role_service_access_by_role_id).toMatchObject([{ component: 'a' }]);
  await ask('PATCH', 'role/1', { role_service_access_by_role_id: [{ id: 1, role_id: null }, twice('c')] });
  const { body: after } = await ask('GET', 'role/1?related=role_service_access_by_role_id');
  expect(after.role_service_access_by_role_id).toMatchObject([{ id: 2, component: 'c' }]);
});

describe('secrets', () => {
  /** None of them, nor what became of it, is anywhere in the table. */
  const secrets = [
    'hunter2secret',
    'Fluffy-the-answer',
    's3cret-of-service',
    'header-s3cret',
    'private-lookup',
    'hash of',
  ];

  test('are masked on both sides, whichever way they changed', async () => {
    const [password, security_answer, ofService, ofHeader, ofLookup] = secrets;
    const key = 'K'.repeat(64);
    const person = { email: 'jo@example.com', password, security_question: 'Pet?', security_answer };
    await ask('POST', 'user', { resource: [person] });
    await ask('PATCH', 'user/2', { password: `${password}!`, security_answer: `${security_answer}!` });
    await ask('POST', 'admin', { resource: [{ email: 'eve@example.com', password }] });
    const headers = [{ name: 'X', value: ofHeader }];
    const config = { host: 'h', password: ofService, headers };
    await ask('POST', 'service', { resource: [{ name: 'drive', type: 'everything', config }] });
    await ask('PATCH', 'service/8', { config: { password: `${ofService}!`, max_records: 500 } });
    await ask('PATCH', 'service/8', { config: { password: `${ofService}?` } });
    await ask('POST', 'lookup', { resource: [{ name: 'a', value: ofLookup, private: true }] });
    await ask('PATCH', 'lookup/1', { value: `${ofLookup}!` });
    await ask('PATCH', 'user/2', { lookup_by_user_id: [{ name: 'b', value: ofLookup, private: true }] });
    await ask('POST', 'app', { resource: [{ name: 'shop', api_key: key }] });
    await ask('PATCH', 'app/4?regenerate=true', {});
    await ask('DELETE', 'service/8');
    await ask('DELETE', 'app/4');
    await ask('DELETE', 'user/2');

    const stored = JSON.stringify(await rows());
    const { api_key } = (await system.store.db.selectFrom('app').select('api_key').where('id', '=', 1).execute())[0]!;
    for (const secret of [...secrets, key, api_key, 'tokens_valid_from']) expect(stored).not.toContain(secret);

    const of = (resource: string, action: string) =>
      rows().then((all) =>
        all
          .filter((entry) => entry.resource === resource && entry.action === action)
          .map((entry) => [JSON.parse(entry.before ?? 'null'), JSON.parse(entry.after ?? 'null')]),
      );
    expect((await of('user', 'create'))[0]?.[1]).toMatchObject({ password: mask, security_answer: mask });
    const both = { password: mask, security_answer: mask };
    expect(await of('user', 'update')).toEqual([[both, both]]);
    expect(await of('service', 'update')).toEqual([
      [{ config: { password: mask, max_records: 1000 } }, { config: { password: mask, max_records: 500 } }],
      [{ config: { password: mask } }, { config: { password: mask } }],
    ]);
    expect(await of('app', 'update')).toEqual([[{ api_key: mask }, { api_key: mask }]]);
    expect((await of('app', 'delete'))[0]?.[0]).toMatchObject({ api_key: mask, name: 'shop' });
  });

  test('stay what they are when they become private', async () => {
    await ask('POST', 'lookup', { resource: [{ name: 'a', value: 'open' }] });
    await entries();
    await ask('PATCH', 'lookup/1', { private: true });
    expect(await entries()).toMatchObject([
      { before: { private: false, value: mask }, after: { private: true, value: mask } },
    ]);
  });
});

describe('system/audit', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('takes no %s', async (verb) => {
    await ask('POST', 'role', { resource: [{ name: 'a' }] });
    const entry = { resource: [{ id: 1, action: 'sign_in', resource: 'user', outcome: 'ok' }] };
    for (const path of ['audit', 'audit/1', 'audit?ids=1', 'audit?force=true']) {
      const { status } = await ask(verb, path, entry);
      expect(status).toBe(405);
    }
    expect(await rows()).toMatchObject([{ id: 1, action: 'create', resource: 'role' }]);
  });

  test('is a resource like others to callers who may read it', async () => {
    await ask('POST', 'role', { resource: [{ name: 'a' }, { name: 'b' }] });
    const filter =
      'filter=(resource = role) and (record_id = 2) and (user_id = 1)&fields=record_name&order=created_date desc';
    expect((await ask('GET', `audit?${filter}`)).body).toEqual({ resource: [{ record_name: 'b' }] });
    expect((await ask('GET', 'audit/1?fields=action')).body).toEqual({ action: 'create' });
    // What was secret elsewhere is not asked about by its parts.
    expect((await ask('GET', 'audit?filter=after like %25a%25')).status).toBe(400);
    expect((await ask('GET', 'audit?related=user_by_user_id')).status).toBe(400);
  });
});
