import type { Explanation } from '@sluice/contract';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let platform: TestPlatform;
let ids: Record<'role' | 'asleep' | 'app' | 'open' | 'closed' | 'jo' | 'gone' | 'db', number>;
let key: string;
let rowIds: number[];

beforeAll(async () => {
  platform = await startPlatform();
  const { ask, create } = platform;
  const db = (await ask('GET', 'system/service?filter=name=db')).body.resource[0].id;
  await create('lookup', { name: 'region', value: 'world' });
  const role = (await create(
    'role',
    {
      name: 'clerk',
      is_active: true,
      lookup_by_role_id: [
        { name: 'region', value: 'eu' },
        { name: 'code', value: 's3cret', private: true },
      ],
      role_service_access_by_role_id: [
        { service_id: null, component: '*', verb_mask: 1 },
        { service_id: db, component: '_table/*', verb_mask: 3 },
        {
          service_id: db,
          component: '_table/sale',
          verb_mask: 15,
          filter_op: 'or',
          filters: [
            { name: 'owner', operator: '=', value: '{user.email}' },
            { name: 'region', operator: 'in', value: '({region}, all)' },
            { name: 'app', operator: '=', value: '{app.api_key}' },
            { name: 'coded', operator: 'in', value: '({base64_encode(app.api_key)}, {strtoupper(region)})' },
            { name: 'coded', operator: '=', value: '{urlencode(session.token)}' },
            { name: 'session', operator: '=', value: '{session.token}' },
            { name: 'code', operator: '=', value: '{code}' },
            { name: 'gone', operator: 'is null' },
          ],
        },
        { service_id: db, component: '_schema/*', verb_mask: 1, requestor_mask: 2 },
        { service_id: 1, component: 'user', verb_mask: 1 },
      ],
    },
    'role_service_access_by_role_id',
  )) as unknown as { id: number; role_service_access_by_role_id: { id: number }[] };
  rowIds = role.role_service_access_by_role_id.map(({ id }) => id);
  const asleep = await create('role', { name: 'asleep', is_active: false });
  const app = await create('app', { name: 'shop', is_active: true, role_id: asleep.id });
  const open = await create('app', { name: 'open', is_active: true, role_id: role.id });
  const closed = await create('app', { name: 'closed', is_active: false });
  key = String(app.api_key);
  const assignments = [{ app_id: app.id, role_id: role.id }];
  const jo = await create('user', { email: 'jo@example.com', user_to_app_to_role_by_user_id: assignments });
  const gone = await create('user', { email: 'gone@example.com', is_active: false });
  await create('service', { name: 'shut', type: 'sqlite', is_active: false, config: { database: 'x.db' } });
  ids = {
    role: role.id,
    asleep: asleep.id,
    app: app.id,
    open: open.id,
    closed: closed.id,
    jo: jo.id,
    gone: gone.id,
    db,
  };
});
afterAll(() => platform.stop());

async function explain(question: object): Promise<Explanation> {
  const { status, body, text } = await platform.ask('POST', 'system/access/explain', { body: question });
  expect([status, text.slice(0, 300)]).toEqual([200, expect.anything()]);
  return body;
}
const refusal = (status: number, message: string) => ({ allowed: false, refusal: { status, message } });

