// Aliases of tables and fields over HTTP: what closes or filters their records goes by the name that the API calls them by.
import type { PlannedTable } from '@sluice/contract';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, fixture, serviceOver } from '../fixture/index.ts';

type Usage = PlannedTable['used_by'][number];

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

describe.each(['sqlite', 'pgsql'] as const)('%s', (engine) => {
  let db: Fixture;
  let service: number;
  let count = 0;
  let role: number;
  let person: { token: string; key: string };

  const as = async (verb: string, path: string, body?: unknown, caller: object = {}) => {
    const { status, body: answer, text } = await platform.ask(verb, `${engine}/${path}`, { body, ...caller });
    return { status, answer, text };
  };
  const ok = async (verb: string, path: string, body: unknown) => {
    const { status, answer, text } = await as(verb, path, body);
    expect(status, text).toBe(200);
    return answer;
  };
  const setAlias = (table: string, alias: string | null, more: object = {}) =>
    ok('PATCH', `_schema/${table}`, { alias, ...more });
  const setFieldAlias = (field: string, alias: string | null) =>
    ok('PATCH', `_schema/contact/_field/${field}`, { alias });
  /** The ids that the person reads, or what refuses. */
  const seen = async (table: string) => {
    const { status, answer } = await as('GET', `_table/${table}?fields=id&order=id`, undefined, person);
    return status === 200 ? (answer.resource as { id: number }[]).map(({ id }) => id) : status;
  };
  const access = async () => {
    const { body } = await platform.ask('GET', `system/role/${role}?related=role_service_access_by_role_id`);
    return (body.role_service_access_by_role_id as { component: string; filters: { name: string }[] }[]).map(
      ({ component, filters }) => [component, ...(filters ?? []).map(({ name }) => name)].join(' '),
    );
  };
  /** A person who may read all tables, but for these rows. */
  const signIn = async (...rows: object[]) => {
    count += 1;
    const name = `${engine}${count}`;
    const all = [{ component: '_table/*' }, ...rows];
    const created = await platform.create('role', {
      name,
      is_active: true,
      role_service_access_by_role_id: all.map((row) => ({
        service_id: service,
        verb_mask: 1,
        requestor_mask: 1,
        ...row,
      })),
    });
    role = created.id;
    const app = await platform.create('app', { name, is_active: true });
    const login = { email: `${name}@example.com`, password: 'pass word' };
    await platform.create('user', { ...login, user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role }] });
    const key = String(app.api_key);
    const { body } = await platform.ask('POST', 'user/session', { body: login, token: null, key });
    person = { token: String(body.session_token), key };
  };
  const denied = (table: string) => ({ component: `_table/${table}`, verb_mask: 0 });
  const ann = [{ name: 'name', operator: '=', value: 'Ann' }];

  beforeAll(async () => {
    db = await fixture(engine);
    service = (await platform.create('service', serviceOver(db, engine))).id;
  });
  afterAll(() => db?.stop());
  beforeEach(() => db.reset());
  afterEach(async () => {
    for (const table of ['contact', 'team']) await setAlias(table, null);
    for (const field of ['name', 'age']) await setFieldAlias(field, null);
  });

  it('abuse: a denied table stays denied under an alias that it gets, changes and loses', async () => {
    await signIn(denied('CONTACT'), { component: '_schema/contact', verb_mask: 0 }, denied('team'));
    expect(await seen('contact')).toBe(403);
    for (const [alias, name] of [
      ['quiet', 'quiet'],
      ['silent', 'silent'],
      ['Silent', 'Silent'],
      [null, 'contact'],
    ] as const) {
      await setAlias('contact', alias);
      expect(await seen(name)).toBe(403);
      // Below `_schema` tables go by the names of the database.
      expect(await access()).toEqual(['_table/*', `_table/${name}`, '_schema/contact', '_table/team']);
    }
  });

  it('abuse: a record filter goes on under the alias of its table, and by the alias of its field', async () => {
    await signIn({ component: '_table/contact', filters: ann }, { component: '_table/contact/*', filters: ann });
    expect(await seen('contact')).toEqual([1]);
    await setAlias('contact', 'quiet');
    expect(await seen('quiet')).toEqual([1]);
    expect((await as('GET', '_table/quiet/2', undefined, person)).status).toBe(404);
    await setFieldAlias('name', 'called');
    expect([await seen('quiet'), await access()]).toEqual([
      [1],
      ['_table/*', '_table/quiet called', '_table/quiet/* called'],
    ]);
    await setFieldAlias('name', 'known_as');
    expect(await seen('quiet')).toEqual([1]);
    // All at once, as the whole description of a table sends it.
    await setAlias('contact', null, { field: [{ name: 'name', alias: null }] });
    expect([await seen('contact'), await access()]).toEqual([
      [1],
      ['_table/*', '_table/contact name', '_table/contact/* name'],
    ]);
  });

  it('fields that change places by their aliases change places in filters', async () => {
    await signIn({ component: '_table/contact', filters: ann });
    await setAlias('contact', null, { field: [{ name: 'age', alias: 'years' }] });
    await ok('PATCH', '_schema/contact', {
      field: [
        { name: 'name', alias: 'age' },
        { name: 'age', alias: 'name' },
      ],
    });
    expect([await seen('contact'), await access()]).toEqual([[1], ['_table/*', '_table/contact age']]);
  });

  it('the plan tells what follows an alias, and what does not', async () => {
    await signIn(
      { component: '_table/contact', filters: ann },
      { component: '_schema/contact/*' },
      { component: '_table/con*', filters: ann },
      { component: '_table/quiet' },
    );
    const usage = async (body: object) => {
      const plan = await ok('POST', '_plan', { verb: 'PATCH', path: '_schema/contact', body });
      return (plan.resource[0].used_by as Usage[])
        .filter(({ id }) => id === role)
        .map(({ kind, field, onRename, sentence }) => [kind, field, onRename, sentence?.id]);
    };
    expect(await usage({ alias: 'quiet' })).toEqual([
      ['role', null, 'follows', 'row'],
      ['role', null, 'stays', 'rowOfPattern'],
      ['role', null, 'stays', 'rowOfNewName'],
    ]);
    expect(await usage({ field: [{ name: 'name', alias: 'called' }] })).toEqual([
      ['recordFilter', 'name', 'follows', 'filter'],
      ['recordFilter', 'name', 'stays', 'filterOfTables'],
    ]);
    await setAlias('contact', 'silent');
    expect(await usage({ alias: 'silent' })).toEqual([]);
    expect(await usage({ label: 'People' })).toEqual([]);
    expect(await usage({ alias: null })).toContainEqual(['role', null, 'follows', 'row']);
    expect(await access()).toContain('_table/silent name');
  });

  it('abuse: tables that pass names on in one call keep what closes each of them', async () => {
    await signIn(denied('contact'), {
      component: '_table/team',
      verb_mask: 1,
      filters: [{ ...ann[0], name: 'id' }],
    });
    await ok('PATCH', '_schema?rollback=true', {
      resource: [
        { name: 'team', alias: 'firm' },
        { name: 'contact', alias: 'team' },
      ],
    });
    expect([await seen('team'), await access()]).toEqual([403, ['_table/*', '_table/team', '_table/firm id']]);
    // Three steps, in which two change places.
    await ok('PATCH', '_schema?rollback=true', {
      resource: [
        { name: 'team', alias: 'between' },
        { name: 'contact', alias: 'firm' },
        { name: 'team', alias: null },
      ],
    });
    expect([await seen('firm'), await access()]).toEqual([403, ['_table/*', '_table/firm', '_table/team id']]);
  });

  it('abuse: a table that gets a new name and an alias at once, with a change of the database', async () => {
    await signIn(denied('contact'), { component: '_schema/contact', verb_mask: 0 });
    await ok('PATCH', '_schema/contact', { new_name: 'person', alias: 'quiet' });
    try {
      expect([await seen('quiet'), await access()]).toEqual([403, ['_table/*', '_table/quiet', '_schema/person']]);
    } finally {
      await ok('PATCH', '_schema/person', { new_name: 'contact', alias: null });
    }
    expect([await seen('contact'), await access()]).toEqual([403, ['_table/*', '_table/contact', '_schema/contact']]);
  });

  it('what follows is in the audit; an alias that is refused moves nothing', async () => {
    await signIn(denied('contact'));
    const { body } = await platform.ask('GET', 'system/audit?order=id%20desc&limit=1');
    const entries = async () => {
      const later = await platform.ask('GET', `system/audit?filter=id%3E${body.resource[0].id}&order=id`);
      // Roles of other tests name the table, too.
      return (later.body.resource as { after: { role_id?: number } }[]).filter(({ after }) =>
        [role, undefined].includes(after.role_id),
      );
    };
    expect((await as('PATCH', '_schema/contact', { alias: 'team' })).status).toBe(400);
    expect([await access(), await entries()]).toEqual([['_table/*', '_table/contact'], []]);
    await setAlias('contact', 'quiet');
    expect(await entries()).toMatchObject([
      {
        action: 'update',
        resource: 'role_service_access',
        user_email: 'ada@example.com',
        before: { component: '_table/contact' },
        after: { component: '_table/quiet' },
      },
      { action: 'update', resource: 'service', record_name: `${engine}/_schema/contact`, after: { alias: 'quiet' } },
    ]);
  });
});
