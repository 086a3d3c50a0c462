import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mysql } from '../../services/mysql/index.ts';
import { pgsql } from '../../services/pgsql/index.ts';
import { sqlite } from '../../services/sqlite/index.ts';
import { loadServices } from './index.ts';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
  system.types.push(...([pgsql, mysql, sqlite] as never[]));
});
afterEach(() => system.close());

const mask = '**********';
const config = {
  host: 'db.internal',
  database: 'prod',
  username: 'prod',
  password: 's3cret',
  options: { sslrootcert: '/ca.pem', ssl_mode: 'VERIFY_CA', prepare: 'true' },
};
const addService = async (type: string, set: object = {}): Promise<number> => {
  const record = { name: `${type}-service`, type, config: { ...config, ...set } };
  const { body } = await ask('POST', 'service', { resource: [record] });
  return body.resource[0].id;
};
const passwordOf = async (id: number) =>
  (await loadServices(system.store, { secrets: system.secrets, types: () => system.types })).find(
    (row) => row.id === id,
  )?.config.password;
const requiredMessage = (field: string) =>
  `Invalid data supplied. The password field is required when ${field} changes.`;

test.each([
  ['pgsql', { host: '127.0.0.1' }, 'host'],
  ['pgsql', { host: null }, 'host'],
  ['pgsql', { port: 18897 }, 'port'],
  ['pgsql', { port: '18897' }, 'port'],
  ['pgsql', { username: 'other' }, 'username'],
  ['pgsql', { sslmode: 'disable' }, 'sslmode'],
  ['pgsql', { options: { sslrootcert: '/other.pem' } }, 'options'],
  ['pgsql', { options: null }, 'options'],
  ['mysql', { unix_socket: '/tmp/evil.sock' }, 'unix socket'],
  ['mysql', { options: { ...config.options, ssl_mode: 'REQUIRED' } }, 'options'],
  ['mysql', { options: { ...config.options, ssl_ca: '/evil.pem' } }, 'options'],
])(
  'abuse: a %s service with %j gets its stored password neither by the mask nor by none',
  async (type, changes, field) => {
    const id = await addService(type);
    for (const password of [{}, { password: mask }]) {
      const input = { config: { ...changes, ...password } };
      for (const verb of ['PUT', 'PATCH'] as const) {
        const { status, body } = await ask(verb, `service/${id}`, input);
        expect([status, body.error.message]).toEqual([400, expect.stringContaining(requiredMessage(field))]);
        expect(body.error.context.password).toEqual([`The password field is required when ${field} changes.`]);
        for (const [path, batch] of [
          ['service', { resource: [{ id, ...input }] }],
          [`service?ids=${id}&continue=true`, { resource: [input] }],
          ['service?rollback=true', { resource: [{ id, ...input }] }],
        ] as const) {
          const response = await ask(verb, path, batch);
          expect(response.status).toBe(400);
          expect(response.body.error.context.resource[0].message).toContain(requiredMessage(field));
        }
      }
    }
    expect((await ask('GET', `service/${id}?fields=config`)).body.config).toMatchObject({ host: 'db.internal' });
    const { password: _, ...others } = config;
    const replaced = await ask('PATCH', `service/${id}`, {
      config: { ...others, host: 'new', ...changes, password: 'new' },
    });
    if (!('host' in changes && changes.host === null))
      expect([replaced.status, await passwordOf(id)]).toEqual([200, 'new']);
  },
);

test('while nothing that leads there differs, whatever else changes, the stored password stays', async () => {
  const id = await addService('pgsql', { port: 5433, sslmode: 'prefer' });
  const equalConfigs: object[] = [
    { host: ' db.internal ' },
    { host: 'db.internal', port: '5433' },
    { sslmode: '' },
    { sslmode: null },
    { username: 'prod\n' },
    { options: { sslrootcert: ' /ca.pem', prepare: 'false' } },
    { database: 'other', schema: 'x', statements: ['select 1'], timezone: 'UTC', attributes: { a: '1' } },
  ];
  for (const changes of equalConfigs)
    for (const password of [{}, { password: mask }]) {
      const { status, body } = await ask('PATCH', `service/${id}?fields=*`, {
        name: 'renamed',
        label: 'Other',
        config: { ...changes, ...password },
      });
      expect([status, body.config.password]).toEqual([200, mask]);
    }
  expect(await passwordOf(id)).toBe('s3cret');
  const usualPortId = await addService('mysql', { port: null });
  expect((await ask('PATCH', `service/${usualPortId}`, { config: { port: 3306 } })).status).toBe(200);
  expect(await passwordOf(usualPortId)).toBe('s3cret');
});

test('nothing is required where nothing is stored, and a secret that is taken away goes nowhere', async () => {
  const id = await addService('pgsql', { password: null });
  expect((await ask('PATCH', `service/${id}`, { config: { host: 'a', password: mask } })).status).toBe(200);
  await ask('PATCH', `service/${id}`, { config: { password: 's3cret' } });
  expect((await ask('PATCH', `service/${id}`, { config: { host: 'b', password: '' } })).status).toBe(200);
  expect(await passwordOf(id)).toBe('');
});

test('abuse: a change of type takes the password nowhere else', async () => {
  const id = await addService('pgsql');
  // Its usual port is another one.
  const moved = await ask('PATCH', `service/${id}`, { type: 'mysql' });
  expect([moved.status, moved.body.error.message]).toEqual([400, requiredMessage('port')]);
  // The certificates that are checked go by other names there.
  const loose = await ask('PATCH', `service/${id}`, { type: 'mysql', config: { port: 5432 } });
  expect([loose.status, loose.body.error.message]).toEqual([400, requiredMessage('options')]);
  const anew = { type: 'mysql', config: { password: 'new', options: null } };
  expect((await ask('PATCH', `service/${id}`, anew)).status).toBe(200);
  // By way of a type without a server the password is gone.
  await ask('PATCH', `service/${id}`, { type: 'sqlite' });
  await ask('PATCH', `service/${id}`, { type: 'pgsql', config: { host: 'evil', password: mask } });
  expect(await passwordOf(id)).toBeNull();
});

test('abuse: secrets in rows of a list stay where they were given for, too', async () => {
  const headers = [{ name: 'X-Key', value: 's3cret' }];
  await ask('POST', 'service', { resource: [{ name: 'rows', type: 'everything', config: { host: 'h', headers } }] });
  const errorContextOf = async (changes: object) =>
    (await ask('PATCH', 'service/8', { config: changes })).body.error?.context;
  const rows = [{ id: 1, name: 'X-Key', value: mask }];
  expect(await errorContextOf({ host: 'evil' })).toEqual({
    headers: ['The headers field is required when host changes.'],
  });
  expect(await errorContextOf({ host: 'evil', headers: rows })).toEqual({
    headers: ['The value field is required when host changes.'],
  });
  expect(await errorContextOf({ headers: rows })).toBeUndefined();
  expect(await errorContextOf({ host: 'new', headers })).toBeUndefined();
});
