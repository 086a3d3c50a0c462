// Remote web services against a real web server (contract/services-other.md §2).
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allTools, connectAgent, useTool } from '../../mcp/client.fixture.ts';
import { type Remote, type Seen, seenOf, startRemote } from '../engines/remote.fixture.ts';

let platform: TestPlatform;
let remote: Remote;
/** What the remote service says of one path; of others, what it saw. */
const answers = new Map<string, { status?: number; type?: string; headers?: Record<string, string>; body: string }>();
let calls = 0;

beforeAll(async () => {
  platform = await startPlatform();
  remote = await startRemote(async (request, response) => {
    calls += 1;
    const seen = await seenOf(request);
    const known = answers.get(seen.url);
    response.writeHead(known?.status ?? 200, { 'Content-Type': known?.type ?? 'application/json', ...known?.headers });
    response.end(known?.body ?? JSON.stringify(seen));
  });
});
afterAll(async () => {
  await platform.stop();
  await remote.stop();
});

let count = 0;
/** Makes a service; answers its name and id. */
async function make(config: object = {}): Promise<{ name: string; id: number }> {
  count += 1;
  const name = `remote${count}`;
  const full = { base_url: remote.url, ...config };
  const { id } = await platform.create('service', { name, label: name, type: 'rws', is_active: true, config: full });
  return { name, id };
}
/** What the remote service saw of a call. */
async function seen(verb: string, path: string, options: object = {}): Promise<Seen> {
  const { body, text, status } = await platform.ask(verb, path, options);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body;
}
const every = 31;

describe('the address', () => {
  it.each([
    ['', '', '/'],
    ['/v1/', '', '/v1/'],
    ['/v1/', '/a/b', '/v1/a/b'],
    ['/v1', '/a%20b/%C3%A9', '/v1/a%20b/%C3%A9'],
    ['/v1', '/a%3Fb/%23c/%5Cd', '/v1/a%3Fb/%23c/%5Cd'],
    ['/v1', '/%252e%252e/a', '/v1/%252e%252e/a'],
    ['/v1', '/a/', '/v1/a'],
    ['/v1?k=1', '/a?b=2', '/v1/a?k=1&b=2'],
    ['/v1', '/a?b=2&c=x%20y%26&d', '/v1/a?b=2&c=x%20y%26&d='],
    ['', '?t=1&t=2&l[]=a&l[]=b', '/?t=1&l%5B0%5D=a&t=2&l%5B1%5D=b'],
  ])('base %s, call %s: %s', async (base, call, expected) => {
    const { name } = await make({ base_url: remote.url + base });
    expect((await seen('GET', name + call)).url).toBe(expected);
  });

  it('keeps a slash at the end where the service says so', async () => {
    const { name } = await make({ preserve_forward_trailing_slash: true });
    expect((await seen('GET', `${name}/a/`)).url).toBe('/a/');
  });

  it.each(['..', 'a/../../b', '%2e%2e/b', 'a/%2E%2E%2Fb', './b', 'a//b', '/evil.example/b', 'a/%2Fb'])(
    'abuse: %s does not leave the base',
    async (path) => {
      const { name } = await make({ base_url: `${remote.url}/v1` });
      const before = calls;
      const { status, body } = await platform.ask('GET', `${name}/${path}`);
      expect([status, body.error.message, calls]).toEqual([400, expect.stringMatching(/^The path has a part/), before]);
    },
  );

  it('is needed, and may be that of the definition', async () => {
    const { name, id } = await make({ base_url: '' });
    const { status, body } = await platform.ask('GET', `${name}/a`);
    expect([status, body.error.message]).toEqual([500, 'Remote Web Service base url can not be empty.']);
    const [scheme, host] = remote.url.split('://') as [string, string];
    const documents = [
      { openapi: '3.0.0', servers: [{ url: `${remote.url}/v3` }], paths: {} },
      { swagger: '2.0', host, basePath: '/v3', schemes: [scheme], paths: {} },
    ];
    for (const document of documents) {
      const doc = { content: JSON.stringify(document), format: 0 };
      await platform.ask('PATCH', `system/service/${id}?related=service_doc_by_service_id`, {
        body: { service_doc_by_service_id: doc },
      });
      expect((await seen('GET', `${name}/a`)).url).toBe('/v3/a');
    }
  });
});

