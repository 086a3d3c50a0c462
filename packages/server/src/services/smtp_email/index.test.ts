import { type MailServer, startMailServer } from '@sluice/testkit/mail-server';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';

const account = { user: 'jo', password: 'pass-word' };
let [platform, server, other] = [] as unknown as [TestPlatform, MailServer, MailServer];
let id: number;

beforeAll(async () => {
  server = await startMailServer({ account, encryption: 'tls', insecureAuth: false });
  other = await startMailServer({ account });
  platform = await startPlatform({ mailFrom: 'shop@example.com' });
  const service = await platform.create('service', {
    ...{ name: 'post', label: 'Post', type: 'smtp_email', is_active: true },
    config: {
      ...{ host: 'localhost', port: String(server.port), encryption: 'tls', username: account.user },
      ...{ password: account.password, ca_certificate: server.certificate },
    },
  });
  id = service.id;
});
afterAll(async () => {
  await platform.stop();
  await server.stop();
  await other.stop();
});

const send = () => platform.ask('POST', 'post', { body: { to: 'jo@example.com', body_text: 'Hi' } });
const patch = (config: object) => platform.ask('PATCH', `system/service/${id}`, { body: { config } });

test('a service signs in over TLS, with a certificate of its own', async () => {
  expect((await send()).body).toEqual({ count: 1 });
  expect(await server.arrived(1)).toMatchObject([{ user: 'jo', isEncrypted: true }]);
  expect((await platform.ask('POST', `system/service/${id}/_test`)).body).toEqual({ success: true });
});

test('abuse: a stored password is masked, and goes only where it was given for', async () => {
  const { body } = await platform.ask('GET', `system/service/${id}?fields=*`);
  expect(body.config).toMatchObject({ password: '**********', username: 'jo', port: server.port });
  const changes = { host: '127.0.0.1', port: other.port, encryption: '', username: 'al', ca_certificate: null };
  for (const [field, value] of Object.entries(changes))
    for (const config of [{ [field]: value }, { [field]: value, password: '**********' }]) {
      const message = `The password field is required when ${field.replace('_', ' ')} changes.`;
      const refused = await patch(config);
      expect([field, refused.status, refused.body.error.message]).toEqual([
        field,
        400,
        expect.stringContaining(message),
      ]);
      const tried = await platform.ask('POST', `system/service/${id}/_test`, { body: { config } });
      expect([field, tried.status, tried.body.error.message]).toEqual([field, 400, expect.stringContaining(message)]);
    }
  expect(other.signIns).toBe(0);
  // The same as a number is no change.
  expect((await patch({ port: server.port })).status).toBe(200);
});

test('a wrong password is a 500 with the words of the server, also of a test', async () => {
  expect((await patch({ password: 'wrong-secret' })).status).toBe(200);
  const said = 'The mail server does not accept the login of the service: 535 5.7.8 Authentication credentials invalid';
  for (const { status, body, text } of [await send(), await platform.ask('POST', `system/service/${id}/_test`)]) {
    expect([status, body.error.message]).toEqual([500, said]);
    expect(text).not.toMatch(/wrong-secret/);
    expect(body.error.context.connection).toMatchObject({ service_id: id, address: `localhost:${server.port}` });
  }
});

test('without a sender anywhere a mail is a 400', async () => {
  const bare = await startPlatform();
  try {
    const config = { host: 'localhost', port: other.port };
    await bare.create('service', { name: 'post', label: 'x', type: 'smtp_email', is_active: true, config });
    const { status, body } = await bare.ask('POST', 'post', { body: { to: 'jo@example.com', body_text: 'Hi' } });
    expect([status, body.error.message]).toEqual([
      400,
      'The email has no sender: neither the call nor the template nor the service names one.',
    ]);
  } finally {
    await bare.stop();
  }
});

test('a default sender that is no address stops the start', async () => {
  await expect(startPlatform({ mailFrom: 'nobody' })).rejects.toThrow(
    'SLUICE_MAIL_FROM must be an address, a@b.c or Name <a@b.c>, not "nobody".',
  );
});