describe('who may ask, and what', () => {
  test('administrators alone, whatever a role gives, and only in this way', async () => {
    const all = await platform.create('role', {
      name: 'all',
      is_active: true,
      role_service_access_by_role_id: [{ component: '*', verb_mask: 31 }],
    });
    const app = await platform.create('app', { name: 'all', is_active: true, role_id: all.id });
    const body = { verb: 'GET', path: 'db' };
    const request = { token: await platform.tokenOf(ids.jo), key: String(app.api_key), body };
    const response = await platform.ask('POST', 'system/access/explain', request);
    expect([response.status, response.body.error.message]).toEqual([
      401,
      'You are not authorized to perform this action.',
    ]);
    const stranger = await platform.ask('POST', 'system/access/explain', { token: null, key: request.key, body });
    expect(stranger.status).toBe(401);
    const get = await platform.ask('GET', 'system/access/explain');
    expect([get.status, get.headers.allow]).toEqual([405, 'POST']);
    expect((await platform.ask('POST', 'system/access/explain/1', { body })).status).toBe(404);
    expect((await platform.ask('GET', 'system?as_list=true')).body.resource).not.toContain('access/explain');
  });

  test.each<[object | string | undefined, number, RegExp]>([
    [undefined, 400, /the body has to be an object/],
    [{ path: 'db' }, 400, /: verb has to be one of GET, POST, PUT, PATCH, DELETE\.$/],
    [{ verb: 'FETCH', path: 'db' }, 400, /: verb /],
    [{ verb: 'GET' }, 400, /: path has to begin with the name of a service/],
    [{ verb: 'GET', path: '' }, 400, /: path /],
    [{ verb: 'GET', path: '/api/v2/' }, 400, /: path /],
    [{ verb: 'GET', path: 'db/%zz' }, 400, /UTF-8/],
    [{ verb: 'GET', path: 'db', requestor: 'MAIL' }, 400, /: requestor has to be one of API, SCRIPT/],
    [{ verb: 'GET', path: 'db', record: [1] }, 400, /: record has to be an object/],
    [{ verb: 'GET', path: 'db', user_id: '1' }, 400, /: user_id has to be the id/],
    [{ verb: 'GET', path: 'db', user_id: 1, role_id: 1 }, 400, /: role_id can not be asked together/],
    [{ verb: 'GET', path: 'db', user_id: 999 }, 404, /no person with the id 999, which user_id names/],
    [{ verb: 'GET', path: 'db', app_id: 999 }, 404, /no app with the id 999, which app_id names/],
    [{ verb: 'GET', path: 'db', role_id: 999 }, 404, /no role with the id 999, which role_id names/],
  ])('%j is a %i', async (body, status, text) => {
    const response = await platform.ask('POST', 'system/access/explain', { body });
    expect([response.status, response.body.error.message]).toEqual([status, expect.stringMatching(text)]);
  });

  test('a path has an end', async () => {
    const body = { verb: 'GET', path: 'x'.repeat(5000) };
    const response = await platform.ask('POST', 'system/access/explain', { body });
    expect([response.status, response.body.error.message]).toEqual([
      400,
      expect.stringContaining('path may not be longer'),
    ]);
  });

  test.each([
    'db/_table/Sale/7',
    '/db/_table/Sale/7/',
    '/api/v2/DB/_table/Sale/7?fields=*',
    'https://x.example/api/v2/db/_table/sale/7',
    'api/v2.0/db/_table/sale/7',
  ])('%s is understood', async (path) => {
    expect((await explain({ verb: 'get', path })).call).toEqual({
      verb: 'GET',
      requestor: 'API',
      service: 'db',
      component: '_table/sale/7',
      service_id: ids.db,
      service_type: 'sqlite',
      service_is_active: true,
    });
  });
});

