// What clients of the contract and the console count on, call by call over the wire (docs/requirements.md, SRV).
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const get = (path: string, options?: Parameters<TestPlatform['ask']>[2]) => platform.ask('GET', path, options);
const resource = (record: unknown) => ({ body: { resource: Array.isArray(record) ? record : [record] } });

describe('sessions', () => {
  it('SRV-013 SRV-011 an expired token gets its own error, and is renewed with the full session object', async () => {
    const brief = await startPlatform({ tokenMinutes: 0 });
    try {
      const refused = await brief.ask('GET', 'system/service');
      expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
        401,
        401,
        expect.stringContaining('Token has expired'),
      ]);
      const renewed = await brief.ask('PUT', 'system/admin/session');
      expect(renewed.body).toMatchObject({
        session_token: expect.any(String),
        is_sys_admin: true,
        email: 'ada@example.com',
      });
    } finally {
      await brief.stop();
    }
  });

  it('SRV-020 the own profile is read and written by each kind of person at its address', async () => {
    expect((await get('system/admin/profile')).body).toMatchObject({
      email: 'ada@example.com',
      oauth_provider: '',
      adldap: '',
    });
    const written = await platform.ask('PUT', 'system/admin/profile', { body: { phone: '123' } });
    expect(written.body).toEqual({ success: true });
    expect((await get('user/profile')).body.phone).toBe('123');
  });
});

describe('the environment', () => {
  it('SRV-005 SRV-006 X-004 tells a stranger what signing in needs, and the signed-in the rest', async () => {
    const stranger = (await get('system/environment', { token: null })).body;
    expect(Object.keys(stranger.authentication)).toEqual(
      expect.arrayContaining([
        'adldap',
        'oauth',
        'saml',
        'login_attribute',
        'allow_open_registration',
        'allow_forever_sessions',
      ]),
    );
    expect(Object.keys(stranger).sort()).toEqual(['apps', 'authentication', 'platform']);
    expect(Object.keys(stranger.platform).sort()).toEqual(['bitnami_demo', 'is_hosted', 'license']);
    expect(stranger.apps).toEqual([]);
    const admin = (await get('system/environment')).body;
    expect(admin.platform).toMatchObject({ version: '2.16.1', license: 'OPEN SOURCE' });
    expect(admin.apps.map((app: { name: string }) => app.name)).toContain('admin');
    expect(Object.keys(admin)).toEqual(expect.arrayContaining(['server', 'client', 'config']));
  });
});

