// Global lookup keys in the configurations of services, on real databases and a real mail server.
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { startMailServer } from '@sluice/testkit/mail-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillConfigLookups } from './config-lookups.ts';

const missing = { pgsql: await engineMissing('pgsql'), mysql: await engineMissing('mysql') };

let platform: TestPlatform;
beforeEach(async () => {
  platform = await startPlatform({ mailFrom: 'shop@example.com' });
});
afterEach(() => platform.stop());

const addService = async (name: string, type: string, config: object): Promise<number> =>
  (await platform.create('service', { name, label: name, type, is_active: true, config })).id;
const addKey = async (name: string, value: string, isPrivate = false): Promise<number> =>
  (await platform.create('lookup', { name, value, private: isPrivate })).id;
const messageOf = async (answer: Promise<{ status: number; body: { error?: { message: string } } }>) => {
  const { status, body } = await answer;
  return `${status} ${body.error?.message ?? ''}`.trim();
};
const mask = '**********';

/** Somebody who may change services and lookup keys and is no administrator. */
async function addKeeper() {
  const access = ['service/*', 'lookup/*'].map((component) => ({ service_id: 1, component, verb_mask: 31 }));
  const related = 'role_service_access_by_role_id';
  const role = await platform.create('role', { name: 'k', is_active: true, [related]: access }, related);
  const app = await platform.create('app', { name: 'k', is_active: true, role_id: role.id });
  const { id } = await platform.create('user', { email: 'keeper@example.com', name: 'Keeper' });
  return { token: await platform.tokenOf(id), key: String(app.api_key) };
}

it('a change of a key, its value, name or presence, acts on the services that name it at once', async () => {
  const id = await addService('shop', 'sqlite', { database: '{file}-{STRTOLOWER( env )}' });
  const problem = (name: string) =>
    `503 Service 'shop' is not available: its configuration names the lookup key {${name}}, which does not exist.`;
  const tables = async () => {
    const { body } = await platform.ask('GET', 'shop/_table?as_list=true');
    return body.resource ?? body.error.message;
  };
  expect(await messageOf(platform.ask('GET', 'shop/_table'))).toBe(problem('file'));
  const file = await addKey('file', 'one', true);
  expect(await messageOf(platform.ask('GET', 'shop/_table'))).toBe(problem('env'));
  await addKey('env', 'TEST');
  expect(await tables()).toEqual([]);
  const field = { name: 'id', type: 'id' };
  await platform.ask('POST', 'shop/_schema', { body: { resource: [{ name: 'of_one', field: [field] }] } });
  expect(await tables()).toEqual(['of_one']);

  await platform.ask('PATCH', `system/lookup/${file}`, { body: { value: 'two', private: true } });
  expect(await tables()).toEqual([]);
  await platform.ask('PATCH', `system/lookup/${file}`, { body: { value: 'one', private: true } });
  expect(await tables()).toEqual(['of_one']);
  await platform.ask('PATCH', `system/lookup/${file}`, { body: { name: 'File' } });
  expect(await messageOf(platform.ask('GET', 'shop/_table'))).toBe(problem('file'));
  await platform.ask('DELETE', `system/lookup/${file}`);
  await addKey('file', 'one');
  expect(await tables()).toEqual(['of_one']);

  // It is shown as it was written, and tried as it is opened.
  expect((await platform.ask('GET', `system/service/${id}`)).body.config.database).toBe('{file}-{STRTOLOWER( env )}');
  expect((await platform.ask('POST', `system/service/${id}/_test`)).status).toBe(200);
  const tried = { body: { type: 'sqlite', config: { database: '{nothing}' } } };
  expect(await messageOf(platform.ask('POST', 'system/service/_test', tried))).toContain('{nothing}');
});