describe('parameters', () => {
  const rule = (values: object) => ({
    value: '',
    exclude: false,
    outbound: true,
    cache_key: true,
    action: 1,
    ...values,
  });

  it('are added after those of the caller, also of the same name, for their verbs', async () => {
    const { name } = await make({
      parameters: [
        rule({ name: 'fixed', value: '1' }),
        rule({ name: 'later', value: '2', action: 2 }),
        rule({ name: 'never', value: '3', action: 0 }),
        rule({ name: 'inside', value: '4', outbound: false }),
      ],
    });
    expect((await seen('GET', `${name}/a?fixed=over`)).url).toBe('/a?fixed=over&fixed=1');
    expect((await seen('POST', `${name}/a`)).url).toBe('/a?later=2');
  });

  it('of the caller are left out by name, in any letter case', async () => {
    const { name } = await make({
      parameters: [rule({ name: 'Secret', exclude: true }), rule({ name: 'kept', exclude: true, outbound: false })],
    });
    expect((await seen('GET', `${name}?secret=1&SECRET[]=2&kept=3`)).url).toBe('/?kept=3');
    expect((await seen('POST', `${name}?secret=1`)).url).toBe('/?secret=1');
  });

  it('abuse: what callers identify themselves with goes nowhere, unless a rule without a value names it', async () => {
    const role = await platform.create(
      'role',
      { name: 'all', is_active: true, role_service_access_by_role_id: [{ component: '*', verb_mask: 31 }] },
      'role_service_access_by_role_id',
    );
    const { api_key: key } = await platform.create('app', { name: 'caller', is_active: true, role_id: role.id });
    const ours = `api_key=${key}`;
    const open = await make();
    const withOwn = await make({ parameters: [rule({ name: 'api_key', value: 'theirs' })] });
    const listed = await make({ parameters: [rule({ name: 'api_key' })] });
    const asApp = { token: null };
    expect((await seen('GET', `${open.name}?${ours}&a=1`, asApp)).url).toBe('/?a=1');
    expect((await seen('GET', `${open.name}?session_token=${platform.adminToken}`, { token: null })).url).toBe('/');
    expect((await seen('GET', `${withOwn.name}?${ours}`, asApp)).url).toBe('/?api_key=theirs');
    expect((await seen('GET', `${listed.name}?${ours}`, asApp)).url).toBe(`/?${ours}`);
    const headers = JSON.stringify((await seen('GET', open.name, { key: String(key) })).headers);
    expect(headers).not.toContain(String(key));
    expect(headers).not.toContain(platform.adminToken);
    for (const [body, type] of [
      [`{"api_key":"${key}","a":1}`, 'application/json'],
      [`api_key=${key}&a=1`, 'application/x-www-form-urlencoded'],
    ] as const) {
      const sent = await seen('POST', open.name, { token: null, body, headers: { 'content-type': type } });
      expect([sent.body, sent.headers['content-type']]).toEqual([type.includes('json') ? '{"a":1}' : 'a=1', type]);
    }
  });
});

