// The transport against a server that answers as Mandrill does.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiServer, failureOf, mail, readMail, startApi, whatIsRead } from '../../mail/api-server.fixture.ts';
import { openMandrill } from './mandrill.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(() => void api.requests.splice(0));

const open = () => openMandrill({ key: 'key-secret' }, api.base);
const results = (...statuses: string[]) =>
  statuses.map((status) => ({ status, reject_reason: status === 'rejected' ? 'hard-bounce' : null }));

test('the mail goes out as it is, its recipients beside it; those taken count', async () => {
  api.answer(200, results('sent', 'queued', 'rejected'));
  expect(await open().send(mail)).toBe(2);
  const [{ path, bytes }] = api.requests as [ApiServer['requests'][number]];
  expect(path).toBe('/api/1.0/messages/send-raw.json');
  const { raw_message: raw, ...fields } = JSON.parse(String(bytes));
  expect(fields).toEqual({
    ...{ key: 'key-secret', from_email: 'shop@example.com', from_name: 'Shop', async: false },
    to: ['jo@example.com', 'secret-b@example.com', 'secret-c@example.com'],
  });
  expect(await readMail(raw)).toEqual(whatIsRead);
});

test.each([
  [200, results('rejected', 'invalid'), /^500 mail\.refused: .*hard-bounce, invalid/],
  [
    500,
    { status: 'error', name: 'Invalid_Key', message: 'Invalid API key' },
    /^500 mail\.loginRefused: .*Invalid API key/,
  ],
  [500, { status: 'error', name: 'ValidationError', message: 'no' }, /^500 mail\.refused: .*no/],
  [500, { status: 'error', name: 'GeneralError', message: 'later' }, /^503 mail\.deferred: .*later/],
  [502, '<html>', /^503 mail\.deferred/],
])('an answer %s %j is passed on', async (status, body, expected) => {
  api.answer(status, body);
  expect(await failureOf(open().send(mail))).toMatch(expected);
});

test('its test pings', async () => {
  api.answer(200, { PING: 'PONG!' });
  await open().verify();
  expect(api.requests[0]?.path).toBe('/api/1.0/users/ping2.json');
});
