// Services of the three code hosts, through HTTP. Their servers answer as the hosts' documentation says (testkit/code-hosts.ts):
// what is proven is our half.
import { type CodeHostName, type CodeHostServer, codeHostAccount, startCodeHost } from '@sluice/testkit/code-hosts';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { configOf } from './example.fixture.ts';

const names: CodeHostName[] = ['github', 'gitlab', 'bitbucket'];
const large = 'x'.repeat(2 * 1024 * 1024);
const script = 'event.response = { content: "ran" };\n';
const repositories = {
  app: {
    master: {
      'README.md': 'Grüße\n',
      'src/a.js': script,
      'src/lib/b c#?.js': 'b',
      'bin.dat': Buffer.from([0, 255, 1]),
      'long.txt': large,
    },
    'feature/x': { 'README.md': 'of the branch' },
    v1: { 'README.md': 'of the tag' },
  },
  many: {
    master: Object.fromEntries(Array.from({ length: 1_150 }, (_, n) => [`d/${String(n).padStart(5, '0')}`, ''])),
  },
};

let platform: TestPlatform;
const servers = {} as Record<CodeHostName, CodeHostServer>;
const ids = {} as Record<CodeHostName, number>;
const ask = (path: string, options = {}) => platform.ask('GET', path, options);

beforeAll(async () => {
  platform = await startPlatform();
  for (const name of names) {
    servers[name] = await startCodeHost(name, repositories);
    const service = { name, label: name, type: name, is_active: true, config: configOf(name, servers[name]) };
    ids[name] = (await platform.create('service', service)).id;
  }
});
beforeEach(() => {
  for (const name of names) servers[name].override = undefined;
});
afterAll(async () => {
  await platform.stop();
  for (const name of names) await servers[name].stop();
});