describe('headers', () => {
  const rule = (values: object) => ({ value: '', pass_from_client: false, action: every, ...values });

  it('are those that are configured, for their verbs', async () => {
    const { name } = await make({
      headers: [
        rule({ name: 'X-Fixed', value: 'é 1' }),
        rule({ name: 'X-Passed', pass_from_client: true, value: 'unused' }),
        rule({ name: 'Authorization', pass_from_client: true }),
        rule({ name: 'X-Post', value: '2', action: 2 }),
        rule({ name: 'Host', value: 'evil.example' }),
        rule({ name: 'Cookie', pass_from_client: true }),
      ],
    });
    const login = `Basic ${btoa('ada@example.com:correct horse')}`;
    const sent = { 'x-passed': 'p', 'x-other': 'o', authorization: login, cookie: 'a=1; CurrentUserObj=secret; b=2' };
    const { headers } = await seen('GET', name, { token: null, headers: sent });
    const { 'x-fixed': fixed, ...rest } = headers;
    expect(Buffer.from(String(fixed), 'latin1').toString()).toBe('é 1');
    expect(rest).toEqual({
      ...{ accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Sluice', 'cdn-loop': 'sluice' },
      ...{ host: new URL(remote.url).host, connection: 'keep-alive' },
      ...{ 'x-passed': 'p', authorization: login, cookie: 'a=1; b=2' },
    });
    const without = await seen('POST', name, { body: {} });
    expect([without.headers['x-passed'], without.headers['x-post']]).toEqual([undefined, '2']);
  });

  it('and parameters have lookup keys put in, private ones too, those of the caller before others', async () => {
    await platform.create('lookup', { name: 'partner', value: 'p4ss w0rd', private: true });
    await platform.create('lookup', { name: 'place', value: 'here' });
    const { name } = await make({
      headers: [
        rule({ name: 'Authorization', value: 'Bearer {partner}' }),
        rule({ name: 'X-Who', value: '{user.email}' }),
      ],
      parameters: [
        { name: 'where', value: '{strtoupper(place)}{nothing}', outbound: true, cache_key: true, action: every },
      ],
    });
    const { headers, url } = await seen('GET', `${name}?sent={place}{partner}`);
    expect([headers.authorization, headers['x-who']]).toEqual(['Bearer p4ss w0rd', 'ada@example.com']);
    // In what callers send stand keys that they may see alone.
    expect(url).toBe('/?sent=here%7Bpartner%7D&where=HERE%7Bnothing%7D');

    const owned = [{ name: 'partner', value: 'their own', private: true }];
    const role = await platform.create(
      'role',
      {
        ...{ name: 'lookups', is_active: true, lookup_by_role_id: owned },
        role_service_access_by_role_id: [{ component: '*', verb_mask: 1 }],
      },
      'role_service_access_by_role_id,lookup_by_role_id',
    );
    const { api_key: key } = await platform.create('app', { name: 'by role', is_active: true, role_id: role.id });
    const other = await seen('GET', name, { token: null, key: String(key) });
    expect(other.headers.authorization).toBe('Bearer their own');
  });

  it('abuse: who may write services and no lookup keys of theirs sends none anywhere', async () => {
    const related = 'role_service_access_by_role_id';
    const access = [{ service_id: 1, component: 'service/*', verb_mask: 31 }];
    const role = await platform.create('role', { name: 'keeper', is_active: true, [related]: access }, related);
    const app = await platform.create('app', { name: 'keeper', is_active: true, role_id: role.id });
    const { id } = await platform.create('user', { email: 'keeper@example.com', name: 'Keeper' });
    const keeper = { token: await platform.tokenOf(id), key: String(app.api_key) };
    const headers = [rule({ name: 'Authorization', value: '{partner}' })];
    const made = await platform.ask('POST', 'system/service', {
      ...keeper,
      body: {
        resource: [{ name: 'e', label: 'e', type: 'rws', config: { base_url: 'http://evil.example', headers } }],
      },
    });
    expect(made.text).toMatch(/only an administrator may change or test it/);
    const service = await make({ headers });
    const moved = await platform.ask('PATCH', `system/service/${service.id}`, {
      ...keeper,
      body: { config: { base_url: 'http://evil.example' } },
    });
    expect(moved.text).toMatch(/only an administrator may change or test it/);
    // A definition, which they may write, says no address where keys are named.
    const open = await platform.ask('PATCH', `system/service/${service.id}`, { body: { config: { base_url: '' } } });
    expect([open.status, open.text]).toEqual([400, expect.stringMatching(/base_url is required/)]);
  });

  it('abuse: no line is smuggled in by a lookup key', async () => {
    await platform.create('lookup', { name: 'broken', value: 'a\r\nX-Injected: 1' });
    const { name } = await make({ headers: [rule({ name: 'X-A', value: '{broken}' })] });
    const { status, body } = await platform.ask('GET', name);
    expect([status, body.error.message]).toEqual([500, 'The header x-a has a value that cannot be sent.']);
  });
});

describe('the body and the verb', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s goes out as it came', async (verb) => {
    const { name } = await make();
    const body = '{ "big": 12345678901234567890, "a" : 0.10 }';
    const sent = await seen(verb, `${name}/a`, { body, headers: { 'content-type': 'application/vnd.x+json' } });
    expect([sent.method, sent.body, sent.headers['content-type']]).toEqual([verb, body, 'application/vnd.x+json']);
  });

  it('a form with files goes out as it came, and a long one as it comes', async () => {
    const { name } = await make();
    const form = ['--x', 'Content-Disposition: form-data; name="f"; filename="a.txt"', '', 'text', '--x--', ''];
    const type = 'multipart/form-data; boundary=x';
    const short = await seen('POST', name, { body: form.join('\r\n'), headers: { 'content-type': type } });
    expect([short.body, short.headers['content-type']]).toEqual([form.join('\r\n'), type]);
    const long = Buffer.alloc(12_000_000, 'x');
    const sent = await seen('PUT', name, { body: long, headers: { 'content-type': 'application/octet-stream' } });
    expect([sent.body.length, sent.headers['content-length']]).toEqual([long.length, String(long.length)]);
  });

  it('scripts before a call see its body and may replace it, and those after it the answer', async () => {
    const { name } = await make();
    const script = (event: string, content: string) =>
      platform.ask('POST', `system/event_script/${event}`, {
        body: { name: event, type: 'v8js', content, is_active: true, allow_event_modification: true },
      });
    await script(`${name}.post.pre_process`, 'event.request.payload = { was: event.request.payload.a };');
    await script(`${name}.post.post_process`, 'event.response.content = { got: event.response.content.body };');
    const { body } = await platform.ask('POST', name, { body: { a: 1 } });
    expect(body).toEqual({ got: '{"was":1}' });
  });
});

