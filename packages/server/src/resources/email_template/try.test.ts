// A template looked at and sent to oneself, with a real mail server.
import { startPlatform } from '@sluice/testkit';
import { startMailServer } from '@sluice/testkit/mail-server';
import { administrator } from '@sluice/testkit/platform';
import { afterAll, beforeEach, expect, it } from 'vitest';

const mailServer = await startMailServer();
const platform = await startPlatform({ publicUrl: 'https://api.example.com', mailFrom: 'Sluice <sluice@example.com>' });
afterAll(async () => {
  await platform.stop();
  await mailServer.stop();
});
beforeEach(() => {
  mailServer.clear();
  mailServer.fail(undefined);
});

const setService = async (config: object) => {
  const { body } = await platform.ask('GET', 'system/service/1');
  return platform.ask('PATCH', 'system/service/1', { body: { config: { ...body.config, ...config } } });
};
const post = (path: string, body: object) => platform.ask('POST', `system/email_template/${path}`, { body });

const template = {
  ...{ subject: 'Hello {first_name}', body_html: '<p>{team} {nothing} {trim(nobody)}</p><a href="{link}">Go</a>' },
  ...{ to: ['others@example.com'], bcc: ['spy@example.com'], from_email: 'no-reply@example.com', from_name: 'X' },
  defaults: [{ name: 'team', value: '<b>Red</b>' }],
};

it('is shown with the values of the administrator who asks, and with those that have none', async () => {
  await platform.create('lookup', { name: 'hidden', value: 's3cret', private: true });
  await platform.create('lookup', { name: 'team_mail', value: 'team@example.com' });
  const { status, body } = await post('_preview', {
    ...template,
    body_text: '{team_mail} {hidden} {session.token} {app.api_key} {base64_encode(session.token)}',
  });
  expect([status, body]).toEqual([
    200,
    {
      ...{ from: { name: 'Sluice', address: 'sluice@example.com' }, to: [{ name: '', address: administrator.email }] },
      subject: expect.stringMatching(/^Hello \w+$/),
      body_html: expect.stringMatching(
        /^<p>&#60;b&#62;Red&#60;\/b&#62; \{nothing\} \{trim\(nobody\)\}<\/p><a href="https:\/\/api\.example\.com\/.*SAMPLE-CODE/,
      ),
      body_text: `team@example.com {hidden} ${'*'.repeat(10)} ${'*'.repeat(10)} ${'*'.repeat(10)}`,
      unfilled: ['nothing', 'nobody', 'hidden'],
    },
  ]);
  expect(mailServer.mails()).toEqual([]);
});

it('goes to the administrator who asks, and to nobody else', async () => {
  await setService({ invite_email_service_id: null });
  expect((await post('_send', template)).text).toContain('No email service is configured for invitations.');
  const { id } = await platform.create('service', {
    ...{ name: 'post', label: 'post', type: 'smtp_email', is_active: true },
    config: { host: '127.0.0.1', port: String(mailServer.port) },
  });
  await setService({ invite_email_service_id: id });
  expect((await post('_send', template)).body).toEqual({ success: true, to: administrator.email });
  const [mail] = await mailServer.arrived(1);
  expect([mail?.recipients, mail?.parsed.subject]).toEqual([
    [administrator.email],
    expect.stringMatching(/^Hello \w+$/),
  ]);

  mailServer.fail('over quota');
  const full = await post('_send', template);
  expect([full.status, full.body.error.message]).toEqual([500, expect.stringMatching(/552|storage|quota|full/i)]);
  mailServer.fail(undefined);
  const replies = { body_text: 'x', replay_to_name: 'Jo', replay_to_email: 'jo@example.com' };
  expect((await post('_send', replies)).status).toBe(200);
  expect((await post('_send', { ...replies, reply_to_email: 'al@example.com' })).status).toBe(200);
  const answered = (await mailServer.arrived(3)).slice(1).map(({ parsed }) => parsed.replyTo?.[0]);
  expect(answered).toMatchObject([{ name: 'Jo', address: 'jo@example.com' }, { address: 'al@example.com' }]);
  expect((await post('_send', { subject: 'x' })).text).toContain('The email has neither a body nor an attachment.');
  expect((await post('_send', { body_text: 'x', reply_to_email: 'no address' })).status).toBe(400);
});

it('abuse: is not for others, whatever their role says', async () => {
  const access = [{ service_id: 1, component: '*', verb_mask: 31 }];
  const role = await platform.create('role', { name: 'all', is_active: true, role_service_access_by_role_id: access });
  const app = await platform.create('app', { name: 'all', is_active: true, role_id: role.id });
  const { id } = await platform.create('user', { email: 'jo@example.com', name: 'Jo' });
  const asJo = { token: await platform.tokenOf(id), key: String(app.api_key), body: template };
  for (const path of ['_preview', '_send'])
    expect((await platform.ask('POST', `system/email_template/${path}`, asJo)).status).toBe(403);
});