describe.each(names)('%s', (name) => {
  it('lists repositories: as the host describes them, a page of them, their names', async () => {
    expect((await ask(name)).body).toEqual({ resource: [{ name: '_repo' }] });
    const all = await ask(`${name}/_repo`);
    expect([all.status, all.body.resource.length]).toEqual([200, 2]);
    expect((await ask(`${name}/_repo?as_list=true`)).body).toEqual({ resource: ['app', 'many'] });
    expect((await ask(`${name}/_repo?per_page=1&page=2&as_list=true`)).body).toEqual({ resource: ['many'] });
    const [first] = (await ask(`${name}/_repo?fields=name,nothing`)).body.resource;
    expect(Object.keys(first)).toEqual(['name']);
    expect((await ask(`${name}?as_access_list=true`)).body.resource).toEqual(['', '*', '_repo/', '_repo/*']);
  });

  it('lists folders, in the address and as a parameter', async () => {
    const { body } = await ask(`${name}/_repo/app`);
    expect(body.resource.map(({ name: entry, path, type }: Record<string, string>) => [entry, path, type])).toEqual(
      expect.arrayContaining([
        ['README.md', 'README.md', 'file'],
        ['src', 'src', 'dir'],
      ]),
    );
    const names = { resource: ['a.js', 'lib'] };
    for (const address of ['/src', '/src/', '?path=src', '?path=/src/'])
      expect(
        (await ask(`${name}/_repo/app${address}${address.includes('?') ? '&' : '?'}as_list=true`)).body,
        address,
      ).toEqual(names);
    if (name === 'bitbucket') expect(Object.keys(body.resource[0])).toEqual(['name', 'path', 'type', 'node']);
  });

  it('reads files: described in base64, or as they are; of master, a branch or a tag (SVC-039, SRV-049)', async () => {
    const described = (await ask(`${name}/_repo/app/README.md`)).body;
    expect(described).toMatchObject({ encoding: 'base64', size: 8 });
    expect(Buffer.from(described.content, 'base64').toString()).toBe('Grüße\n');
    const raw = await ask(`${name}/_repo/app?path=README.md&content=1`);
    expect([raw.status, raw.text, raw.headers['content-type'], raw.headers['content-security-policy']]).toEqual([
      ...[200, 'Grüße\n', 'text/plain; charset=utf-8', 'sandbox'],
    ]);
    expect((await ask(`${name}/_repo/app/README.md?branch=feature/x&content=1`)).text).toBe('of the branch');
    expect((await ask(`${name}/_repo/app/README.md?tag=v1&content=1`)).text).toBe('of the tag');
    const odd = encodeURIComponent('src/lib/b c#?.js');
    expect((await ask(`${name}/_repo/app?path=${odd}&content=1`)).text).toBe('b');
    expect((await ask(`${name}/_repo/app/bin.dat?content=1`)).bytes).toEqual(Buffer.from([0, 255, 1]));
    expect((await ask(`${name}/_repo/app/long.txt?content=1`)).text === large).toBe(true);
    expect((await ask(`${name}/_repo/app?content=1`)).body.resource.length).toBeGreaterThan(3);
  });

  it('passes on what the host refuses, with its status and words', async () => {
    const missing = await Promise.all(
      ['app/none.js', 'none', 'app?branch=none', 'app/none.js?content=1'].map((path) => ask(`${name}/_repo/${path}`)),
    );
    expect(missing.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(missing[0]?.body.error.message).toMatch(/Not Found/);
    servers[name].override = (_request, response) =>
      response.writeHead(429, { 'content-type': 'application/json' }).end('{"message":"API rate limit exceeded"}');
    const limited = await ask(`${name}/_repo/app`);
    expect([limited.status, limited.body.error.message]).toEqual([429, 'API rate limit exceeded']);
  });

  it('tests a configuration, keeps its token, and does not send it elsewhere', async () => {
    const config = configOf(name, servers[name]);
    const tried = (more: object) =>
      platform.ask('POST', 'system/service/_test', {
        body: { name: 'try', label: 'Try', type: name, config: { ...config, ...more } },
      });
    expect((await tried({})).status).toBe(200);
    const wrong = await tried({ token: 'wrong' });
    expect([wrong.status, wrong.text.includes('Bad credentials')]).toEqual([expect.any(Number), true]);
    expect((await ask(`system/service/${ids[name]}`)).body.config.token).toBe('**********');
    const moved = await platform.ask('PATCH', `system/service/${ids[name]}`, {
      body: { config: { base_url: 'http://127.0.0.1:1' } },
    });
    expect([moved.status, moved.body.error.message]).toEqual([400, expect.stringMatching(/token field is required/)]);
  });

  it('a script that lies in a repository runs, and its path is decided by the role', async () => {
    const link = { storage_service_id: ids[name], scm_repository: 'app', scm_reference: 'master' };
    const body = { name: 'user.get.pre_process', type: 'v8js', is_active: true, allow_event_modification: true };
    const address = 'system/event_script/user.get.pre_process';
    const incomplete = { ...body, ...link, scm_repository: null, storage_path: 'src/a.js' };
    expect((await platform.ask('POST', address, { body: incomplete })).status).toBe(400);
    await platform.ask('POST', address, { body: { ...body, ...link, storage_path: 'src/a.js' } });
    expect((await ask('user')).body).toBe('ran');
    const read = servers[name].requests.length;
    expect((await ask('user')).body).toBe('ran');
    expect(servers[name].requests.length).toBe(read);
    const services = (await ask('system/service?fields=id,name')).body.resource as { id: number; name: string }[];
    const user = services.find((service) => service.name === 'user');
    const callerOf = async (role: string, component: string) => {
      const access = [
        { service_id: user?.id, component: '*', verb_mask: 1 },
        { service_id: ids[name], component, verb_mask: 1 },
      ];
      const made = await platform.create('role', {
        ...{ name: `${name} ${role}`, is_active: true, role_service_access_by_role_id: access },
      });
      const app = await platform.create('app', { name: `${name} ${role}`, is_active: true, role_id: made.id });
      return { token: null, key: String(app.api_key) };
    };
    expect((await ask('user', await callerOf('may', '_repo/app/src/*'))).body).toBe('ran');
    expect((await ask('user', await callerOf('other', '_repo/app/bin/*'))).status).toBe(503);
    const writers = await ask(`system/event_script/_writers?storage_service_id=${ids[name]}&storage_path=src/a.js`);
    expect(writers.body).toMatchObject({ outside: true, roles: [], people: [], apps: [], administrators: 1 });
    await platform.ask('DELETE', address);
  });

  it('abuse: a path as a parameter is decided as one of the address', async () => {
    const access = [
      { service_id: ids[name], component: '_repo/app/*', verb_mask: 1 },
      { service_id: ids[name], component: '_repo/app/src/a.js', verb_mask: 0 },
    ];
    const role = await platform.create('role', {
      ...{ name: `${name} closed`, is_active: true, role_service_access_by_role_id: access },
    });
    const app = await platform.create('app', { name: `${name} closed`, is_active: true, role_id: role.id });
    const caller = { token: null, key: String(app.api_key) };
    expect((await ask(`${name}/_repo/app?path=README.md`, caller)).status).toBe(200);
    const closed = ['app/src/a.js', 'app?path=src/a.js', 'app?path=/src/a.js', 'app?path=SRC/a.js', 'many?path=d'];
    for (const path of closed) expect((await ask(`${name}/_repo/${path}`, caller)).status, path).toBeGreaterThan(400);
    // Of two paths the one of the address counts, which the role decided.
    expect((await ask(`${name}/_repo/app/README.md?path=src/a.js&content=1`, caller)).text).toBe('Grüße\n');
  });

  it.each([
    ...['app?path=..', 'app?path=../../../../user', 'app?path=src/../../x', 'app?path=a//b', 'app?path=./x'],
    ...['app/%2e%2e/%2e%2e/user', 'app?path=a%00b', 'app?path=a%0d%0aX:%20y', 'app?path=a%5c..%5cb', '..?path=x'],
    ...[
      'a%20b',
      'a%3fb',
      'a%23',
      '%2e%2e',
      'app?branch=../x',
      'app?branch=a%0d%0aX:%20y',
      'app?branch=a?b',
      'app?tag=-x',
    ],
    ...['app?branch=a/../../b', 'app?branch=.x', `app?path=${'x/'.repeat(3_000)}y`, `app?branch=${'x'.repeat(300)}`],
  ])('abuse: %s leads nowhere', async (path) => {
    const before = servers[name].requests.length;
    const refused = await ask(`${name}/_repo/${path}`);
    expect([refused.status, servers[name].requests.length]).toEqual([400, before]);
  });

  it('abuse: what a host answers instead of an answer is a failure within its bounds', async () => {
    const server = servers[name];
    const answerWith = (body: string | Buffer, type = 'application/json', status = 200) => {
      server.override = (_request, response) => response.writeHead(status, { 'content-type': type }).end(body);
    };
    const outcome = async (path = 'app/src') => {
      const { status, text } = await ask(`${name}/_repo/${path}`);
      expect(text).not.toContain(codeHostAccount.token);
      return status;
    };
    const odd = [
      ...['<html>a page</html>', '', 'null', '3', '"x"', '[1]', '[[]]', '[{}]', '{"a":', `[${'['.repeat(50_000)}`],
      ...['{"__proto__":1}', '{"values":{}}', '{"values":[{"path":1}]}', `${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`],
      ...['{"id":123456789012345678901234567890}'],
    ];
    for (const body of odd) {
      answerWith(body);
      expect([200, 502, 404], `${body.slice(0, 30)}`).toContain(await outcome());
      expect([200, 502], `list ${body.slice(0, 30)}`).toContain((await ask(`${name}/_repo`)).status);
    }
    answerWith('<html>a page</html>', 'text/html');
    expect(await outcome()).toBe(502);
    answerWith(Buffer.alloc(5 * 1024 * 1024, 0x20));
    expect(await outcome()).toBe(413);
    answerWith(`<html>${codeHostAccount.token}</html>`, 'text/html', 500);
    const page = await ask(`${name}/_repo/app`);
    expect([page.status, page.body.error.message]).toEqual([500, 'The code host answered with the status 500.']);
    answerWith(`{"message":"bad token ${codeHostAccount.token}"}`, 'application/json', 403);
    const told = await ask(`${name}/_repo/app`);
    expect([told.status, told.body.error.message]).toEqual([403, 'The code host answered with the status 403.']);
    server.override = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => response.write('[1,'.repeat(20_000)) && setImmediate(more);
      response.on('drain', more);
      more();
    };
    expect(await outcome()).toBe(413);
    server.override = (request) => request.socket.destroy();
    expect(await outcome()).toBe(503);
  });

  it('abuse: a token goes to its host alone, whatever that redirects to', async () => {
    const other = await startCodeHost(name, repositories);
    const server = servers[name];
    for (const location of [
      `${other.base}/x`,
      other.base.replace('http://', '//'),
      'http://169.254.169.254/',
      'file:///etc/passwd',
    ]) {
      server.override = (_request, response) => response.writeHead(302, { location }).end();
      expect((await ask(`${name}/_repo/app/README.md`)).status, location).toBe(502);
    }
    expect(other.requests).toEqual([]);
    await other.stop();
    // A repository that was renamed: the same origin, which then answers.
    let first = true;
    server.override = (request, response) => {
      const location = request.url as string;
      if (first) response.writeHead(301, { location }).end();
      else response.writeHead(500).end();
      first = false;
    };
    expect((await ask(`${name}/_repo/app`)).status).toBe(500);
    server.override = (request, response) => response.writeHead(301, { location: request.url as string }).end();
    const start = server.requests.length;
    expect([(await ask(`${name}/_repo/app`)).status, server.requests.length - start]).toEqual([502, 4]);
  });

  it('abuse: a long folder is read to its bound', async () => {
    expect((await ask(`${name}/_repo/many/d`)).body.resource).toHaveLength(1_000);
  });
});