describe('system resources', () => {
  it('SRV-021 SRV-024 create, read, change and delete; fields=* with related answers the whole record', async () => {
    const created = await platform.ask(
      'POST',
      'system/role?fields=*&related=role_service_access_by_role_id',
      resource({ name: 'made' }),
    );
    expect([created.status, created.body.resource[0]]).toEqual([
      201,
      expect.objectContaining({ name: 'made', is_active: false, role_service_access_by_role_id: [] }),
    ]);
    const { id } = created.body.resource[0];
    const path = `system/role/${id}`;
    expect((await platform.ask('PUT', path, { body: { description: 'x' } })).body).toEqual({ id });
    expect((await platform.ask('PATCH', path, { body: { is_active: true } })).body).toEqual({ id });
    expect((await get(path)).body).toMatchObject({ id, name: 'made', description: 'x', is_active: true });
    expect((await platform.ask('DELETE', path)).body).toEqual({ id });
    expect((await get(path)).status).toBe(404);
  });

  it('SRV-022 SRV-023 lists filter, order, page, count and project', async () => {
    for (const name of ['Ann', 'Bob', 'Joan'])
      await platform.create('user', { email: `${name}@example.com`, name, first_name: name });
    const like = ['first_name', 'last_name', 'name', 'email'].map((field) => `(${field} like "%AN%")`).join(' or ');
    const found = await get(
      `system/user?filter=${encodeURIComponent(like)}&order=name%20desc&fields=id,name&include_count=true&limit=1`,
    );
    expect(found.body).toEqual({ resource: [expect.objectContaining({ name: 'Joan' })], meta: { count: 2 } });
    const next = await get(
      `system/user?filter=${encodeURIComponent(like)}&order=name%20desc&fields=name&limit=1&offset=1`,
    );
    expect(next.body.resource[0].name).toBe('Ann');
    const ids = (await get('system/user?as_list=true')).body.resource;
    expect(ids.every(Number.isInteger)).toBe(true);
    expect((await get(`system/user?ids=${ids[1]},${ids[0]}&fields=id`)).body.resource).toHaveLength(2);
  });

  it('SRV-004 SRV-025 a batch that fails says which and why; with rollback nothing of it stays', async () => {
    const created = await platform.ask(
      'POST',
      'system/role',
      resource([{ name: 'first' }, { description: 'no name' }, { name: 'third' }]),
    );
    expect([created.status, created.body.error]).toEqual([
      400,
      {
        code: 1000,
        context: {
          error: [1],
          resource: [
            { id: expect.any(Number) },
            {
              code: 400,
              context: { name: ['The name field is required.'] },
              message: 'Invalid data supplied. The name field is required.',
              status_code: 400,
            },
          ],
        },
        message: 'Batch Error: Not all requested records could be created.',
        status_code: 400,
        request_id: expect.any(String),
      },
    ]);
    const first = created.body.error.context.resource[0].id;
    const undone = await platform.ask('DELETE', `system/role?ids=${first},99999&rollback=true`);
    expect(undone.body.error.message).toMatch(/deleted\. All changes rolled back\.$/);
    expect((await get(`system/role/${first}`)).status).toBe(200);
  });

  it('SRV-026 SRV-027 nested rows without an owner go, with an id change, others are made; private values never come back', async () => {
    const role = await platform.create(
      'role',
      {
        name: 'nested',
        lookup_by_role_id: [
          { name: 'a', value: '1' },
          { name: 'b', value: 'secret', private: true },
        ],
      },
      'lookup_by_role_id',
    );
    const [a, b] = (role as unknown as { lookup_by_role_id: { id: number; value: string }[] }).lookup_by_role_id;
    expect(b?.value).toBe('**********');
    const changed = await platform.ask('PUT', `system/role/${role.id}?fields=*&related=lookup_by_role_id`, {
      body: {
        lookup_by_role_id: [
          { id: a?.id, role_id: null },
          { id: b?.id, value: '**********' },
          { name: 'c', value: '3' },
        ],
      },
    });
    const after = changed.body.lookup_by_role_id.map((lookup: { name: string; value: string }) => [
      lookup.name,
      lookup.value,
    ]);
    expect(after).toEqual([
      ['b', '**********'],
      ['c', '3'],
    ]);
  });

  it('SRV-029 SRV-030 SRV-031 people come in as CSV, JSON and XML and go out as files, with confirmed and expired worked out', async () => {
    const bodies = [
      ['text/csv', 'email,name,is_active\ncsv@example.com,From CSV,false\n'],
      ['application/json', '[{"email":"json@example.com","name":"From JSON"}]'],
      ['application/xml', '<users><resource><email>xml@example.com</email><name>From XML</name></resource></users>'],
    ];
    for (const [type = '', body] of bodies) {
      const answer = await platform.ask('POST', 'system/user', { body, headers: { 'content-type': type } });
      expect([type, answer.status]).toEqual([type, 201]);
    }
    const csv = await get(
      'system/user?file=user.csv&filter=name%20like%20%22From%25%22&fields=email,is_active,confirmed',
    );
    expect(csv.headers['content-disposition']).toBe('attachment; filename="user.csv";');
    expect(csv.text).toBe(
      'email,is_active,confirmed,expired\ncsv@example.com,false,true,false\njson@example.com,true,true,false\nxml@example.com,true,true,false\n',
    );
    expect((await get('system/user?file=user.xml&limit=1')).headers['content-type']).toContain('application/xml');
  });

  it('SRV-034 apps carry a generated key and where their pages are', async () => {
    const app = await platform.create('app', { name: 'pages', type: 3, path: 'shop/index.html' }, 'role_by_role_id');
    expect(app).toMatchObject({ api_key: expect.stringMatching(/^[0-9a-f]{64}$/), role_by_role_id: null });
    expect((app as unknown as { launch_url: string }).launch_url).toMatch(/\/shop\/index\.html$/);
  });
});

describe('what there is', () => {
  it('SRV-035 the list of services and types, by group', async () => {
    const all = (await get('')).body;
    expect(all.services.map((service: { name: string }) => service.name)).toEqual([
      'system',
      'api_docs',
      'files',
      'logs',
      'db',
      'email',
      'user',
    ]);
    const databases = (await get('?group=database,file')).body;
    expect(databases.services.map((service: { name: string }) => service.name)).toEqual(['files', 'logs', 'db']);
    expect(databases.service_types).toEqual(
      [
        ...['aws_redshift_db', 'aws_s3', 'azure_blob', 'ftp_file', 'local_file', 'memsql', 'mysql'],
        ...['openstack_object_storage', 'pgsql', 'rackspace_cloud_files', 'sftp_file', 'sqlite', 'webdav_file'],
      ].map((name) => expect.objectContaining({ name, group: /(_db|sql|sqlite)$/.test(name) ? 'Database' : 'File' })),
    );
  });

  it('SRV-036 SRV-037 types describe their configuration as a list of fields', async () => {
    const { body } = await get('system/service_type/sqlite');
    expect(Object.keys(body)).toEqual([
      'name',
      'label',
      'description',
      'group',
      'singleton',
      'dependencies_required',
      'subscription_required',
      'service_definition_editable',
      'config_schema',
    ]);
    expect(body.config_schema.map((field: { name: string }) => field.name)).toEqual([
      'database',
      'options',
      'attributes',
      'statements',
      'allow_upsert',
      'max_records',
      'query_timeout',
      'cache_enabled',
      'cache_ttl',
    ]);
    expect(body.config_schema[0]).toMatchObject({
      name: 'database',
      label: 'Database',
      type: 'string',
      required: true,
    });
    expect(body.config_schema[0]).not.toHaveProperty('checkedByType');
    const server = (await get('system/service_type/pgsql')).body.config_schema;
    const required = server.filter((field: { required: boolean }) => field.required);
    expect(required.map((field: { name: string }) => field.name)).toEqual(['host', 'database']);
  });

  it('SRV-038 the system resources', async () => {
    const names = (await get('system?as_list=true')).body.resource;
    expect(names).toEqual(
      expect.arrayContaining([
        'admin',
        'admin/session',
        'app',
        'environment',
        'import',
        'limit',
        'package',
        'role',
        'service',
        'user',
      ]),
    );
  });
});
