// Who can change a file that a script is linked to, through HTTP.
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';

let platform: TestPlatform;
let files: number;
const keys: Record<string, string> = {};
const ids: Record<string, number> = {};
const address = (path: string, service = files) =>
  `system/event_script/_writers?storage_service_id=${service}&storage_path=${path}`;

beforeAll(async () => {
  platform = await startPlatform();
  const { id } = await platform.create('service', {
    ...{ name: 'scripts', label: 'Scripts', type: 'local_file', is_active: true, config: { container: 'scripts' } },
  });
  files = id;
  const row = (component: string, verb_mask: number, more = {}) => ({ service_id: id, component, verb_mask, ...more });
  const roles: Record<string, Record<string, unknown>[]> = {
    reader: [row('*', 1)],
    writer: [row('hooks/*', 6)],
    // The exact row decides, so the wider one does not count there.
    kept: [row('hooks/*', 31), row('hooks/a.js', 1)],
    deleter: [row('hooks/a.js', 16, { requestor_mask: 2 })],
    everything: [{ service_id: null, component: '*', verb_mask: 31 }],
    asleep: [row('*', 31)],
    scripter: [{ service_id: 1, component: 'event_script/*', verb_mask: 4 }],
  };
  for (const [name, role_service_access_by_role_id] of Object.entries(roles)) {
    const role = await platform.create('role', { name, is_active: name !== 'asleep', role_service_access_by_role_id });
    ids[name] = role.id;
  }
  for (const name of ['writer', 'reader', 'scripter']) {
    const app = await platform.create('app', { name, is_active: true, role_id: ids[name] });
    ids[`app ${name}`] = app.id;
    keys[name] = String(app.api_key);
  }
  for (const [name, role, is_active] of [
    ...[['wim', 'writer', true] as const, ['rob', 'reader', true] as const],
    ...[['gone', 'writer', false] as const, ['eve', 'everything', true] as const],
  ]) {
    const person = await platform.create('user', {
      ...{ email: `${name}@example.com`, name, is_active },
      user_to_app_to_role_by_user_id: [{ app_id: ids['app reader'], role_id: ids[role] }],
    });
    ids[name] = person.id;
  }
});
afterAll(() => platform.stop());

test('names the roles that may, and who has them', async () => {
  const { status, body } = await platform.ask('GET', address('/hooks/a.js'));
  expect([status, body]).toEqual([
    200,
    {
      ...{ service: 'scripts', path: 'hooks/a.js', administrators: 1, outside: false, has_more: false },
      roles: [
        { id: ids.writer, name: 'writer', verbs: ['POST', 'PUT'] },
        { id: ids.deleter, name: 'deleter', verbs: ['DELETE'] },
        { id: ids.everything, name: 'everything', verbs: ['POST', 'PUT', 'PATCH', 'DELETE'] },
      ],
      apps: [{ id: ids['app writer'], name: 'writer', role_id: ids.writer }],
      people: [
        { id: ids.wim, name: 'wim', email: 'wim@example.com', role_id: ids.writer },
        { id: ids.eve, name: 'eve', email: 'eve@example.com', role_id: ids.everything },
      ],
    },
  ]);
  const other = (await platform.ask('GET', address('other.js'))).body;
  expect(other.roles.map(({ name }: { name: string }) => name)).toEqual(['everything']);
});

test('tells the truth: each of them can, and nobody else', async () => {
  const write = async (name: string) =>
    platform.ask('PUT', 'scripts/hooks/a.js', { token: null, key: keys[name] as string, body: 'x' });
  await platform.ask('POST', 'scripts/hooks/');
  expect((await write('writer')).status).toBeLessThan(300);
  expect((await write('reader')).status).toBeGreaterThanOrEqual(400);
});

test('is for those who write scripts', async () => {
  const asked = async (name: string) =>
    (await platform.ask('GET', address('hooks/a.js'), { token: null, key: keys[name] as string })).status;
  expect([await asked('scripter'), await asked('writer')]).toEqual([401, 401]);
  const role = { role_service_access_by_role_id: [{ service_id: 1, component: 'event_script/*', verb_mask: 3 }] };
  await platform.ask('PATCH', `system/role/${ids.scripter}`, { body: role });
  expect(await asked('scripter')).toBe(200);
});

test.each(['0', 'x', '999', '1'])('a service %s that holds no scripts is refused', async (service) => {
  const refused = await platform.ask('GET', address('a.js', service as never));
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    'What a script is linked to must be a file of a file service or of a repository.',
  ]);
});