test('the account that signs in is sent as its host takes it', async () => {
  const sent = async (name: CodeHostName, more: object) => {
    const config = { ...configOf(name, servers[name]), ...more };
    await platform.ask('POST', 'system/service/_test', { body: { name: 'try', label: 'Try', type: name, config } });
    return servers[name].requests.at(-1)?.authorization;
  };
  const { token } = codeHostAccount;
  const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
  const login = { username: 'ada', password: 'pw' };
  expect(await sent('github', {})).toBe(`Bearer ${token}`);
  expect(await sent('github', { ...login, token: null })).toBe(basic('ada:pw'));
  expect(await sent('github', { vendor: 'ada', ...login, token: null })).toBe(basic('ada:pw'));
  expect(servers.github.requests.at(-1)?.path).toMatch(/^\/api\/v3\/user\/repos\?affiliation=owner/);
  expect(await sent('github', { token: null })).toBeUndefined();
  expect(await sent('bitbucket', {})).toBe(`Bearer ${token}`);
  expect(await sent('bitbucket', { username: 'ada' })).toBe(basic(`ada:${token}`));
  expect(await sent('gitlab', { namespace: null })).toBe(token);
  expect(servers.gitlab.requests.at(-1)?.path).toMatch(/^\/api\/v4\/users\/acme\/projects/);
});

