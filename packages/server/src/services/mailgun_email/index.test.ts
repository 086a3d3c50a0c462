// The transport against a server that answers as Mailgun does.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiServer, failureOf, mail, readMail, startApi, whatIsRead } from '../../mail/api-server.fixture.ts';
import { mailgunEmail } from './index.ts';
import { openMailgun } from './mailgun.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(() => void api.requests.splice(0));

const options = { domain: 'mg.example.com', key: 'key-secret', region: 'us' } as const;
const open = () => openMailgun(options, api.base);

test('the mail goes out as it is, its recipients beside it', async () => {
  api.answer(200, { id: '<1>', message: 'Queued. Thank you.' });
  expect(await open().send(mail)).toBe(3);
  const [{ path, headers, bytes }] = api.requests as [ApiServer['requests'][number]];
  expect(path).toBe('/v3/mg.example.com/messages.mime');
  expect(headers.authorization).toBe(`Basic ${Buffer.from('api:key-secret').toString('base64')}`);
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': String(headers['content-type']) },
  }).formData();
  expect([...form.keys()]).toEqual(['to', 'message']);
  expect(form.get('to')).toBe('jo@example.com,secret-b@example.com,secret-c@example.com');
  expect(await readMail(await (form.get('message') as File).text())).toEqual(whatIsRead);
});

test.each([
  [401, 'Forbidden', /^500 mail\.loginRefused: .*Forbidden$/],
  [400, { message: 'to parameter is not a valid address' }, /^500 mail\.refused: .*to parameter is not/],
  [404, { message: 'Domain not found: mg.example.com' }, /^500 mail\.refused: .*Domain not found/],
  [429, { message: 'too many' }, /^503 mail\.deferred: .*too many/],
  [500, 'oops', /^503 mail\.deferred: .*oops/],
  [400, { message: 'bad key key-secret' }, /^500 mail\.refused: .*holds a secret of the service/],
  [302, '', /^500 mail\.refused: .*not with 302/],
])('an answer %s %j is passed on', async (status, body, expected) => {
  api.answer(status, body, { location: 'http://127.0.0.1:1' });
  expect(await failureOf(open().send(mail))).toMatch(expected);
  expect(api.requests).toHaveLength(1);
});

test('its test asks for nothing that is sent', async () => {
  api.answer(400, { message: 'to parameter is missing' });
  await open().verify();
  expect(String(api.requests[0]?.bytes)).not.toMatch(/name="to"/);
  api.answer(401, 'Forbidden');
  expect(await failureOf(open().verify())).toMatch(/^500 mail\.loginRefused/);
});

test('where nothing answers is a 503', async () => {
  expect(await failureOf(openMailgun(options, 'http://127.0.0.1:1').send(mail))).toBe(
    '503 mail.unreachable: The mail server is not available: it can not be reached',
  );
});

test('abuse: a domain is the name of a domain', () => {
  for (const domain of ['../../v4/keys?', 'a/b', 'a b', '', '..', 'a..b', 'x@y', 'a#'])
    expect(() => mailgunEmail.check?.({ domain } as never)).toThrow('The domain must be the name of a domain.');
  mailgunEmail.check?.({ domain: 'mg.example.com' } as never);
});
