// The live server and explain never differ: thousands of random callers and calls, put to both.
import { Agent, request as httpRequest } from 'node:http';
import { type ExplainRequest, type Explanation, type Verb, verbs } from '@sluice/contract';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { soakRounds, testSeed } from '@sluice/testkit/soak';
import { afterAll, beforeAll, expect, test } from 'vitest';

const calls = soakRounds(3_000, 50_000);
const atOnce = 8;

/** mulberry32: the same numbers for the same seed. */
function numbers(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
const random = numbers(testSeed);
const below = (limit: number) => Math.floor(random() * limit);
const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const chance = (share: number) => random() < share;
const some = <T>(max: number, make: () => T): T[] => Array.from({ length: below(max + 1) }, make);

let platform: TestPlatform;
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
/** Good tokens by person; after a call that ends one comes the next. */
const tokens = new Map<number, string>();
let people: { id: number }[];
let apps: { id: number; api_key: string }[];

const serviceNames = ['system', 'user', 'shop', 'Shop_Archive', 'closed', 'far', 'nowhere', 'Shop'];
const components = [
  ...['', '*', '_table', '_table/*', '_table/a', '_table/a/*', '_table/a/1', '_table/b*', '_schema/*', '_tab*'],
  ...[
    'role',
    'role/*',
    'user/*',
    'environment',
    'admin/session',
    'session',
    'profile',
    'access/*',
    '_table/{x}',
    'a*b',
  ],
];
const paths = [
  ...[
    '',
    '',
    '',
    '',
    '/',
    '_table',
    '_table/',
    '_table/a',
    '_TABLE/A',
    '_table/a/',
    '_table/a/99999',
    '_table/b1',
    '_table/c',
  ],
  ...[
    '_schema',
    '_schema/a',
    '_table/{x}',
    '_table/%7Bx%7D',
    '_proc/p(1)',
    '_table/*',
    'role',
    'role/99999',
    'user/99999',
  ],
  ...[
    'environment',
    'service_type',
    'session',
    'profile',
    'register',
    'admin/session',
    'admin/session/',
    'admin/profile',
  ],
  ...['admin/password', 'password', 'access/explain', 'cache', 'a/b/c', 'Session', '_table//a', 'a*b'],
];

/** Whether the path is the component that a row may name. */
const isPlain = (path: string, at: number) => /^_?[a-z][\w/]*\w$/.test(path) && paths.indexOf(path) === at;

beforeAll(async () => {
  platform = await startPlatform();
  const { create, ask } = platform;
  const seeded: { id: number; name: string }[] = (await ask('GET', 'system/service')).body.resource;
  const added = Object.fromEntries(seeded.map(({ id, name }) => [name, id]));
  for (const [name, is_active] of [
    ['shop', true],
    ['Shop_Archive', true],
    ['closed', false],
  ] as const)
    added[name] = (await create('service', { name, type: 'sqlite', is_active, config: { database: `${name}.db` } })).id;
  // Nobody answers there: what a call is let through to may fail.
  const config = { host: '127.0.0.1', port: 1, database: 'x', username: 'x', password: 'x' };
  added.far = (await create('service', { name: 'far', type: 'mysql', is_active: true, config })).id;
  for (const name of ['a', 'b1'])
    await ask('POST', 'shop/_schema', {
      body: {
        resource: [
          {
            name,
            field: [
              { name: 'id', type: 'id' },
              { name: 'note', type: 'string' },
            ],
          },
        ],
      },
    });
  const roles: { id: number }[] = [];
  // Whatever the seed, every class of rows has somebody who is decided by it.
  const sure = [
    [{ service_id: added.shop, component: '*', verb_mask: 31 }],
    [{ service_id: null, component: '*', verb_mask: 31 }],
    [
      { service_id: added.system, component: 'environment', verb_mask: 2 },
      ...paths.filter(isPlain).map((component) => ({ service_id: added.shop, component, verb_mask: 21 })),
    ],
  ];
  for (let index = 0; index < 30; index++)
    roles.push(
      await create('role', {
        name: `role${index}`,
        is_active: index < sure.length || chance(0.8),
        role_service_access_by_role_id:
          sure[index] ??
          some(7, () => ({
            service_id: chance(0.15) ? null : one(Object.values(added)),
            component: one(components),
            verb_mask: chance(0.3) ? 31 : below(32),
            requestor_mask: one([1, 1, 1, 3, 2]),
            filters: chance(0.2)
              ? [{ name: 'note', operator: '=', value: one(['x', '{user.email}', '{nothing}']) }]
              : [],
          })),
      }),
    );
  apps = [];
  for (let index = 0; index < 12; index++) {
    const role_id = roles[index < sure.length ? index : chance(0.6) ? below(roles.length) : -1]?.id ?? null;
    const is_active = index < sure.length || chance(0.8);
    apps.push((await create('app', { name: `app${index}`, is_active, role_id })) as never);
  }
  people = [];
  for (let index = 0; index < 30; index++) {
    const shuffled = [...apps].sort(() => random() - 0.5).slice(0, below(6));
    const user_to_app_to_role_by_user_id = shuffled.map(({ id }) => ({ app_id: id, role_id: one(roles).id }));
    const person = { email: `p${index}@example.com`, password: 'pass word', user_to_app_to_role_by_user_id };
    people.push((await create('user', person)) as never);
  }
  for (const { id } of people)
    if (chance(0.15)) await ask('PATCH', `system/user/${id}`, { body: { is_active: false } });
  people.push({ id: 1 });
  for (const { id } of people) await renew(id);
}, 120_000);

afterAll(async () => {
  agent.destroy();
  await platform.stop();
});

async function renew(id: number): Promise<void> {
  tokens.set(id, await platform.tokenOf(id));
}

interface Case {
  userId: number | undefined;
  app: { id: number; api_key: string } | undefined;
  verb: Verb;
  path: string;
  tunnel: string | undefined;
}

function aCase(): Case {
  const service = one(serviceNames);
  const path = chance(0.2) ? '' : one(paths);
  const verb = one(verbs);
  const slash = path === '' ? '' : '/';
  return {
    userId: chance(0.75) ? (chance(0.06) ? 1 : one(people).id) : undefined,
    // The first have roles that make sure of something.
    app: chance(0.8) ? one(chance(0.5) ? apps.slice(0, 3) : apps) : undefined,
    verb,
    path: `${service}${slash}${path}`,
    tunnel: chance(0.2) ? one(['x-http-method', 'x-http-method-override', 'x-method-override']) : undefined,
  };
}

/** Ends tokens, or changes what the other calls go by. */
const isHarmful = ({ verb, path, userId }: Case): boolean => {
  if (/\/session\/?$/i.test(path)) return userId !== undefined && (verb === 'DELETE' || verb === 'PUT');
  return verb === 'DELETE' && userId === 1 && /cache/.test(path);
};

interface LiveAnswer {
  status: number;
  message: string | undefined;
}

function callLive({ userId, app, verb, path, tunnel }: Case): Promise<LiveAnswer> {
  const headers: Record<string, string> = {
    ...(userId === undefined ? {} : { 'x-dreamfactory-session-token': tokens.get(userId)! }),
    ...(app ? { 'x-dreamfactory-api-key': app.api_key } : {}),
    ...(tunnel ? { [tunnel]: verb } : {}),
  };
  return send(tunnel ? 'POST' : verb, `/api/v2/${path}`, headers);
}

function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<LiveAnswer & { body: unknown }> {
  const { hostname, port } = new URL(platform.url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => {
        const parsed = text.startsWith('{') ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode!, message: parsed?.error?.message, body: parsed });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function explain({ userId, app, verb, path }: Case): Promise<Explanation> {
  const question: ExplainRequest = { user_id: userId ?? null, app_id: app?.id ?? null, verb, path };
  const text = JSON.stringify(question);
  const headers = {
    'x-dreamfactory-session-token': platform.adminToken,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  };
  const { status, body } = await send('POST', '/api/v2/system/access/explain', headers, text);
  if (status !== 200) throw new Error(`explain answered ${status} ${JSON.stringify(body)} to ${text}`);
  return body as Explanation;
}

/** What only the gate and the registry say. Whatever else a call is answered, it got past them. */
const refusals =
  /^(Access Forbidden\. |Unauthorized\. User is not authenticated|No session token |No API Key |Role not found|User is not active|App is not active|Could not find a service|Service \S+ is deactivated)/;

test(`no difference between ${calls} calls and what explain says of them`, {
  timeout: soakRounds(180_000, 3_600_000),
}, async () => {
  const differences: unknown[] = [];
  const tally = { allowed: 0, refused: new Map<string, number>(), by: new Map<string, number>() };
  const count = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1);
  let remaining = calls;

  async function compare(testCase: Case): Promise<void> {
    const [explanation, answer] = [await explain(testCase), await callLive(testCase)];
    if (isHarmful(testCase)) await renew(testCase.userId!);
    count(tally.by, explanation.decided_by);
    if (explanation.allowed) tally.allowed += 1;
    else count(tally.refused, `${explanation.refusal!.status} ${explanation.refusal!.message.slice(0, 20)}`);
    const isSame = explanation.refusal
      ? answer.status === explanation.refusal.status && answer.message === explanation.refusal.message
      : !refusals.test(answer.message ?? '');
    if (!isSame)
      differences.push({
        testCase: { ...testCase, app: testCase.app?.id },
        answer,
        refusal: explanation.refusal,
        reasons: explanation.reasons,
      });
  }
  /** A call that ends a token must not run beside others that use it. */
  async function run(batch: Case[]): Promise<void> {
    const [harmful, plain] = [batch.filter(isHarmful), batch.filter((testCase) => !isHarmful(testCase))];
    await Promise.all(plain.map(compare));
    for (const testCase of harmful) await compare(testCase);
  }
  while (remaining > 0) {
    const batch = Array.from({ length: Math.min(atOnce, remaining) }, aCase);
    remaining -= batch.length;
    await run(batch);
  }
  expect(differences.slice(0, 5), `SLUICE_TEST_SEED=${testSeed}`).toEqual([]);
  // Enough of everything, or the comparison says little.
  expect(tally.allowed).toBeGreaterThan(calls / 20);
  expect(tally.refused.size, JSON.stringify([...tally.refused])).toBeGreaterThan(8);
  for (const by of ['administrator', 'exception', 'exact', 'wildcard', 'service', 'all', 'none', 'refused'])
    expect([by, tally.by.get(by) ?? 0], `SLUICE_TEST_SEED=${testSeed}`).toEqual([
      by,
      expect.toSatisfy((n: number) => n > 5),
    ]);
});