test.each<[CodeHostName, Record<string, unknown>, number, RegExp]>([
  ['github', { vendor: null }, 400, /vendor field is required/],
  ['github', { vendor: '../user' }, 400, /vendor must be the name/],
  ['github', { base_url: 'ftp://x' }, 400, /base_url must be an address/],
  ['github', { base_url: 'http://u:p@x' }, 400, /base_url must be an address/],
  ['bitbucket', { token: 'a b\r\nX: y' }, 400, /token must have no blanks/],
  ['gitlab', { namespace: 'a/../b' }, 400, /namespace must be the name/],
  ['gitlab', { base_url: null }, 400, /base url field is required/],
])('%s with %j is a %i', async (type, more, status, message) => {
  const config = { ...configOf(type, servers[type]), ...more };
  const refused = await platform.ask('POST', 'system/service', {
    body: { resource: [{ name: 'bad', label: 'Bad', type, config }] },
  });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([status, expect.stringMatching(message)]);
});

test.each<[CodeHostName, Record<string, unknown>, string]>([
  ['github', { vendor: ' ' }, 'No account/organization name provided for GitHub client.'],
  ['bitbucket', { vendor: ' ' }, 'No account/organization name provided for GitHub client.'],
  ['gitlab', { base_url: ' ' }, 'No base url provided for GitLab client.'],
  ['gitlab', { token: ' ' }, 'No token provided for GitLab client.'],
])('%s without what it needs is a 500', async (type, more, message) => {
  const config = { ...configOf(type, servers[type]), ...more };
  const { id } = await platform.create('service', { name: 'blank', label: 'Blank', type, is_active: true, config });
  const failed = await ask('blank/_repo');
  expect([failed.status, failed.body.error.message]).toEqual([500, message]);
  await platform.ask('DELETE', `system/service/${id}`);
});
