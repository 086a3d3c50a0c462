import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSendmail } from './stand-in.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-sendmail-'));
const sendmail = makeSendmail(folder);
let platform: TestPlatform;

beforeAll(async () => {
  platform = await startPlatform({ sendmail: sendmail.path, mailFrom: 'shop@example.com' });
  for (const [name, command] of Object.entries({ dialogue: `${sendmail.path} -bs`, piped: `${sendmail.path} -t` }))
    await platform.create('service', { name, label: name, type: 'local_email', is_active: true, config: { command } });
});
afterAll(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
});

const mail = { to: 'jo@example.com', bcc: 'secret@example.com', subject: 'Hello', body_text: 'Hi\n.\nthere' };
const send = async (service: string, set: object = {}) => {
  const { status, body } = await platform.ask('POST', service, { body: { ...mail, ...set } });
  return [status, body.error?.message ?? body];
};

test.each(['dialogue', 'piped'])('%s: a mail is taken, with its blind copies', async (service) => {
  const before = sendmail.mails().length;
  expect(await send(service)).toEqual([200, { count: 2 }]);
  const [taken, ...others] = sendmail.mails().slice(before);
  expect(others).toEqual([]);
  expect(taken.input).toMatch(/^Subject: Hello$/m);
  expect(taken.input).not.toMatch(/secret@/);
  expect(JSON.stringify([taken.recipients, taken.args])).toMatch(/jo@example.com.*secret@example.com/);
});

test('its refusals are passed on', async () => {
  expect(await send('dialogue', { to: 'refuse@example.com', bcc: '' })).toEqual([
    500,
    expect.stringMatching(/^The mail server refused the email: .*550 5\.1\.1 no such user/),
  ]);
  expect(await send('dialogue', { to: 'crash@example.com' })).toEqual([
    500,
    'The mail server refused the email: the disk is full',
  ]);
  expect(await send('piped', { to: 'refuse@example.com' })).toEqual([
    500,
    'The mail server refused the email: no such user',
  ]);
  expect(await send('piped', { to: 'later@example.com' })).toEqual([
    503,
    'The mail server does not take the email now: come again',
  ]);
});

test.each(['dialogue', 'piped'])('abuse: %s: an address is no option', async (service) => {
  const set = { to: '-X/tmp/x@a.example', from_email: '-OQueueDirectory=/tmp@a.example', bcc: '' };
  expect(await send(service, set)).toEqual([200, { count: 1 }]);
  const { args } = sendmail.mails().at(-1);
  expect(args).toEqual(service === 'dialogue' ? ['-bs'] : ['-i', '-f', set.from_email, '--', set.to]);
});

test('abuse: the program sees nothing of the environment but the path', async () => {
  await send('piped');
  expect(sendmail.mails().at(-1).environment).toEqual(['PATH']);
});

test('abuse: no other program runs, and this one with no other option', async () => {
  const commands = [
    ...['/bin/sh -c "id"', 'sendmail -bs', `${sendmail.path} -bs -X/tmp/x`, `${sendmail.path} -C/etc/passwd`],
    ...[`${sendmail.path}; id`, `${sendmail.path}`, `${sendmail.path}\0 -bs`, `${folder}/../${sendmail.path} -t`],
  ];
  for (const command of commands) {
    const { body } = await platform.ask('POST', 'system/service', {
      body: { resource: [{ name: 'other', label: 'x', type: 'local_email', config: { command } }] },
    });
    const message = `The command '${command.trim()}' can not be used: it is '${sendmail.path}' with -bs or -t, and nothing else.`;
    expect((body.error.context.resource?.[0] ?? body.error).message).toBe(message);
  }
});

test('without a command it is that of the server', async () => {
  const { id, config } = (await platform.create('service', {
    ...{ name: 'bare', label: 'x', type: 'local_email', is_active: true },
  })) as unknown as { id: number; config: object };
  expect(config).toMatchObject({ command: `${sendmail.path} -bs`, parameters: [] });
  expect((await platform.ask('POST', `system/service/${id}/_test`)).body).toEqual({ success: true });
});

test('a program that is not there is a 503', async () => {
  rmSync(sendmail.path);
  for (const service of ['dialogue', 'piped'])
    expect(await send(service)).toEqual([503, 'The mail server is not available: it can not be started (ENOENT)']);
  const { body } = await platform.ask('POST', 'system/service/_test', { body: { type: 'local_email' } });
  expect(body.error.code).toBe(503);
});
