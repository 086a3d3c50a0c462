// Mail servers as they are: with accounts, with encryption, slow, full, lying.
import { type MailServer, type MailServerOptions, selfSignedPair, startMailServer } from '@sluice/testkit/mail-server';
import { afterEach, expect, test } from 'vitest';
import { openSmtp, type SmtpOptions } from './smtp.ts';
import type { Mail, MailTransport } from './transport.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  closing.push(() => server.stop());
  return server;
}

async function open({ port }: Pick<MailServer, 'port'>, options: Partial<SmtpOptions> = {}): Promise<MailTransport> {
  const transport = await openSmtp({ host: 'localhost', port, encryption: 'none', ...options });
  closing.push(() => transport.close?.());
  return transport;
}

const address = (text: string) => ({ name: '', address: text });
const mail: Mail = {
  ...{ from: address('me@example.com'), to: [address('jo@example.com')], cc: [], bcc: [address('bo@example.com')] },
  ...{ subject: 'Hello', text: 'Hi', attachments: [] },
};
const account = { user: 'jo', password: 'pass word ü' };
const login = { user: account.user, password: account.password };
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'sent',
    ({ key, status, message }) => `${status} ${key}: ${message}`,
  );

test('an account signs in, and its password is in no failure', async () => {
  const server = await start({ account });
  const transport = await open(server, login);
  await transport.verify();
  expect(await transport.send(mail)).toBe(2);
  expect(await server.arrived(1)).toMatchObject([{ user: 'jo', recipients: ['jo@example.com', 'bo@example.com'] }]);
  const wrong = await open(server, { ...login, password: 'wrong-secret' });
  for (const attempt of [() => wrong.verify(), () => wrong.send(mail)])
    expect(await failureOf(attempt())).toMatch(/^500 mail.loginRefused: The mail server does not accept .*535/);
  expect(await failureOf((await open(server)).send(mail))).toMatch(/^500 mail\.refused: .*530/);
});

test('abuse: a server that repeats the password does not get it shown', async () => {
  const server = await start();
  server.fail('refuses');
  const transport = await open(server, { password: 'No such user' });
  expect(await failureOf(transport.send({ ...mail, to: [address('refused@example.com')], bcc: [] }))).toBe(
    '500 mail.refused: The mail server refused the email: its answer holds a secret of the service.',
  );
});

test.each(['tls', 'ssl'] as const)(
  '%s: the certificate is checked, and one of your own can be trusted',
  async (encryption) => {
    const server = await start({ account, encryption, insecureAuth: false });
    const unknown = await open(server, { ...login, encryption });
    expect(await failureOf(unknown.send(mail))).toMatch(
      /^500 mail\.notEncrypted: There is no safe connection to the mail server: .*self-signed certificate/,
    );
    expect([server.signIns, server.mails()]).toEqual([0, []]);
    const trusting = await open(server, { ...login, encryption, ca: selfSignedPair().cert });
    await trusting.send(mail);
    expect(await server.arrived(1)).toMatchObject([{ user: 'jo', isEncrypted: true }]);
    const other = await open(server, { ...login, encryption, ca: selfSignedPair().cert, host: '127.0.0.1' });
    expect(await failureOf(other.send(mail))).toMatch(/^500 mail\.notEncrypted: /);
  },
);

test('abuse: no password goes out in the clear where encryption was asked for', async () => {
  const server = await start({ account });
  for (const encryption of ['tls', 'ssl'] as const) {
    const transport = await open(server, { ...login, encryption, timeouts: { connect: 1_000 } });
    for (const attempt of [() => transport.send(mail), () => transport.verify()])
      expect(await failureOf(attempt())).toMatch(/^500 mail\.notEncrypted: /);
  }
  expect([server.signIns, server.mails()]).toEqual([0, []]);
});

test('without a choice, what the server offers is used', async () => {
  const server = await start({ account, encryption: 'tls' });
  await (await open(server, { ...login, encryption: 'opportunistic' })).send(mail);
  expect(await server.arrived(1)).toMatchObject([{ isEncrypted: true }]);
  const bare = await start();
  await (await open(bare, { encryption: 'opportunistic' })).send(mail);
  expect(await bare.arrived(1)).toMatchObject([{ isEncrypted: false }]);
});

test('a full server is a 503 with its words, a full mailbox a 500', async () => {
  const server = await start();
  const transport = await open(server);
  server.fail('full');
  expect(await failureOf(transport.send(mail))).toMatch(
    /^503 mail\.deferred: .*452 4\.3\.1 Insufficient system storage/,
  );
  server.fail('over quota');
  expect(await failureOf(transport.send(mail))).toMatch(/^500 mail\.refused: .*552 5\.2\.2 Mailbox full/);
  server.fail(undefined);
  expect(await transport.send(mail)).toBe(2);
});

test('recipients that the server refuses do not count; without any the mail is refused', async () => {
  const server = await start();
  server.fail('refuses');
  const transport = await open(server);
  expect(await transport.send({ ...mail, cc: [address('refused@example.com')] })).toBe(2);
  expect(await failureOf(transport.send({ ...mail, to: [address('refused@example.com')], bcc: [] }))).toMatch(
    /^500 mail\.refused: .*550 5\.1\.1 No such user here/,
  );
});

test('a server that takes a mail and hangs up did not take it', async () => {
  const server = await start();
  server.fail('drops');
  expect(await failureOf((await open(server)).send(mail))).toMatch(/^503 mail\.unreachable: /);
});

test('a server that greets nobody, and one that takes its time, end with the timeouts', async () => {
  const server = await start();
  server.fail('silent');
  const impatient = await open(server, { timeouts: { connect: 200 } });
  expect(await failureOf(impatient.send(mail))).toMatch(/^503 mail\.unreachable: .*Greeting never received/);
  server.fail('slow');
  expect(await failureOf((await open(server, { timeouts: { idle: 300 } })).send(mail))).toMatch(
    /^503 mail\.unreachable: .*Timeout/,
  );
  expect(await failureOf((await open(server, { timeouts: { send: 300 } })).send(mail))).toBe(
    '503 mail.unreachable: The mail server is not available: it took too long',
  );
});

test('where nothing listens, the message has no address', async () => {
  const server = await start();
  await server.stop();
  expect(await failureOf((await open(server)).send(mail))).toBe(
    '503 mail.unreachable: The mail server is not available: it refused the connection',
  );
  expect(await failureOf((await open(server, { host: 'none.invalid' })).send(mail))).toBe(
    '503 mail.unreachable: The mail server is not available: it has an unknown host',
  );
});

test('few connections carry many mails', async () => {
  const server = await start();
  const transport = await open(server);
  await Promise.all(Array.from({ length: 20 }, () => transport.send(mail)));
  expect(server.mails()).toHaveLength(20);
  expect(server.connections).toBeLessThanOrEqual(3);
});