it('a password keeps braces that name no key', () => {
  const fields = {
    host: { type: 'string', label: 'Host' },
    password: { type: 'password', label: 'Password', secret: true },
  };
  const fill = (config: Record<string, unknown>) =>
    fillConfigLookups(
      { config, name: 'shop', fields: fields as never },
      new Map([['a', { value: '1', isPrivate: true }]]),
    );
  expect(fill({ host: 'h', password: 'x{9}{a}' })).toEqual({
    config: { host: 'h', password: 'x{9}1' },
    lookups: { privateValues: ['1'] },
  });
  expect(fill({ host: '{b}', password: '' }).lookups?.problem?.().status).toBe(503);
});

it('what a key puts in is checked as what is written is', async () => {
  await addKey('encryption', 'none');
  const config = { host: 'localhost', encryption: '{encryption}' };
  const refused = await platform.ask('POST', 'system/service', {
    body: { resource: [{ name: 'out', label: 'out', type: 'smtp_email', config }] },
  });
  expect(refused.text).toContain('The encryption must be tls or ssl, or blank.');
  await addService('later', 'smtp_email', { ...config, encryption: '{later}' });
  await addKey('later', 'none');
  const mail = { to: 'a@b.example', body_text: 'x', from_email: 'c@d.example' };
  expect((await platform.ask('POST', 'later', { body: mail })).text).toContain('The encryption must be');
});

it('abuse: keys put no more than a million characters into a configuration', async () => {
  await addKey('long', 'x'.repeat(500_000));
  await addService('shop', 'sqlite', { database: '{long}{long}{long}' });
  expect(await messageOf(platform.ask('GET', 'shop/_table'))).toMatch(/^503 .*more than 1048576 characters/);
});

it('a mail server is reached and signed in at by keys; its mails have placeholders of their own', async () => {
  const server = await startMailServer({ account: { user: 'shop', password: 'p{w}d' }, insecureAuth: true });
  const keys = { host: 'localhost', port: String(server.port), user: 'shop' };
  for (const [name, value] of Object.entries(keys)) await addKey(`smtp.${name}`, value);
  await addKey('smtp.password', 'p{w}d', true);
  const id = await addService('out', 'smtp_email', {
    ...{ host: '{smtp.host}', port: '{smtp.port}', username: '{smtp.user}', password: '{smtp.password}' },
    parameters: [{ name: 'greeting', value: 'Hello {smtp.password}', active: true }],
  });
  const body = { to: 'jo@example.com', subject: '{greeting}', body_text: '{trim(smtp.password)}' };
  expect((await platform.ask('POST', 'out', { body })).status).toBe(200);
  const [mail] = await server.arrived(1);
  expect([mail?.user, mail?.parsed.subject, mail?.parsed.text?.trim()]).toEqual([
    'shop',
    'Hello {smtp.password}',
    '{trim(smtp.password)}',
  ]);
  const { config } = (await platform.ask('GET', `system/service/${id}`)).body;
  expect([config.host, config.port, config.password]).toEqual(['{smtp.host}', '{smtp.port}', mask]);
  await server.stop();
});

