// Random limits, callers, clocks and calls through the running gateway, compared with a second model of the contract.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, limitTypes, type Verb } from '@sluice/contract';
import { aCall } from '@sluice/testkit/call';
import { soakRounds, testSeed } from '@sluice/testkit/soak';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPlatform, type StartedPlatform } from '../app.ts';
import { anonymousCaller, type Call, type Credentials } from '../call/call.ts';
import { readValue } from '../call/reply.ts';
import { run } from '../gateway/index.ts';
import { readSettings } from '../settings/index.ts';
import { LimitModel, type ModelCall } from './model.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-model-'));
/** Stands still but where the test moves it. */
let time = performance.now();
const realDate = Date.now.bind(Date);
let dateOffset = 0;
let started: StartedPlatform;

const call = (verb: Verb, address: string, credentials: Credentials, body?: unknown): Call => {
  const [service = '', ...path] = address.split('/');
  const [bare = '', query = ''] = path.join('/').split('?');
  return Object.assign(aCall({ verb, service, path: bare, query, body }), { credentials, caller: anonymousCaller });
};

async function send(made: Call): Promise<{ status: number; body: unknown; context?: unknown }> {
  try {
    const reply = await run(made, started.platform);
    return { status: reply.status ?? 200, body: await readValue(reply, 1e9) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { status: error.status, body: error.message, context: error.context };
  }
}

let admin: Credentials;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function asAdmin(verb: Verb, address: string, body?: unknown): Promise<any> {
  const answer = await send(call(verb, address, admin, body));
  expect(answer.status, JSON.stringify(answer)).toBeLessThan(300);
  return JSON.parse(JSON.stringify(answer.body));
}

beforeAll(async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  vi.spyOn(Date, 'now').mockImplementation(() => realDate() + dateOffset);
  const password = 'correct horse';
  started = await createPlatform({
    ...{ ...readSettings({}), data: folder, log: 'silent', consoleFolder: '' },
    ...{ adminEmail: 'ada@example.com', adminPassword: password },
  });
  const token = (id: number) =>
    started.platform.identity.issueToken(id, { id: '', caller: anonymousCaller, ip: '', userAgent: null, baseUrl: '' });
  admin = { token: await token(1) };
});
afterAll(async () => {
  vi.restoreAllMocks();
  await started.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Numbers by a seed (mulberry32). */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return { below, of: <T>(list: readonly T[]): T => list[below(list.length)]! };
}

test('SRV-041 the gateway counts, locks, refuses and ignores as the contract says, call by call', async () => {
  const random = randomFrom(testSeed);
  const one = async (resource: string, record: object) =>
    (await asAdmin('POST', `system/${resource}?fields=*`, { resource: [record] })).resource[0];
  const services: number[] = [];
  for (const name of ['shop', 'wiki'])
    services.push(
      (
        await one('service', {
          name,
          label: name,
          type: 'sqlite',
          is_active: true,
          config: { database: `${name}.sqlite` },
        })
      ).id,
    );
  const access = [{ service_id: null, component: '*', verb_mask: 31, requestor_mask: 1 }];
  const roles: number[] = [];
  for (const name of ['reader', 'writer'])
    roles.push((await one('role', { name, is_active: true, role_service_access_by_role_id: access })).id);
  const app = await one('app', { name: 'portal', is_active: true, type: 0, role_id: roles[0] });
  const users: number[] = [];
  for (const [at, name] of ['jo', 'kim', 'max'].entries())
    users.push(
      (
        await one('user', {
          ...{ name, email: `${name}@example.com`, is_active: true },
          user_to_app_to_role_by_user_id: at === 0 ? [] : [{ app_id: app.id, role_id: roles[at % 2] }],
        })
      ).id,
    );
  const tokens = await Promise.all(
    users.map((id) =>
      started.platform.identity.issueToken(id, {
        id: '',
        caller: anonymousCaller,
        ip: '',
        userAgent: null,
        baseUrl: '',
      }),
    ),
  );
  const key = app.api_key as string;
  const callers: { credentials: Credentials; user: number | null; role: number | null; isStranger?: true }[] = [
    { credentials: { apiKey: key }, user: null, role: roles[0]! },
    { credentials: { apiKey: key, token: tokens[0]! }, user: users[0]!, role: roles[0]! },
    { credentials: { apiKey: key, token: tokens[1]! }, user: users[1]!, role: roles[1]! },
    { credentials: { apiKey: key, token: tokens[2]! }, user: users[2]!, role: roles[0]! },
    { credentials: {}, user: null, role: null, isStranger: true },
  ];
  const paths = [
    '',
    '_table',
    '_table/',
    '_table/contact',
    '_table/contacts',
    '_table/Contact',
    '_table/contact/5',
    '_schema',
  ];
  const endpoints = [
    '',
    '_table',
    '_table/contact',
    '/_table/contact/',
    '_table/contact*',
    '_table/contact/*',
    '*',
    '_t%',
    '_*_*',
  ];
  const verbs: Verb[] = ['GET', 'GET', 'GET', 'POST', 'DELETE'];
  const periods = ['minute', 'minute', 'minute', 'hour', 'day', '7-day'];

  const model = new LimitModel();
  const locks: number[] = [];
  started.platform.limits.onExceeded(({ limit }) => locks.push(limit.id));
  const readModel = async () => {
    model.limits = (await asAdmin('GET', 'system/limit')).resource;
  };
  const made = () => ({
    ...{ name: 'L', type: random.of(Object.keys(limitTypes)), rate: 1 + random.below(5), period: random.of(periods) },
    ...{ user_id: random.of(users), role_id: random.of(roles), service_id: random.of(services) },
    ...{ endpoint: random.of(endpoints), verb: random.of([null, null, 'GET', 'POST']), is_active: random.below(8) > 0 },
  });

  async function change(): Promise<void> {
    const existing = model.limits.length > 0 ? random.of(model.limits) : undefined;
    const kind = random.below(10);
    if (kind < 5 || !existing) {
      if (model.limits.length < 40) await send(call('POST', 'system/limit', admin, { resource: [made()] }));
      else await asAdmin('DELETE', `system/limit/${existing!.id}`);
    } else if (kind < 7) {
      const rate = 1 + random.below(5);
      await asAdmin('PATCH', `system/limit/${existing.id}`, { rate });
      if (rate !== existing.rate) model.rateChanged(existing.id, existing.period, time);
    } else if (kind < 8) await asAdmin('PATCH', `system/limit/${existing.id}`, { is_active: !existing.is_active });
    else if (kind < 9) {
      await asAdmin('DELETE', `system/limit_cache?ids=${existing.id}`);
      model.reset(existing.id);
    } else {
      const { id: _, ...rest } = { ...existing, verb: random.of([null, 'GET', 'POST']) };
      await send(call('PATCH', `system/limit/${existing.id}`, admin, rest));
    }
    await readModel();
  }

  const rounds = soakRounds(5_000, 100_000);
  const seen = { refused: 0, locks: 0, overridden: 0 };
  for (let round = 0; round < rounds; round++) {
    if (random.below(25) === 0) await change();
    // The clock of this process: mostly moments, sometimes over the end of windows, to the millisecond.
    if (random.below(3) === 0)
      time += random.of([1, 500, 5_000, 20_000, 59_999, 60_000, 60_001, random.of([3_600_000, 86_400_000])]);
    // The clock of the machine, set back and forth: it decides nothing.
    if (random.below(50) === 0) dateOffset = random.below(41) * 60_000;
    const caller = random.of(callers);
    const [verb, at] = [random.of(verbs), random.below(4)];
    const [service, id] =
      at === 0 ? ['', null] : at === 1 ? ['system', 1] : [['shop', 'wiki'][at - 2]!, services[at - 2]!];
    const path = service === '' ? '' : service === 'system' ? 'environment' : random.of(paths);
    const isPublic = service === '' || (service === 'system' && verb === 'GET');
    const expected = {
      ...({ user: caller.user, role: caller.role, service: id, path, verb } satisfies ModelCall),
    };
    locks.length = 0;
    const answer = await send(call(verb, `${service}/${path}`, caller.credentials));
    const isCounted = !caller.isStranger || isPublic;
    const verdict = isCounted ? model.call(expected, time) : { refusing: [], locked: [], endsIn: 0 };
    const refusing =
      answer.status === 429 ? (answer.context as { id: number }[]).map(({ id }) => id) : ([] as number[]);
    const told = `seed ${testSeed}, round ${round}: ${verb} ${service}/${path} ${JSON.stringify(expected)}`;
    expect({ refusing, locks: locks.toSorted((a, b) => a - b) }, told).toEqual({
      refusing: verdict.refusing,
      locks: verdict.locked,
    });
    // Tokens and roles let everybody in.
    expect(answer.status === 401 || answer.status === 403, `${told} ${answer.body}`).toBe(false);
    seen.refused += Number(answer.status === 429);
    seen.locks += verdict.locked.length;
    seen.overridden += Number(verdict.locked.some((id) => !verdict.refusing.includes(id)));
  }
  // It did meet what it is about.
  expect(Math.min(seen.refused, seen.locks, seen.overridden), JSON.stringify(seen)).toBeGreaterThan(20);
}, 3_600_000);
