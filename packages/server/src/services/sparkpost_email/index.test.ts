// The transport against a server that answers as SparkPost does.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiServer, failureOf, mail, readMail, startApi, whatIsRead } from '../../mail/api-server.fixture.ts';
import { openSparkpost } from './sparkpost.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(() => void api.requests.splice(0));

const open = () => openSparkpost({ key: 'key-secret' }, api.base);

test('the mail goes out as it is, its recipients beside it; those taken count', async () => {
  api.answer(200, { results: { total_rejected_recipients: 1, total_accepted_recipients: 2, id: '1' } });
  expect(await open().send(mail)).toBe(2);
  const [{ path, headers, bytes }] = api.requests as [ApiServer['requests'][number]];
  expect([path, headers.authorization]).toEqual(['/api/v1/transmissions', 'key-secret']);
  const { options, recipients, content } = JSON.parse(String(bytes));
  expect(options).toEqual({ perform_substitutions: false });
  expect(recipients).toEqual(
    ['jo@example.com', 'secret-b@example.com', 'secret-c@example.com'].map((email) => ({
      address: { email, header_to: 'jo@example.com' },
    })),
  );
  expect(await readMail(content.email_rfc822)).toEqual(whatIsRead);
});

test.each([
  [401, { errors: [{ message: 'Unauthorized.' }] }, /^500 mail\.loginRefused: .*Unauthorized/],
  [422, { errors: [{ message: 'invalid', description: 'no domain' }] }, /^500 mail\.refused: .*invalid: no domain/],
  [200, { results: { total_accepted_recipients: 0 } }, /^500 mail\.refused: .*all recipients were rejected/],
  [503, 'busy', /^503 mail\.deferred: .*busy/],
])('an answer %s %j is passed on', async (status, body, expected) => {
  api.answer(status, body);
  expect(await failureOf(open().send(mail))).toMatch(expected);
});

test('its test sends nothing', async () => {
  api.answer(422, { errors: [{ message: 'required field is missing' }] });
  await open().verify();
  expect(JSON.parse(String(api.requests[0]?.bytes))).toEqual({});
  api.answer(403, { errors: [{ message: 'Forbidden.' }] });
  expect(await failureOf(open().verify())).toMatch(/^500 mail\.loginRefused: .*Forbidden/);
});
