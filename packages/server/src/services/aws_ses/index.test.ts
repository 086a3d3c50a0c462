// The transport against a server that answers as Amazon SES does.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiServer, failureOf, mail, readMail, startApi, whatIsRead } from '../../mail/api-server.fixture.ts';
import { openSes } from './ses.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(() => void api.requests.splice(0));

const options = { key: 'AKIAEXAMPLE', secret: 'very-secret', region: 'eu-west-1' };
const open = () => openSes(options, api.base);

test('the mail goes out as it is, its recipients beside it', async () => {
  api.answer(200, { MessageId: '1' });
  expect(await (await open()).send(mail)).toBe(3);
  const [{ path, headers, bytes }] = api.requests as [ApiServer['requests'][number]];
  expect(path).toBe('/v2/email/outbound-emails');
  expect(headers.authorization).toMatch(/Credential=AKIAEXAMPLE\/\d+\/eu-west-1\/ses\//);
  const { Destination, Content } = JSON.parse(String(bytes));
  expect(Destination).toMatchObject({
    ToAddresses: ['jo@example.com'],
    BccAddresses: ['secret-b@example.com', 'secret-c@example.com'],
  });
  expect(await readMail(Buffer.from(Content.Raw.Data, 'base64'))).toEqual(whatIsRead);
});

const error = (name: string) => ({ 'x-amzn-errortype': name });

test.each([
  [400, 'MessageRejected', 'Email address is not verified.', /^500 mail\.refused: .*not verified/],
  [403, 'UnrecognizedClientException', 'The security token is invalid.', /^500 mail\.loginRefused: .*token is invalid/],
  [403, 'InvalidSignatureException', 'signed with very-secret', /^500 mail\.loginRefused: .*holds a secret/],
  [429, 'TooManyRequestsException', 'slow down', /^503 mail\.deferred: .*slow down/],
  [500, 'InternalFailure', 'oops', /^503 mail\.deferred: .*oops/],
])('an answer %s %s is passed on', async (status, name, message, expected) => {
  api.answer(status, { message }, error(name));
  expect(await failureOf((await open()).send(mail))).toMatch(expected);
  // Nothing is sent twice.
  expect(api.requests).toHaveLength(1);
});

test('its test takes keys that may send alone', async () => {
  api.answer(403, { message: 'no' }, error('AccessDeniedException'));
  await (await open()).verify();
  expect(api.requests[0]?.path).toBe('/v2/email/account');
  api.answer(403, { message: 'no' }, error('UnrecognizedClientException'));
  expect(await failureOf((await open()).verify())).toMatch(/^500 mail\.loginRefused/);
});

test('where nothing answers is a 503', async () => {
  expect(await failureOf((await openSes(options, 'http://127.0.0.1:1')).send(mail))).toMatch(/^503 mail\.unreachable/);
});

test('abuse: a region is no other host', async () => {
  for (const region of ['evil.example/', 'a.b', '', 'x@y'])
    await expect(openSes({ ...options, region })).rejects.toThrow('The selected region is invalid.');
});