describe('what it says', () => {
  test('of a row that decides, and those it outranks', async () => {
    const explanation = await explain({ user_id: ids.jo, app_id: ids.app, verb: 'PUT', path: 'db/_table/sale' });
    expect(explanation).toMatchObject({
      allowed: true,
      refusal: null,
      decided_by: 'exact',
      verb_mask: 15,
      verbs: ['GET', 'POST', 'PUT', 'PATCH'],
      record: null,
      caller: {
        kind: 'user',
        user: { id: ids.jo, email: 'jo@example.com', is_active: true },
        app: { id: ids.app, name: 'shop', is_active: true },
        role: { id: ids.role, name: 'clerk', is_active: true },
        role_from: 'user',
      },
    });
    expect(explanation.rows.map(({ id, why, counts }) => [rowIds.indexOf(id), why, counts])).toEqual([
      [2, 'counts', true],
      [0, 'outranked', false],
      [1, 'outranked', false],
      [3, 'requestor', false],
    ]);
    expect(explanation.rows.map(({ number }) => number)).toEqual([3, 1, 2, 4]);
    expect(explanation.reasons[0]).toBe('The caller is "jo" (jo@example.com), a user.');
    expect(explanation.reasons).toContain('For this app the person has the role "clerk".');
    expect(explanation.reasons).toContainEqual(
      expect.stringMatching(
        /^Rows for exactly this component decide: row 3 \('_table\/sale' of 'db': GET, POST, PUT, PATCH\)\.$/,
      ),
    );
    expect(explanation.reasons).toContainEqual(expect.stringMatching(/^They outrank row 1 .*; row 2 /));
    expect(explanation.reasons.at(-1)).toBe("PUT on '_table/sale' of the service 'db' is allowed.");
  });

  test('of the record filter: lookups filled in, and nothing that lets others in', async () => {
    const question = { user_id: ids.jo, app_id: ids.app, verb: 'PATCH', path: 'db/_table/sale/7' };
    // The records of a table go by its own row, whose verbs are another matter.
    expect(await explain(question)).toMatchObject({ allowed: false, decided_by: 'wildcard', filter: null });
    const explanation = await explain({ ...question, verb: 'POST', record: { owner: 'jo@example.com' } });
    expect(explanation.filter).toMatchObject({ row_id: rowIds[2], row_number: 3, filter_op: 'OR' });
    expect(explanation.reasons).toContainEqual(expect.stringMatching(/^Only records that match the filter of row 3 /));
    expect(explanation.filter!.conditions.map(({ filled }) => filled)).toEqual([
      'jo@example.com',
      ['eu', 'all'],
      '**********',
      ['**********', 'EU'],
      '{urlencode(session.token)}',
      '{session.token}',
      '{code}',
      null,
    ]);
    expect(explanation.filter!.text).toMatch(
      /^\(owner = "jo@example.com"\) OR \(region in \("eu", "all"\)\) OR .* OR \(gone is null\)$/,
    );
    expect(explanation.record).toEqual({
      passes: true,
      text: 'The record passes the record filter.',
      id: 'recordPasses',
    });
    expect(JSON.stringify(explanation)).not.toMatch(new RegExp(`${key}|s3cret`));
    const other = await explain({ ...question, verb: 'POST', record: { owner: 'x', gone: 1 } });
    expect(other).toMatchObject({ allowed: true, record: { passes: false } });
    expect(other.reasons.join(' ')).toContain('does not pass the record filter and is refused');
    const byKey = await explain({ ...question, verb: 'POST', record: { app: key, gone: 1 } });
    expect(byKey.record!.passes).toBe(true);
    const anybody = await explain({ role_id: ids.role, verb: 'GET', path: 'db/_table/sale' });
    expect(anybody.filter!.conditions.slice(0, 3).map(({ filled }) => filled)).toEqual([
      '{user.email}',
      ['eu', 'all'],
      '{app.api_key}',
    ]);
    expect((await explain({ user_id: 1, verb: 'GET', path: 'db/_table/sale', record: {} })).record!.passes).toBe(true);
  });

  test.each<[string, () => object, object, RegExp]>([
    [
      'an administrator',
      () => ({ user_id: 1 }),
      { allowed: true, decided_by: 'administrator', verb_mask: 31, rows: [] },
      /may do everything/,
    ],
    [
      'a stranger',
      () => ({}),
      { ...refusal(400, expect.stringMatching(/^No session token/) as never), decided_by: 'none' },
      /Nobody is signed in/,
    ],
    [
      'an app by itself',
      () => ({ app_id: ids.open }),
      { allowed: true, decided_by: 'wildcard', caller: { kind: 'app', role_from: 'app' } },
      /The app's default role counts: "clerk"/,
    ],
    [
      'an app without a word of the role',
      () => ({ app_id: ids.open, verb: 'DELETE' }),
      refusal(401, 'Unauthorized. User is not authenticated.'),
      /DELETE .* is refused/,
    ],
    [
      'a person without key',
      () => ({ user_id: ids.jo }),
      refusal(400, expect.stringMatching(/^No API Key/) as never),
      /without an API key there is none/,
    ],
    [
      'a person by the default role',
      () => ({ user_id: ids.jo, app_id: ids.open }),
      { allowed: true, caller: { role_from: 'app' } },
      /no role of their own/,
    ],
    [
      'somebody of a role',
      () => ({ role_id: ids.role, verb: 'DELETE' }),
      refusal(
        403,
        "Access Forbidden. DELETE access to component '_table/x' of service 'db' is not allowed by this user's role.",
      ),
      /Somebody is signed in who has the role "clerk"/,
    ],
    [
      'a role that is not active',
      () => ({ role_id: ids.asleep }),
      { ...refusal(403, expect.stringMatching(/is not active\.$/) as never), decided_by: 'refused' },
      /"asleep" is not active/,
    ],
    [
      'a person who is not active',
      () => ({ user_id: ids.gone, app_id: ids.open }),
      { ...refusal(403, 'User is not active.'), decided_by: 'refused', caller: { user: { is_active: false } } },
      /Already who calls is refused/,
    ],
    [
      'an app that is not active',
      () => ({ user_id: 1, app_id: ids.closed }),
      { ...refusal(403, 'App is not active.'), decided_by: 'refused' },
      /"closed", which is not active/,
    ],
    [
      'a script',
      () => ({ role_id: ids.role, requestor: 'SCRIPT', path: 'db/_schema/x' }),
      { allowed: true, decided_by: 'wildcard' },
      /requester SCRIPT/,
    ],
    [
      'no script',
      () => ({ role_id: ids.role, path: 'db/_schema/x' }),
      { allowed: true, decided_by: 'all' },
      /Rows that do not count for API/,
    ],
    [
      'signing in',
      () => ({ user_id: ids.gone, verb: 'POST', path: 'user/session' }),
      { allowed: true, decided_by: 'exception' },
      /open to everybody/,
    ],
    [
      'a service nobody has',
      () => ({ user_id: 1, path: 'nowhere/x' }),
      {
        ...refusal(404, 'Could not find a service for nowhere'),
        call: { service_id: null, service_type: null, service_is_active: null },
      },
      /404/,
    ],
    [
      'the same without rights',
      () => ({ path: 'nowhere/x' }),
      refusal(400, expect.stringMatching(/^No session token/) as never),
      /400/,
    ],
    [
      'a service that is shut',
      () => ({ role_id: ids.role, path: 'shut' }),
      { ...refusal(403, 'Service shut is deactivated.'), decided_by: 'all' },
      /403 Service shut/,
    ],
    [
      'the root',
      () => ({ role_id: ids.role, path: 'db' }),
      { allowed: true, decided_by: 'all' },
      /rows for all services decide/,
    ],
  ])('of %s', async (_title, question, expected, reason) => {
    const explanation = await explain({ verb: 'GET', path: 'db/_table/x', ...question() });
    expect(explanation).toMatchObject(expected);
    expect(explanation.reasons.join('\n')).toMatch(reason);
    expect(explanation.reasons.join('\n')).not.toMatch(/undefined|null|\[object/);
  });

  test('that a call writes services or scripts, and so acts as an administrator', async () => {
    const rows = [{ service_id: 1, component: '*', verb_mask: 31 }];
    const { id } = await platform.create('role', {
      name: 'writer',
      is_active: true,
      role_service_access_by_role_id: rows,
    });
    const told = async (verb: string, path: string, question: object = { role_id: id }) =>
      (await explain({ verb, path, ...question })).reasons.join('\n').includes('acts as an administrator');
    for (const [verb, path, expected] of [
      ['POST', 'system/service', true],
      ['PATCH', 'system/service/5', true],
      ['POST', 'system/event_script/db.get', true],
      ['GET', 'system/service', false],
      ['POST', 'system/role', false],
    ] as const)
      expect([verb, path, await told(verb, path)]).toEqual([verb, path, expected]);
    expect(await told('POST', 'system/service', { role_id: ids.role })).toBe(false);
    expect(await told('POST', 'system/service', { user_id: 1 })).toBe(false);
  });

  test('of many rows: those that counted first, 200 at most', async () => {
    const access = Array.from({ length: 300 }, (_, n) => ({
      service_id: ids.db,
      component: `_table/t${n}`,
      verb_mask: 1,
    }));
    const { id } = await platform.create('role', {
      name: 'many',
      is_active: true,
      role_service_access_by_role_id: access,
    });
    const { rows } = await explain({ role_id: id, verb: 'GET', path: 'db/_table/t299' });
    expect([rows.length, rows[0]!.component, rows[0]!.why, rows[1]!.why]).toEqual([
      200,
      '_table/t299',
      'counts',
      'component',
    ]);
  });

  test('of a role as it is now', async () => {
    const question = { role_id: ids.asleep, verb: 'GET', path: 'db' };
    await platform.ask('PATCH', `system/role/${ids.asleep}`, {
      body: { is_active: true, role_service_access_by_role_id: [{ service_id: ids.db, component: '', verb_mask: 1 }] },
    });
    expect((await explain(question)).allowed).toBe(true);
    await platform.ask('PATCH', `system/role/${ids.asleep}`, { body: { is_active: false } });
    expect((await explain(question)).allowed).toBe(false);
  });

  test('of invalid filters: what calls are answered', async () => {
    const row = { service_id: ids.db, component: '_table/*', verb_mask: 1, filters: [{ name: 'x', operator: 'like' }] };
    const { id } = await platform.create('role', {
      name: 'odd',
      is_active: true,
      role_service_access_by_role_id: [row],
    });
    expect(await explain({ role_id: id, verb: 'GET', path: 'db/_table/x' })).toMatchObject({
      ...refusal(500, 'Invalid server-side filter configuration detected.'),
      filter: null,
    });
  });
});