describe('who may say what a name stands for', () => {
  let keeper: { token: string; key: string };
  let service: number;
  let host: number;
  beforeEach(async () => {
    keeper = await addKeeper();
    host = await addKey('host', 'mail.example.com');
    await addKey('pass', 's3cret', true);
    service = await addService('out', 'smtp_email', { host: '{trim(host)}', username: 'shop', password: '{pass}' });
  });
  const asKeeper = (verb: string, path: string, body?: object) =>
    messageOf(platform.ask(verb, `system/${path}`, { ...keeper, ...(body ? { body } : {}) }));

  it('abuse: who may write keys leads no secret elsewhere by them', async () => {
    const refusal = /^403 .*The configuration of a service names \{(host|pass|new)\}: only an administrator/;
    expect(await asKeeper('PATCH', `lookup/${host}`, { value: 'evil.example' })).toMatch(refusal);
    expect(await asKeeper('PATCH', `lookup/${host}`, { name: 'other' })).toMatch(refusal);
    expect(await asKeeper('PATCH', `lookup/${host}`, { private: true })).toMatch(refusal);
    expect(await asKeeper('DELETE', `lookup/${host}`)).toMatch(refusal);
    const other = await addKey('other', 'evil.example');
    await platform.ask('DELETE', `system/lookup/${host}`);
    expect(await asKeeper('PATCH', `lookup/${other}`, { name: 'host' })).toMatch(refusal);
    const key = { name: 'host', value: 'evil.example' };
    const made = await platform.ask('POST', 'system/lookup', { ...keeper, body: { resource: [key] } });
    expect(made.text).toMatch(/only an administrator may say/);
    expect(await asKeeper('PATCH', `lookup/${other}`, { description: 'mine', value: 'x' })).toBe('200');
    expect((await platform.ask('GET', 'system/lookup?as_list=true')).body.resource).not.toContain('host');
  });

  it('abuse: who may write services gets no private key sent to a place of their own', async () => {
    const refusal = /^403 .*names the lookup key \{\w+\}: only an administrator may change or test it/;
    const evil = { host: 'evil.example', username: 'x', password: '{pass}' };
    const created = await platform.ask('POST', 'system/service', {
      ...keeper,
      body: { resource: [{ name: 'e', label: 'e', type: 'smtp_email', config: evil }] },
    });
    expect([created.status, created.text]).toEqual([400, expect.stringMatching(/only an administrator/)]);
    expect(await asKeeper('POST', 'service/_test', { type: 'smtp_email', config: evil })).toMatch(refusal);
    for (const config of [evil, { ...evil, password: mask }, { host: 'evil.example' }, { encryption: 'tls' }]) {
      expect(await asKeeper('PATCH', `service/${service}`, { config })).toMatch(/^40[03] /);
      expect(await asKeeper('POST', `service/${service}/_test`, { config })).toMatch(/^40[03] /);
    }
    expect(await asKeeper('PATCH', `service/${service}`, { type: 'sparkpost_email', config: {} })).toMatch(/^40[03] /);
    // What leaves the configuration as it is, or without names, is as it was.
    expect(await asKeeper('PATCH', `service/${service}`, { label: 'Out' })).toBe('200');
    const { config } = (await platform.ask('GET', `system/service/${service}`)).body;
    expect(await asKeeper('PATCH', `service/${service}`, { config })).toBe('200');
    expect(await asKeeper('PATCH', `service/${service}`, { config: { ...evil, password: 'own' } })).toBe('200');
  });

  it('abuse: a private value is in no failure', async () => {
    await addKey('nowhere', 'no-such-host.invalid', true);
    const id = await addService('gone', 'smtp_email', { host: '{nowhere}' });
    const body = { to: 'a@b.example', body_text: 'x' };
    const answers = [
      await platform.ask('POST', 'gone', { body }),
      await platform.ask('POST', `system/service/${id}/_test`),
    ];
    for (const { status, text } of answers) expect([status, text]).toEqual([503, expect.not.stringMatching(/invalid/)]);
    expect(answers[0]?.body.error.context.connection).toMatchObject({ service_id: id, address: null });
  });
});

describe.each(['pgsql', 'mysql'] as const)('%s', (engine) => {
  it.skipIf(missing[engine])('is reached and signed in at by keys', async () => {
    const database = await freshDatabase(engine);
    try {
      await database.run('create table t (id int primary key)');
      const keys = { host: database.host, user: database.user, name: database.database };
      for (const [name, value] of Object.entries(keys)) await addKey(`db.${name}`, value ?? '');
      await addKey('db.password', database.password ?? '', true);
      await addService('real', engine, {
        ...{ host: '{db.host}', port: database.port, username: '{db.user}' },
        ...{ password: database.password ? '{db.password}' : '', database: '{db.name}' },
      });
      expect((await platform.ask('GET', 'real/_table?as_list=true')).body.resource).toContain('t');
    } finally {
      await database.drop();
    }
  });
});