it('abuse: a body of another length than its head says is no further request', async () => {
  const { name } = await make();
  const event = `${name}.post.pre_process`;
  const content = "event.request.headers['content-length'] = '5000000';";
  await platform.ask('POST', `system/event_script/${event}`, {
    body: { name: event, type: 'v8js', content, is_active: true, allow_event_modification: true },
  });
  expect((await platform.ask('POST', name, { body: { a: 1 } })).status).toBe(503);
  expect((await seen('GET', `${name}/a`)).url).toBe('/a');
});

describe('answers', () => {
  const accepting = (accept: string) => ({ headers: { accept } });

  it('of JSON have the format that the caller takes, and their digits', async () => {
    const { name } = await make();
    answers.set('/json', { status: 201, body: '{"a":12345678901234567890,"b":0.10}' });
    answers.set('/list', { body: '{"resource":[{"a":1}]}' });
    const plain = await platform.ask('GET', `${name}/json`);
    expect([plain.status, plain.text]).toEqual([201, '{"a":12345678901234567890,"b":0.10}']);
    const csv = await platform.ask('GET', `${name}/list`, accepting('text/csv'));
    expect([csv.headers['content-type'], csv.text.trim()]).toEqual(['text/csv; charset=UTF-8', 'a\n1']);
    const xml = await platform.ask('GET', `${name}/list`, accepting('application/xml'));
    expect(xml.text).toContain('<a>1</a>');
  });

  it('of other text go out as they are, or as a JSON string for those who take JSON alone', async () => {
    const { name } = await make();
    answers.set('/text', { type: 'text/plain; charset=iso-8859-1', body: 'plain text' });
    for (const accept of ['text/plain', '*/*', 'text/*', 'application/json, text/plain']) {
      const { headers, text } = await platform.ask('GET', `${name}/text`, accepting(accept));
      expect([accept, headers['content-type'], text]).toEqual([accept, 'text/plain; charset=iso-8859-1', 'plain text']);
    }
    for (const options of [{}, accepting('application/json')])
      expect((await platform.ask('GET', `${name}/text`, options)).text).toBe('"plain text"');
  });

  it('have the headers of the remote service, but for those that would act on this address', async () => {
    const { name } = await make();
    answers.set('/headers', {
      type: 'text/html',
      body: '<script>1</script>',
      headers: {
        ...{ ETag: '"1"', 'X-Rate': '9', 'Set-Cookie': 'a=1', 'Access-Control-Allow-Origin': '*' },
        ...{ 'Content-Security-Policy': "default-src 'unsafe-inline'", 'Strict-Transport-Security': 'max-age=1' },
        ...{ 'Clear-Site-Data': '"*"', Refresh: '0;url=http://evil.example', 'Cache-Control': 'public, max-age=9' },
        ...{ Connection: 'close, X-Hop', 'X-Hop': '1', 'X-Request-Id': 'theirs' },
      },
    });
    const { headers, text } = await platform.ask('GET', `${name}/headers`, { headers: { accept: 'text/html' } });
    expect(text).toBe('<script>1</script>');
    expect(headers).toMatchObject({
      ...{ etag: '"1"', 'x-rate': '9', 'content-type': 'text/html', 'content-security-policy': 'sandbox' },
      ...{ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    });
    for (const name of ['set-cookie', 'access-control-allow-origin', 'strict-transport-security', 'clear-site-data'])
      expect(headers).not.toHaveProperty([name]);
    expect([headers.refresh, headers['x-hop'], headers['x-request-id']]).toEqual([
      undefined,
      undefined,
      expect.not.stringContaining('theirs'),
    ]);
  });

  it('of 300 and above are errors with the status and the words of the remote service', async () => {
    const { name } = await make();
    answers.set('/gone', { status: 410, type: 'text/plain', body: 'It is gone.' });
    answers.set('/silent', { status: 503, body: '', headers: { 'Retry-After': '7' } });
    answers.set('/moved', { status: 302, body: 'over there', headers: { Location: 'http://127.0.0.1:1/' } });
    const { body } = await platform.ask('GET', `${name}/gone`);
    expect(body.error).toMatchObject({ code: 410, status_code: 410, message: 'It is gone.' });
    const silent = await platform.ask('GET', `${name}/silent`);
    expect([silent.status, silent.body.error.message, silent.headers['retry-after']]).toEqual([
      ...[503, 'Service Unavailable', '7'],
    ]);
    const moved = await platform.ask('GET', `${name}/moved`);
    expect([moved.status, moved.body.error.message, moved.headers.location]).toEqual([302, 'over there', undefined]);
  });

  it('that have no content have none here', async () => {
    const { name } = await make();
    answers.set('/empty', { body: '', type: 'text/plain' });
    expect((await platform.ask('GET', `${name}/empty`)).text).toBe('');
    answers.set('/none', { status: 204, body: '' });
    const { status, text } = await platform.ask('DELETE', `${name}/none`);
    expect([status, text]).toEqual([204, '']);
  });

  it('have addresses of HTTP services replaced by ours', async () => {
    const other = await make({ base_url: 'https://api.example.com/v1/' });
    const { name } = await make({ replace_link: true });
    answers.set('/links', {
      headers: { Location: `${remote.url}/made/1` },
      body: `{"own":"${remote.url}/a","escaped":"https:\\/\\/api.example.com\\/v1\\/b","not":"https://api.example.com/v10"}`,
    });
    const { body, headers } = await platform.ask('GET', `${name}/links`);
    expect(body).toEqual({
      ...{ own: `${platform.url}/api/v2/${name}/a`, escaped: `${platform.url}/api/v2/${other.name}/b` },
      not: 'https://api.example.com/v10',
    });
    expect(headers.location).toBe(`${platform.url}/api/v2/${name}/made/1`);
  });
});

describe('the cache', () => {
  const rule = (values: object) => ({
    value: '',
    exclude: false,
    outbound: true,
    cache_key: true,
    action: 1,
    ...values,
  });
  /** How often a service was called by some calls of this platform. */
  const counted = async (work: () => Promise<unknown>) => {
    const before = calls;
    await work();
    return calls - before;
  };

  it('has the bodies of GET calls by path and query, until it is emptied', async () => {
    const { name } = await make({
      ...{ cache_enabled: true, cache_ttl: 5 },
      parameters: [rule({ name: 'nonce', exclude: true, outbound: false })],
    });
    answers.set('/kept', { status: 200, headers: { 'X-Seen': '1' }, type: 'text/plain', body: 'kept' });
    const ask = (verb = 'GET', path = 'kept') => platform.ask(verb, `${name}/${path}`, { headers: { accept: '*/*' } });
    expect(await counted(() => ask())).toBe(1);
    const again = await ask();
    expect([again.status, again.text, again.headers['x-seen']]).toEqual([200, 'kept', undefined]);
    expect(await counted(() => ask())).toBe(0);
    expect(await counted(() => ask('GET', 'other?nonce=1'))).toBe(1);
    expect(await counted(() => ask('GET', 'other?nonce=2'))).toBe(0);
    expect(await counted(() => ask('GET', 'other?page=2'))).toBe(1);
    expect(await counted(() => ask('POST'))).toBe(1);
    expect(await counted(() => ask('POST'))).toBe(1);
    expect((await platform.ask('DELETE', `system/cache/${name}`)).body).toEqual({ success: true });
    expect(await counted(() => ask())).toBe(1);
  });

  it('abuse: gives nobody the answer of another, or of other headers', async () => {
    const { name } = await make({
      ...{ cache_enabled: true, cache_ttl: 5 },
      headers: [{ name: 'Authorization', pass_from_client: true, action: 1 }],
    });
    const as = (text: string) => ({ headers: { authorization: text } });
    expect((await seen('GET', name, as('Custom a'))).headers.authorization).toBe('Custom a');
    expect((await seen('GET', name, as('Custom b'))).headers.authorization).toBe('Custom b');
    expect(await counted(() => seen('GET', name, as('Custom a')))).toBe(0);
  });

  it('has no failures', async () => {
    const { name } = await make({ cache_enabled: true, cache_ttl: 5 });
    answers.set('/odd', { status: 500, body: '{}' });
    expect(await counted(() => platform.ask('GET', `${name}/odd`))).toBe(1);
    expect(await counted(() => platform.ask('GET', `${name}/odd`))).toBe(1);
  });
});

describe('the configuration', () => {
  it('reads back with ids and defaults', async () => {
    const { id } = await make({ parameters: [{ name: 'a' }], headers: [{ name: 'X-A', value: 'b', action: 3 }] });
    const { config } = (await platform.ask('GET', `system/service/${id}`)).body;
    expect(config).toMatchObject({
      ...{ service_id: id, replace_link: false, implements_access_list: false, options: null, cache_enabled: false },
      parameters: [
        {
          ...{ id: 1, service_id: id, name: 'a', value: null, exclude: false, outbound: false, cache_key: false },
          action: 0,
        },
      ],
      headers: [{ id: 2, service_id: id, name: 'X-A', value: 'b', pass_from_client: false, action: 3 }],
    });
  });

  it.each([
    [{ parameters: 'x' }, 'Web service parameters must be an array.'],
    [{ headers: { a: 1 } }, 'Web service headers must be an array.'],
    [{ base_url: 'ftp://example.com' }, /The base_url must be an address/],
    [{ base_url: 'http://user:pass@example.com' }, /without a login/],
    [{ headers: [{ name: 'a b' }] }, /A header cannot be called/],
    [{ parameters: [{ value: 'x' }] }, /must have a name/],
  ])('%j is refused', async (config, message) => {
    const { id } = await make();
    const { status, body } = await platform.ask('PATCH', `system/service/${id}`, { body: { config } });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it.each(['CURLOPT_NOTHING', 'CURLOPT_CUSTOMREQUEST', 'CURLOPT_HTTPAUTH', 'X'])(
    'an option %s is refused when it is called',
    async (name) => {
      const service = await make({ options: { [name]: '2' } });
      const { status, body } = await platform.ask('GET', service.name);
      expect([status, body.error.message]).toEqual([500, `Invalid configuration: ${name} is not a defined option.`]);
    },
  );

  it('options say how one signs in, and who calls', async () => {
    const options = {
      ...{ CURLOPT_USERPWD: 'a:b', CURLOPT_USERAGENT: 'me', CURLOPT_HTTPAUTH: '1', CURLOPT_SSL_VERIFYPEER: 'true' },
      CURLOPT_HTTPHEADER: 'X-Option: 1\nTransfer-Encoding: chunked',
    };
    const { name } = await make({ options });
    const { headers } = await seen('GET', name);
    expect(headers).toMatchObject({ authorization: `Basic ${btoa('a:b')}`, 'user-agent': 'me', 'x-option': '1' });
    expect(headers).not.toHaveProperty('transfer-encoding');
  });

  it('is tried before it is saved', async () => {
    const attempt = (base_url: string) =>
      platform.ask('POST', 'system/service/_test', { body: { type: 'rws', config: { base_url } } });
    expect((await attempt(remote.url)).status).toBe(200);
    expect((await attempt('http://127.0.0.1:1')).text).toContain('the connection was refused');
  });

  it('abuse: values of headers and parameters are in no audit', async () => {
    const { id } = await make({ headers: [{ name: 'Authorization', value: 's3cret value', action: 1 }] });
    await platform.ask('PATCH', `system/service/${id}`, {
      body: { config: { headers: [{ name: 'Authorization', value: 'an0ther secret', action: 1 }] } },
    });
    const { text } = await platform.ask('GET', 'system/audit?limit=200');
    expect(text).toContain(`remote${count}`);
    expect(text).not.toMatch(/s3cret value|an0ther secret/);
  });
});

describe('what roles may name', () => {
  const paths = (list: string[]) => Object.fromEntries(list.map((path) => [path, { get: {} }]));

  it('is everything without a definition, and its paths with one', async () => {
    const { name, id } = await make();
    const list = async () => (await platform.ask('GET', `${name}/?as_access_list=true`)).body.resource;
    expect(await list()).toEqual(['', '*']);
    const content = JSON.stringify({ openapi: '3.0.0', paths: paths(['/pets/{id}', '/pets', '/owners/all']) });
    await platform.ask('PATCH', `system/service/${id}?related=service_doc_by_service_id`, {
      body: { service_doc_by_service_id: { content, format: 0 } },
    });
    expect(await list()).toEqual(['', '*', 'owners/*', 'owners/all', 'pets', 'pets/*', 'pets/{id}']);
  });

  it('is said by the remote service where that is configured', async () => {
    const { name } = await make({ implements_access_list: true });
    expect((await seen('GET', `${name}/?as_access_list=true`)).url).toBe('/?as_access_list=true');
  });

  it('holds for calls, documents, events and tools', async () => {
    const { name, id } = await make();
    const content = JSON.stringify({
      openapi: '3.0.0',
      paths: { '/pets/{id}': { get: { operationId: 'onePet' }, delete: {} }, '/owners': { get: {} } },
    });
    await platform.ask('PATCH', `system/service/${id}?related=service_doc_by_service_id`, {
      body: { service_doc_by_service_id: { content, format: 0 } },
    });
    const related = 'role_service_access_by_role_id';
    const access = [{ service_id: id, component: 'pets/*', verb_mask: 1 }];
    const role = await platform.create('role', { name: 'pets', is_active: true, [related]: access }, related);
    const { api_key: key } = await platform.create('app', { name: 'pets', is_active: true, role_id: role.id });
    const { id: person } = await platform.create('user', { email: 'pets@example.com', name: 'Pets' });
    const as = { token: await platform.tokenOf(person), key: String(key) };
    expect((await platform.ask('GET', `${name}/pets/1`, as)).status).toBe(200);
    for (const [verb, path] of [
      ['GET', 'owners'],
      ['DELETE', 'pets/1'],
      ['GET', ''],
    ] as const)
      expect((await platform.ask(verb, `${name}/${path}`, as)).status, path).toBe(403);
    const { body } = await platform.ask('GET', `api_docs/${name}`, as);
    expect(Object.entries(body.paths).map(([path, item]) => [path, Object.keys(item as object)])).toEqual([
      ['/pets/{id}', ['get']],
    ]);
    const events = (await platform.ask('GET', `system/event?service=${name}&as_list=true`)).text;
    expect(events).toContain(`${name}.pets.{id}.get`);
    const agent = await connectAgent(platform, as);
    const tools = (await allTools(agent)).map((tool) => tool.name);
    expect(tools).toHaveLength(1);
    const used = await useTool(agent, String(tools[0]), { service: name, id: '7' });
    expect([used.isError, JSON.parse(used.text)]).toEqual([false, expect.objectContaining({ url: '/pets/7' })]);
    await agent.close();
  });
});
