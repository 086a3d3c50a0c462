// A service of SNS, on a server that speaks its protocol.
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SnsServer, startSns } from './sns-server.fixture.ts';

let sns: SnsServer;
let platform: TestPlatform;
let id: number;
const config = () => ({ key: 'AKIAEXAMPLE', secret: 'very-secret', region: 'eu-west-1', endpoint: sns.base });
const arn = 'arn:aws:sns:eu-west-1:123456789012:';

beforeAll(async () => {
  [sns, platform] = await Promise.all([startSns(), startPlatform()]);
  ({ id } = await platform.create('service', {
    name: 'sns',
    label: 'S',
    type: 'aws_sns',
    is_active: true,
    config: config(),
  }));
});
afterAll(async () => {
  await platform?.stop();
  await sns?.stop();
});
const ask = async (verb: string, path: string, body?: unknown, options = {}) => {
  const answer = await platform.ask(verb, `sns${path}`, { body, ...options });
  return [answer.status, answer.body?.error?.message ?? answer.body];
};

it('topics are made, listed, read, changed and deleted, by name or ARN', async () => {
  const root = await ask('GET', '');
  expect(root).toEqual([200, { resource: ['topic', 'subscription', 'app', 'endpoint'].map((name) => ({ name })) }]);
  expect(await ask('GET', '/topic/news')).toEqual([404, "'news' is not there."]);
  expect(await ask('POST', '/topic', { Name: 'news' })).toEqual([201, { Topic: 'news', TopicArn: `${arn}news` }]);
  for (const Name of ['a', 'b', 'c', 'd']) await ask('POST', '/topic', { Name });
  // Over two pages.
  expect(await ask('GET', '/topic?as_list=true')).toEqual([200, { resource: ['news', 'a', 'b', 'c', 'd'] }]);
  expect(await ask('PUT', '/topic/news', { AttributeName: 'DisplayName', AttributeValue: 'News' })).toEqual([
    200,
    { success: true },
  ]);
  expect(await ask('PATCH', `/topic/${arn}news`, { Attributes: { Policy: '{}' } })).toEqual([200, { success: true }]);
  expect(await ask('GET', '/topic/news')).toEqual([
    200,
    { Topic: 'news', TopicArn: `${arn}news`, DisplayName: 'News', Policy: '{}' },
  ]);
  expect(await ask('DELETE', '/topic/d')).toEqual([200, { success: true }]);
  expect((await ask('GET', '/topic/d'))[0]).toBe(404);
  const { headers } = sns.calls[0] as SnsServer['calls'][number];
  expect(headers.authorization).toMatch(/Credential=AKIAEXAMPLE\/\d+\/eu-west-1\/sns\//);
});

it('subscriptions, apps and endpoints have the same calls', async () => {
  const subscription = { Subscription: 'news:sub-1', SubscriptionArn: `${arn}news:sub-1` };
  const made = { Topic: 'news', Protocol: 'https', Endpoint: 'https://example.com/?a=1&b=<' };
  expect(await ask('POST', '/subscription', made)).toEqual([201, subscription]);
  const listed = { ...subscription, ...made, TopicArn: `${arn}news`, Owner: '123456789012' };
  expect(await ask('GET', '/subscription')).toEqual([200, { resource: [listed] }]);
  expect(await ask('GET', '/subscription?topic=a')).toEqual([200, { resource: [] }]);
  expect(
    (await ask('PUT', '/subscription/news:sub-1', { AttributeName: 'RawMessageDelivery', AttributeValue: 'true' }))[0],
  ).toBe(200);
  expect(await ask('GET', '/subscription/news:sub-1')).toEqual([
    200,
    expect.objectContaining({ RawMessageDelivery: 'true' }),
  ]);
  expect(await ask('DELETE', '/subscription/news:sub-1')).toEqual([200, { success: true }]);

  const app = { Application: 'app/GCM/shop', PlatformApplicationArn: `${arn}app/GCM/shop` };
  expect(await ask('POST', '/app', { Name: 'shop', Platform: 'GCM', Attributes: { PlatformCredential: 'x' } })).toEqual(
    [201, app],
  );
  expect(await ask('GET', '/app/app/GCM/shop')).toEqual([200, { ...app, PlatformCredential: 'x' }]);
  const endpoint = { Endpoint: 'endpoint/GCM/shop/dev-2', EndpointArn: `${arn}endpoint/GCM/shop/dev-2` };
  expect(await ask('POST', '/endpoint', { Application: 'app/GCM/shop', Token: 't' })).toEqual([201, endpoint]);
  for (const query of ['', '?application=app/GCM/shop'])
    expect(await ask('GET', `/endpoint${query}`)).toEqual([
      200,
      { resource: [{ ...endpoint, Attributes: { Token: 't', Enabled: 'true' } }] },
    ]);
  expect((await ask('PATCH', '/endpoint/endpoint/GCM/shop/dev-2', { Attributes: { Enabled: 'false' } }))[0]).toBe(200);
  expect(await ask('GET', '/endpoint/endpoint/GCM/shop/dev-2')).toEqual([
    200,
    expect.objectContaining({ Enabled: 'false' }),
  ]);
});

it('publishes at the root, to a topic and to an endpoint', async () => {
  expect(await ask('POST', '', { Topic: 'news', Message: 'Grüße', Subject: 'S' })).toEqual([
    200,
    { MessageId: 'message-1' },
  ]);
  await ask('POST', '/topic/news', { Message: { default: 'x', sms: 'y' }, MessageStructure: 'json' });
  await ask('POST', '', {
    EndpointArn: `${arn}endpoint/GCM/shop/dev-2`,
    message: 'z',
    MessageAttributes: { a: { StringValue: 'b' } },
  });
  await ask('POST', '/endpoint/endpoint/GCM/shop/dev-2', { Message: 'w' });
  expect(sns.published).toEqual([
    expect.objectContaining({ TopicArn: `${arn}news`, Message: 'Grüße', Subject: 'S' }),
    expect.objectContaining({ TopicArn: `${arn}news`, Message: '{"default":"x","sms":"y"}', MessageStructure: 'json' }),
    expect.objectContaining({
      TargetArn: `${arn}endpoint/GCM/shop/dev-2`,
      Message: 'z',
      'MessageAttributes.entry.1.Value.StringValue': 'b',
    }),
    expect.objectContaining({ TargetArn: `${arn}endpoint/GCM/shop/dev-2`, Message: 'w' }),
  ]);
  expect(await ask('POST', '', { Message: 'x' })).toEqual([
    400,
    "Publish request does not contain resource, either 'Topic' or 'Endpoint'.",
  ]);
  expect((await ask('POST', '', { Topic: 'news' }))[0]).toBe(400);
  expect((await ask('POST', '', { Topic: 'news', Message: 'x'.repeat(262_145) }))[0]).toBe(400);
  for (const name of ['a b', '../x', 'arn:aws:sqs:eu-west-1:1:q', 'x:y', 5, 'app/GCM/shop'])
    expect([name, (await ask('POST', '', { Topic: name, Message: 'x' }))[0]]).toEqual([name, 400]);
});

it('abuse: a role that may not use a topic may not by its ARN, its short name, or the root', async () => {
  const rows = [
    { service_id: id, component: '*', verb_mask: 31, requestor_mask: 1 },
    { service_id: id, component: 'topic/a', verb_mask: 0, requestor_mask: 1 },
    { service_id: id, component: `topic/${arn}b`, verb_mask: 0, requestor_mask: 1 },
  ];
  const role = await platform.create('role', { name: 'sns', is_active: true, role_service_access_by_role_id: rows });
  const { api_key } = await platform.create('app', { name: 'sns', type: 0, is_active: true, role_id: role.id });
  const asApp = { token: null, key: String(api_key) };
  const before = sns.published.length;
  const say = { Message: 'x' };
  const refused = async (path: string, body: object) => {
    const [status] = await ask('POST', path, body, asApp);
    return status === 401 || status === 403;
  };
  for (const name of ['a', `${arn}a`, 'b', `${arn}b`]) {
    expect([name, await refused(`/topic/${name}`, say)]).toEqual([name, true]);
    expect([name, await refused('', { ...say, Topic: name })]).toEqual([name, true]);
    const subscription = { Topic: name, Protocol: 'https', Endpoint: 'x' };
    expect([name, await refused('/subscription', subscription)]).toEqual([name, true]);
  }
  expect(sns.published.length).toBe(before);
  expect((await ask('POST', '/topic/c', say, asApp))[0]).toBe(200);
  expect(await ask('GET', '?as_access_list=true', undefined, asApp)).toEqual([
    200,
    {
      resource: [
        '',
        '*',
        'topic/',
        'topic/*',
        'subscription/',
        'subscription/*',
        'app/',
        'app/*',
        'endpoint/',
        'endpoint/*',
      ],
    },
  ]);
});

it('what SNS refuses has a status that fits, without the secret', async () => {
  const said = async (status: number, code: string, message?: string) => {
    sns.fail({ status, code, ...(message ? { message } : {}) });
    return (await ask('GET', '/topic')).join(' ');
  };
  expect(await said(403, 'InvalidClientTokenId', 'no such token')).toMatch(
    /^500 .*login of the service: no such token/,
  );
  expect(await said(403, 'SignatureDoesNotMatch', 'made with very-secret')).not.toContain('very-secret');
  expect(await said(403, 'AuthorizationError', 'not you')).toMatch(/^403 .*not you/);
  expect(await said(400, 'InvalidParameter', 'Invalid parameter: x')).toMatch(/^400 .*Invalid parameter/);
  expect(await said(404, 'NotFound', 'Topic does not exist')).toMatch(/^404 /);
  expect(await said(429, 'Throttled')).toMatch(/^503 /);
  expect(await said(500, 'InternalError', 'oops')).toMatch(/^502 .*oops/);
  const count = sns.calls.length;
  await said(500, 'InternalError');
  // Nothing is tried twice.
  expect(sns.calls.length).toBe(count + 1);
  sns.fail(undefined);
});

it('abuse: an answer without end is left, a server that is away is a 503', async () => {
  sns.fail({ endless: true });
  expect((await ask('GET', '/topic')).join(' ')).toMatch(/^502 .*too long/);
  sns.fail(undefined);
  const { id: away } = await platform.create('service', {
    ...{
      name: 'away',
      label: 'A',
      type: 'aws_sns',
      is_active: true,
      config: { ...config(), endpoint: 'http://127.0.0.1:1' },
    },
  });
  expect((await platform.ask('GET', 'away/topic')).body.error.message).toBe(
    'The push service is not available: its server refuses connections.',
  );
  expect((await platform.ask('GET', `system/service/${away}`)).text).not.toContain('very-secret');
});
