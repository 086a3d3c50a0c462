// An Active Directory over HTTP: who signs in, which role their groups give, and what can be read. The server is a real one with
// the attributes of an Active Directory.
import { type Answer, startPlatform, type TestPlatform } from '@sluice/testkit';
import {
  computers,
  corp,
  type DirectoryServer,
  directoryMissing,
  password,
  reader,
  sidText,
  startDirectoryServer,
} from '@sluice/testkit/directory-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNameProxy } from '../../directories/hostile-directory.fixture.ts';

const wrong = [401, 'Invalid username and password provided.'];
const messageOf = ({ status, body }: Answer) => [status, body?.error?.message];
const staff = (cn: string) => `cn=${cn},ou=staff,${corp}`;
const group = (cn: string) => `cn=${cn},ou=groups,${corp}`;

describe.skipIf(directoryMissing())('an Active Directory', () => {
  let directory: DirectoryServer;
  let platform: TestPlatform;
  let app: { id: number; api_key: string };
  let other: { id: number };
  const roles: Record<string, number> = {};

  beforeAll(async () => {
    directory = await startDirectoryServer();
    platform = await startPlatform({ trustProxy: true });
    for (const name of ['plain', 'readers', 'admins', 'outer'])
      roles[name] = (await platform.create('role', { name, is_active: true })).id;
    app = (await platform.create('app', { name: 'shop', type: 0, is_active: true })) as unknown as typeof app;
    other = await platform.create('app', { name: 'other', type: 0, is_active: true });
    await make('ad', { ...reader, default_role: roles.plain, map_group_to_role: true });
    await bind('readers', group('Readers').toUpperCase().replace(',', ' , '));
    await bind('admins', group('Admins'));
    await bind('outer', group('Outer'));
  });
  afterAll(async () => {
    await platform?.stop();
    await directory?.stop();
  });

  const make = (name: string, config: object = {}) =>
    platform.create('service', {
      ...{ name, label: 'AD', type: 'adldap', is_active: true },
      config: { host: `127.0.0.1:${directory.port}`, base_dn: corp, account_suffix: '@corp.example.com', ...config },
    });
  const bind = (role: string, dn: string | null) =>
    platform.ask('PATCH', `system/role/${roles[role]}`, {
      body: { role_adldap_by_role_id: dn === null ? null : [{ dn }] },
    });

  let address = 0;
  const signIn = (username: string, secret: string = password, service = 'ad') => {
    address += 1;
    return platform.ask('POST', 'user/session', {
      body: { service, username, password: secret },
      ...{ token: null, key: app.api_key, headers: { 'x-forwarded-for': `198.51.100.${address}` } },
    });
  };
  const get = async (path: string) => (await platform.ask('GET', path)).body;

  describe('signing in', () => {
    it('finds people by their account, principal name and domain, each once', async () => {
      const { status, body } = await signIn('jo');
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ email: 'jo+ad@example.com', name: 'Jo Doe', role: 'readers', is_sys_admin: false }),
      ]);
      for (const name of ['JO', 'CORP\\jo', 'kim']) expect([name, (await signIn(name)).status]).toEqual([name, 200]);
      expect((await signIn('CORP\\jo')).body.id).toBe(body.id);
      expect((await signIn('kim')).body).toMatchObject({ email: 'kim+ad@corp.example.com', role: 'plain' });
      expect((await signIn('kim@corp.example.com')).body.name).toBe('Kim Roe');
      expect((await signIn('nia')).body.name).toBe('Nia, Low');
      expect(await get(`system/user/${body.id}`)).toMatchObject({ adldap: 'ad', ldap_username: 'jo' });
    });

    it('abuse: a principal name that two have is nobody, and computers are no people', async () => {
      // Eve has the principal name of jo: neither signs in by it, and the account name is still that of jo.
      expect(messageOf(await signIn('jo@corp.example.com'))).toEqual(wrong);
      expect(messageOf(await signIn('jo@corp.example.com', 'of eve'))).toEqual(wrong);
      expect(messageOf(await signIn('jo', 'of eve'))).toEqual(wrong);
      for (const name of ['PC1', 'PC1$', 'reader', '*', 'jo)(cn=*', staff('Jo Doe'), 'CORP\\', '@corp.example.com'])
        expect([name, ...messageOf(await signIn(name))]).toEqual([name, ...wrong]);
      for (const secret of ['wrong', '\0', `${password}\0`])
        expect(messageOf(await signIn('jo', secret))).toEqual(wrong);
      expect((await signIn('jo', '')).status).toBe(400);
    });

    it('says that the account of the service is wrong, to those who sign in', async () => {
      await make('broken', { ...reader, password: 'wrong' });
      expect(messageOf(await signIn('jo', password, 'broken'))).toEqual([
        401,
        'Invalid credentials in service definition. Cannot authenticate against the Active Directory server.',
      ]);
    });

    it('needs no account of the service: people look for themselves', async () => {
      const names = new Map([
        ['jo@corp.example.com', staff('Eve Own')],
        ['kim@corp.example.com', staff('Kim Roe')],
        ['CORP\\kim', staff('Kim Roe')],
      ]);
      const proxy = await startNameProxy(directory.port, (name) => names.get(name));
      try {
        await make('alone', { host: `127.0.0.1:${proxy.port}`, map_group_to_role: true, default_role: roles.plain });
        expect((await signIn('kim', password, 'alone')).body).toMatchObject({ name: 'Kim Roe', role: 'plain' });
        expect((await signIn('CORP\\kim', password, 'alone')).status).toBe(200);
        expect(messageOf(await signIn('kim', 'wrong', 'alone'))).toEqual(wrong);
        expect(messageOf(await signIn('nobody', password, 'alone'))).toEqual(wrong);
        // What eve signs in by leads to jo: her password is tried at the very entry, and is not the one of jo.
        expect(messageOf(await signIn('jo', 'of eve', 'alone'))).toEqual(wrong);
        expect(messageOf(await platform.ask('GET', 'alone/user'))).toEqual([
          ...[400, 'No username and/or password found in service definition.'],
        ]);
      } finally {
        await proxy.stop();
      }
    });
  });

  describe('roles of groups', () => {
    const roleOf = async (username: string, service = 'ad') => (await signIn(username, password, service)).body.role;

    it('are given by the primary group first, by own groups next, else the default one', async () => {
      expect(await roleOf('jo')).toBe('readers');
      expect(await roleOf('max')).toBe('admins');
      expect(await roleOf('kim')).toBe('plain');
      await make('unmapped', { ...reader, default_role: roles.plain });
      expect(await roleOf('jo', 'unmapped')).toBe('plain');
    });

    it('come from groups of groups where the service says so, in a circle, too', async () => {
      await make('nested', {
        ...reader,
        default_role: roles.plain,
        map_group_to_role: true,
        map_group_hierarchy: true,
      });
      // kim is in Nested, that is in Middle, that is in Outer and Readers; Outer is in Nested again.
      expect(await roleOf('kim', 'nested')).toBe('outer');
      await bind('outer', null);
      expect(await roleOf('kim', 'nested')).toBe('readers');
      await bind('outer', group('Outer'));
      expect(await roleOf('nia', 'nested')).toBe('plain');
    });

    it('follow the groups: who left one has its role no longer', async () => {
      const { id } = (await signIn('jo')).body;
      const heldBy = async () => {
        const { user_to_app_to_role_by_user_id: rows } = await get(
          `system/user/${id}?related=user_to_app_to_role_by_user_id`,
        );
        return new Map((rows as { app_id: number; role_id: number }[]).map((row) => [row.app_id, row.role_id]));
      };
      expect((await heldBy()).get(app.id)).toBe(roles.readers);
      // What an administrator gave stays.
      await platform.store.db
        .updateTable('user_to_app_to_role')
        .set({ role_id: roles.admins as number })
        .where('user_id', '=', id)
        .where('app_id', '=', other.id)
        .execute();
      await bind('readers', group('Nobody'));
      expect(await roleOf('jo')).toBe('plain');
      await bind('readers', group('Readers'));
      expect(await roleOf('jo')).toBe('readers');
      await bind('readers', null);
      expect(await roleOf('jo')).toBe('plain');
      await bind('readers', group('Readers'));
      expect((await heldBy()).get(other.id)).toBe(roles.admins);
      await make('bare', { ...reader, map_group_to_role: true });
      const { id: bare } = (await signIn('jo', password, 'bare')).body;
      await bind('readers', group('Nobody'));
      expect((await signIn('jo', password, 'bare')).body).not.toHaveProperty('role');
      expect(
        (await get(`system/user/${bare}?related=user_to_app_to_role_by_user_id`)).user_to_app_to_role_by_user_id,
      ).toEqual([]);
      await bind('readers', group('Readers'));
    });
  });

  describe('the binding of a role', () => {
    it('ROL-007, ROL-030: role_adldap_by_role_id is written as an object or a list of one, read, and deleted', async () => {
      const { id } = await platform.create('role', { name: 'bound', is_active: true });
      const read = async () => (await get(`system/role/${id}?related=role_adldap_by_role_id`)).role_adldap_by_role_id;
      const write = (value: unknown) =>
        platform.ask('PATCH', `system/role/${id}`, { body: { role_adldap_by_role_id: value } });
      expect(await read()).toBeNull();
      expect((await write([{ dn: ' cn=a,dc=b ' }])).status).toBe(200);
      expect(await read()).toEqual({ role_id: id, dn: 'cn=a,dc=b' });
      expect((await write({ role_id: id, dn: 'cn=c,dc=b' })).status).toBe(200);
      expect(await read()).toEqual({ role_id: id, dn: 'cn=c,dc=b' });
      expect((await write([{ dn: 'cn=a' }, { dn: 'cn=b' }])).status).toBe(400);
      expect((await write({ dn: '' })).status).toBe(400);
      expect((await write({ role_id: roles.admins, dn: 'cn=d,dc=b' })).status).toBe(200);
      expect(await read()).toEqual({ role_id: id, dn: 'cn=d,dc=b' });
      expect((await write(null)).status).toBe(200);
      expect(await read()).toBeNull();
      const made = await platform.create(
        'role',
        { name: 'made', is_active: true, role_adldap_by_role_id: { dn: 'cn=e,dc=b' } },
        'role_adldap_by_role_id',
      );
      expect(made.role_adldap_by_role_id).toEqual({ role_id: made.id, dn: 'cn=e,dc=b' });
      expect((await platform.ask('DELETE', `system/role/${made.id}`)).status).toBe(200);
      const rows = await platform.store.db
        .selectFrom('role_adldap')
        .selectAll()
        .where('role_id', '=', made.id)
        .execute();
      expect(rows).toEqual([]);
    });

    it('abuse: who does not hold a role binds it to no group', async () => {
      const delegate = await platform.create('role', {
        ...{ name: 'delegate', is_active: true },
        role_service_access_by_role_id: [
          { service_id: 1, component: 'role/*', verb_mask: 31, requestor_mask: 1 },
          { service_id: 1, component: 'role/', verb_mask: 31, requestor_mask: 1 },
          { service_id: 1, component: 'role', verb_mask: 31, requestor_mask: 1 },
        ],
      });
      const mighty = await platform.create('role', {
        ...{ name: 'mighty', is_active: true },
        role_service_access_by_role_id: [{ service_id: null, component: '*', verb_mask: 31, requestor_mask: 1 }],
      });
      const user = await platform.create('user', {
        ...{ email: 'eve@example.com', password: 'eve pass word', is_active: true },
        user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: delegate.id }],
      });
      const as = { token: await platform.tokenOf(user.id), key: app.api_key };
      const write = (id: number, value: unknown) =>
        platform.ask('PATCH', `system/role/${id}`, { ...as, body: { role_adldap_by_role_id: value } });
      expect((await write(mighty.id, { dn: group('Readers') })).status).toBe(403);
      expect((await write(delegate.id, { dn: group('Readers') })).status).toBe(200);
      const { role_adldap_by_role_id: bound } = await get(`system/role/${mighty.id}?related=role_adldap_by_role_id`);
      expect(bound).toBeNull();
      await platform.ask('DELETE', `system/role/${delegate.id}`);
    });
  });

  describe('what it holds', () => {
    it('lists people, groups and computers by pages, wrapped, with names in lower case', async () => {
      await make('small', { ...reader, max_page_size: 20 });
      const names = async (path: string) => (await get(`small/${path}`)).resource;
      expect(await names('user?as_list=true')).toEqual(['jo', 'kim', 'max', 'nia', 'eve']);
      expect(await names('group?as_list=true')).toContain('domain users');
      expect(await names('computer?as_list=true')).toHaveLength(computers);
      const [jo] = await names('user?filter=(cn=Jo*)');
      expect(jo).toMatchObject({
        ...{
          dn: staff('Jo Doe'),
          cn: 'Jo Doe',
          samaccountname: 'jo',
          memberof: group('Readers'),
          primarygroupid: '513',
        },
        ...{ objectsid: sidText(1101), objectguid: '30303030-3030-3030-3030-303031313031' },
        objectclass: ['adUser', 'user'],
      });
      expect(Object.keys(jo)).not.toContain('userpassword');
      expect(await names('user?fields=cn,SAMAccountName&filter=sAMAccountName=k*')).toEqual([
        { cn: 'Kim Roe', samaccountname: 'kim' },
      ]);
      expect(await names('user?fields=dn&filter=sAMAccountName=kim')).toEqual([{ dn: staff('Kim Roe') }]);
    });

    it('reads one by its name, and the groups of somebody', async () => {
      expect(await get('ad/user/jo?fields=dn,mail')).toEqual({ dn: staff('Jo Doe'), mail: 'jo@example.com' });
      expect(await get('ad/group/Readers?fields=cn,member')).toEqual({
        ...{ cn: 'Readers', member: [staff('Jo Doe'), staff('Max Poe')] },
      });
      expect((await get('ad/computer/PC7')).samaccountname).toBe('PC7$');
      const groups = async (user: string) => (await get(`ad/group?as_list=true&user=${user}`)).resource.sort();
      expect(await groups('jo')).toEqual(['domain users', 'readers']);
      expect(await groups('max')).toEqual(['admins', 'readers']);
      expect(messageOf(await platform.ask('GET', 'ad/group?user=nobody'))).toEqual([
        ...[404, "Record with identifier 'nobody' not found."],
      ]);
      for (const path of ['user/nobody', 'user/PC7$', 'group/jo', 'computer/Readers', 'user/*', 'user/jo)(cn=*'])
        expect([path, (await platform.ask('GET', `ad/${encodeURI(path)}`)).status]).toEqual([path, 404]);
    });

    it('refuses what it cannot do, with the words of the contract', async () => {
      const refusal = async (path: string, verb = 'GET') => messageOf(await platform.ask(verb, path));
      expect(await refusal('broken/user')).toEqual([
        401,
        'Invalid credentials in service definition. Cannot authenticate against the Active Directory server.',
      ]);
      expect((await refusal('ad/user?filter=(cn=a'))[0]).toBe(400);
      expect((await refusal('ad/user?fields=a%20b'))[0]).toBe(400);
      expect((await refusal('ad/user', 'POST'))[0]).toBe(405);
      expect((await refusal('ad/user/jo', 'DELETE'))[0]).toBe(405);
      expect((await refusal('ad/nothing'))[0]).toBe(404);
    });

    it('abuse: a filter reaches no other kind of entry, and no secret', async () => {
      const found = async (filter: string) => {
        const { status, body } = await platform.ask('GET', `ad/user?as_list=true&filter=${encodeURIComponent(filter)}`);
        return status === 200 ? body.resource : status;
      };
      expect(await found('(|(objectClass=computer)(objectClass=group))')).toEqual([]);
      expect(await found('(cn=*))(|(objectClass=computer)')).toBe(400);
      expect(await found('(userPassword=the*)')).toBe(400);
      expect(await found('(!(unicodePwd=x))')).toBe(400);
      const { body } = await platform.ask('GET', 'ad/user/jo?fields=cn,userPassword,unicodePwd');
      expect(body).toEqual({ cn: 'Jo Doe' });
    });

    it('has a root, an access list, and roles that see a part', async () => {
      expect((await get('ad')).resource).toEqual([{ name: 'user' }, { name: 'group' }, { name: 'computer' }]);
      expect((await get('ad?as_access_list=true')).resource).toEqual([
        ...['', '*', 'user/', 'user/*', 'group/', 'group/*', 'computer/', 'computer/*'],
      ]);
      const service = (await get('system/service?filter=name%3Dad')).resource[0].id;
      const role = await platform.create('role', {
        ...{ name: 'groups only', is_active: true },
        role_service_access_by_role_id: [
          { service_id: service, component: 'group/*', verb_mask: 1, requestor_mask: 1 },
        ],
      });
      const keyed = (await platform.create('app', {
        ...{ name: 'keyed', type: 0, is_active: true, role_id: role.id },
      })) as unknown as { api_key: string };
      const status = async (path: string) =>
        (await platform.ask('GET', path, { token: null, key: keyed.api_key })).status;
      expect([await status('ad/group/Readers'), await status('ad/user/jo'), await status('ad/computer')]).toEqual([
        ...[200, 401, 401],
      ]);
      const events = await get('system/event?service=ad&as_list=true');
      expect(JSON.stringify(events)).toContain('ad.user.{name}.get');
    });
  });

  it('abuse: secrets of the configuration are masked, kept, and asked for again where it leads elsewhere', async () => {
    const { id } = await make('kept', reader);
    expect((await get(`system/service/${id}`)).config).toMatchObject({ password: '**********', max_page_size: 1000 });
    const change = (config: object) => platform.ask('PATCH', `system/service/${id}`, { body: { config } });
    expect((await change({ max_page_size: 10 })).status).toBe(200);
    expect((await platform.ask('GET', 'kept/user?as_list=true')).status).toBe(200);
    expect((await change({ host: '127.0.0.1:9' })).status).toBe(400);
    expect((await change({ max_page_size: 0 })).status).toBe(400);
    const stored = await platform.store.db.selectFrom('service').select('config').where('id', '=', id).execute();
    expect(stored[0]?.config).not.toContain(reader.password);
  });

  it('tests a configuration', async () => {
    const test = (config: object) =>
      platform.ask('POST', 'system/service/_test', {
        body: {
          ...{ name: 'new', type: 'adldap' },
          config: { host: `127.0.0.1:${directory.port}`, base_dn: corp, ...config },
        },
      });
    expect((await test(reader)).body).toMatchObject({ success: true });
    expect(JSON.stringify((await test({ ...reader, password: 'wrong' })).body)).toContain('Invalid credentials');
  });
});
