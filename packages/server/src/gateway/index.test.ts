import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Failure, fail, type MaybePromise, type Requestor } from '@sluice/contract';
import { aCall } from '@sluice/testkit/call';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noAccess } from '../access/decide.ts';
import { createPlatform, type StartedPlatform } from '../app.ts';
import { queryOf } from '../call/address.ts';
import { anonymousCaller, answer, type Call, type Reply } from '../call/call.ts';
import { type Exchange, replaceReply, withRequest } from '../call/exchange.ts';
import { rowsOf } from '../call/reply.fixture.ts';
import { readSettings } from '../settings/index.ts';
import { authorizeCall } from './authorize.ts';
import { handle } from './handle.ts';
import { identify } from './identify.ts';
import { type ExchangeStep, run, runInside, type Steps } from './index.ts';
import { type InnerRequest, innerCall, maxDepth } from './inner-call.ts';
import type { Platform } from './platform.ts';

const noPlatform = {} as Platform;

/** Steps for every call. */
const always = (...runs: ExchangeStep['run'][]): ExchangeStep[] => runs.map((run) => ({ applies: () => true, run }));

/** Steps that note what happened: `handled` is what the handler does. */
function noting(handled: (call: Call) => Reply | Promise<Reply> = () => answer('handled')) {
  const notes: string[] = [];
  const note = (text: string) => (): undefined => {
    notes.push(text);
  };
  const steps: Steps = {
    deciding: [note('identify'), note('authorize')],
    decidingInside: [note('authorize')],
    before: [],
    handle(call) {
      notes.push('handle');
      return handled(call);
    },
    after: [],
  };
  return { notes, steps, note };
}

const statusOf = async (make: () => MaybePromise<Reply>) => {
  try {
    return (await make()).status ?? 200;
  } catch (error) {
    return (error as Failure).status;
  }
};

const ended = (exchange: Exchange) => {
  if (exchange.failure) return `failed: ${(exchange.failure as Error).message}`;
  return `replied: ${JSON.stringify(exchange.reply?.body)}`;
};

describe('a call that nobody looks into', () => {
  it('runs through at once, and the handler has the call itself', () => {
    const reply = answer(1);
    const calls: Call[] = [];
    const { steps, notes } = noting((call) => {
      calls.push(call);
      return reply;
    });
    const call = aCall({});
    expect(run(call, noPlatform, steps)).toBe(reply);
    expect(notes).toEqual(['identify', 'authorize', 'handle']);
    expect(calls).toEqual([call]);
  });

  it('throws at once too', () => {
    const { steps } = noting(() => {
      throw fail('access.adminOnly');
    });
    expect(() => run(aCall({}), noPlatform, steps)).toThrow('You are not authorized');
  });

  it('waits for a step that has to wait', async () => {
    const { steps, notes } = noting();
    steps.deciding.unshift(async () => {
      await null;
      notes.push('waited');
      return undefined;
    });
    expect(await run(aCall({}), noPlatform, steps)).toEqual(answer('handled'));
    expect(notes).toEqual(['waited', 'identify', 'authorize', 'handle']);
  });
});

describe('steps before the handler', () => {
  it('change the request', async () => {
    const { steps } = noting(async (call) => answer([await call.body(), call.query.get('limit'), call.header('x-a')]));
    const payload = { b: 2 };
    const query = queryOf(new Map([['limit', '5']]));
    steps.before = always(
      (exchange) => {
        exchange.call = withRequest(exchange.call, { payload, query });
      },
      async (exchange) => {
        exchange.call = withRequest(exchange.call, { headers: new Map([['x-a', 'a']]) });
      },
    );
    expect(await run(aCall({ body: { a: 1 }, query: 'limit=3' }), noPlatform, steps)).toEqual(
      answer([payload, '5', 'a']),
    );
  });

  it('reply in the place of the handler and of the steps behind; those after it run', async () => {
    const { steps, notes, note } = noting();
    steps.before = always(note('first'), (exchange) => replaceReply(exchange, answer('kept')), note('second'));
    steps.after = always((exchange) => void notes.push(ended(exchange)));
    expect(await run(aCall({}), noPlatform, steps)).toEqual(answer('kept'));
    expect(notes).toEqual(['identify', 'authorize', 'first', 'replied: {"value":"kept"}']);
  });

  it('throw, and the handler and the steps behind are left out; those after it run', async () => {
    const { steps, notes, note } = noting();
    const { rows, source } = rowsOf(9);
    steps.before = always((exchange) => {
      replaceReply(exchange, { body: { rows } });
      throw fail('access.adminOnly');
    }, note('second'));
    steps.after = always((exchange) => void notes.push(ended(exchange)));
    await expect(run(aCall({}), noPlatform, steps)).rejects.toMatchObject({ key: 'access.adminOnly' });
    expect(notes).toEqual(['identify', 'authorize', 'failed: You are not authorized to perform this action.']);
    expect(source.isEnded).toBe(true);
  });

  it('see no call that was refused, nor do those after the handler', async () => {
    for (const refusing of [0, 1]) {
      const { steps, notes, note } = noting();
      steps.before = always(note('before'));
      steps.after = always(note('after'));
      steps.deciding[refusing] = () => {
        throw fail('access.noKey');
      };
      await expect((async () => run(aCall({}), noPlatform, steps))()).rejects.toMatchObject({ key: 'access.noKey' });
      expect(notes).toEqual(['identify'].slice(0, refusing));
    }
  });
});

describe('steps after the handler', () => {
  const failing = () => Promise.reject(fail('access.adminOnly'));

  it.each<[string, () => Promise<Reply>, string]>([
    ['a reply', async () => answer('handled'), 'replied: {"value":"handled"}'],
    ['a failure', failing, 'failed: You are not authorized to perform this action.'],
  ])('see %s, and may replace it', async (_what, handled, seen) => {
    const { steps, notes } = noting(handled);
    const see: ExchangeStep['run'] = (exchange) => void notes.push(ended(exchange));
    steps.after = always(see, async (exchange) => replaceReply(exchange, answer('mended', 202)), see);
    expect(await run(aCall({}), noPlatform, steps)).toEqual(answer('mended', 202));
    expect(notes.slice(3)).toEqual([seen, 'replied: {"value":"mended"}']);
  });

  it('run for the calls they apply to, and for no other call', async () => {
    const { steps, notes, note } = noting();
    steps.after = [{ applies: ({ path }) => path === 'watched', run: note('after') }];
    // A call that no step applies to does not wait.
    expect(run(aCall({ path: 'other' }), noPlatform, steps)).toEqual(answer('handled'));
    expect(await run(aCall({ path: 'watched' }), noPlatform, steps)).toEqual(answer('handled'));
    expect(notes).toEqual(['identify', 'authorize', 'handle', 'identify', 'authorize', 'handle', 'after']);
  });

  it('leave a failure as it is', async () => {
    const bug = new TypeError('a bug');
    const { steps } = noting(() => Promise.reject(bug));
    steps.after = always(() => {});
    await expect(run(aCall({}), noPlatform, steps)).rejects.toBe(bug);
  });

  it('throw a failure, which the ones behind see', async () => {
    const { rows, source } = rowsOf(9);
    const { steps, notes } = noting(() => ({ body: { rows } }));
    steps.after = always(failing, (exchange) => void notes.push(ended(exchange)));
    await expect(run(aCall({}), noPlatform, steps)).rejects.toMatchObject({ key: 'access.adminOnly' });
    expect(notes.at(-1)).toBe('failed: You are not authorized to perform this action.');
    expect(source.isEnded).toBe(true);
  });

  it('end the rows they replace, and no others', async () => {
    const { rows, source } = rowsOf(9);
    const { steps } = noting(() => ({ body: { rows } }));
    steps.after = always(() => {});
    expect(await run(aCall({}), noPlatform, steps)).toEqual({ body: { rows } });
    expect(source.isEnded).toBe(false);
    steps.after = always((exchange) => replaceReply(exchange, answer(1)));
    await run(aCall({}), noPlatform, steps);
    expect(source.isEnded).toBe(true);
  });
});

describe('a call inside another', () => {
  const request: InnerRequest = { verb: 'GET', service: 'Db', path: '_table/Contact', requestor: 'SCRIPT' };
  const outer = () =>
    Object.assign(aCall({ verb: 'POST', headers: { 'if-match': '1' }, body: { a: 1 } }), { userAgent: 'x' });

  it('keeps caller and place, and carries a request and a requestor of its own', async () => {
    const call = outer();
    const headers = new Map([['accept', 'text/csv']]);
    const inner = innerCall(call, { ...request, headers, query: queryOf(new Map([['limit', '1']])), payload: [1] });
    const { id, ip, userAgent, baseUrl, credentials } = call;
    expect(inner).toMatchObject({ id, ip, userAgent, baseUrl, credentials, verb: 'GET', service: 'db' });
    expect(inner).toMatchObject({ path: '_table/Contact', decision: noAccess, depth: 1 });
    expect(inner.caller).toEqual({ ...call.caller, requestor: 'SCRIPT' });
    expect(call.caller.requestor).toBe('API');
    expect(inner.signal).toBe(call.signal);
    expect([inner.header('accept'), inner.header('if-match'), inner.query.get('limit'), await inner.body()]).toEqual([
      'text/csv',
      undefined,
      '1',
      [1],
    ]);
    const bare = innerCall(call, request);
    expect([bare.query.isEmpty, await bare.body()]).toEqual([true, undefined]);
  });

  it('takes the same steps but for the one that finds out who calls', async () => {
    const { steps, notes, note } = noting();
    expect(runInside(outer(), request, noPlatform, steps)).toEqual(answer('handled'));
    steps.before = always(note('before'));
    steps.after = always(note('after'));
    await runInside(outer(), request, noPlatform, steps);
    const [plain, whole] = [
      ['authorize', 'handle'],
      ['authorize', 'before', 'handle', 'after'],
    ];
    expect(notes).toEqual([...plain!, ...whole!]);
  });

  it('is refused when it is too deep inside others', async () => {
    const { steps, notes } = noting();
    steps.before = always(async (exchange, platform) =>
      replaceReply(exchange, await runInside(exchange.call, request, platform, steps)),
    );
    await expect(run(outer(), noPlatform, steps)).rejects.toMatchObject({ key: 'call.tooDeep', status: 508 });
    expect(notes.filter((step) => step === 'authorize')).toHaveLength(maxDepth + 1);
  });

  it('is no less deep for changes of its request', async () => {
    const inner = innerCall(withRequest(innerCall(outer(), request), { payload: 1 }), request);
    expect(inner.depth).toBe(2);
  });
});

describe('on an instance', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-gateway-'));
  let started: StartedPlatform;
  let credentials: Call['credentials'];

  const asAdmin = (path: string, record: object) =>
    handle(aCall({ verb: 'POST', path, body: { resource: [record] }, query: 'fields=*' }), started.platform);
  const created = async (path: string, record: object) => {
    const { body } = await asAdmin(path, record);
    return (body as { value: { resource: { id: number; api_key: string }[] } }).value.resource[0]!;
  };

  beforeAll(async () => {
    const settings = { ...readSettings({}), databaseUrl: 'sqlite::memory:', log: 'silent' as const, secret: 'x' };
    started = await createPlatform({ ...settings, data: folder });
    const system = { service_id: 1, verb_mask: 1 };
    const role = await created('role', {
      name: 'mixed',
      is_active: true,
      role_service_access_by_role_id: [
        { ...system, component: 'role/*', requestor_mask: 2 },
        { ...system, component: 'app/*', requestor_mask: 1 },
        { ...system, component: 'service/*', requestor_mask: 3 },
      ],
    });
    const app = await created('app', { name: 'mixed', is_active: true, role_id: role.id });
    const user = await created('user', { email: 'bob@example.com', password: 'bob password', is_active: true });
    const from = { id: '', caller: anonymousCaller, ip: '', userAgent: null, baseUrl: 'http://test.local' };
    credentials = { apiKey: app.api_key, token: await started.platform.identity.issueToken(user.id, from) };
  });
  afterAll(async () => {
    await started.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a call to `system/service` finds out by calls of its own: how they ended. */
  const statusInside = async (path: string, requestor: Requestor) => {
    const asking: ExchangeStep['run'] = async (exchange, platform) => {
      if (exchange.call.depth > 0) return;
      const request: InnerRequest = { verb: 'GET', service: 'system', path, requestor };
      const status = await statusOf(() => runInside(exchange.call, request, platform, steps));
      replaceReply(exchange, answer(status));
    };
    const steps: Steps = {
      deciding: [identify, authorizeCall],
      decidingInside: [authorizeCall],
      before: [],
      handle,
      after: always(asking),
    };
    const reply = await run({ ...aCall({ path: 'service', caller: {} }), credentials }, started.platform, steps);
    return (reply.body as { value: number }).value;
  };

  it.each<[string, Requestor, number]>([
    ['role', 'SCRIPT', 200],
    ['role', 'API', 403],
    ['app', 'SCRIPT', 403],
    ['app', 'API', 200],
    ['service', 'SCRIPT', 200],
    ['user', 'SCRIPT', 403],
  ])(
    'a call inside another to %s by %s is decided by the rows for that requestor: %i',
    async (path, requestor, status) => {
      expect(await statusInside(path, requestor)).toBe(status);
    },
  );

  it('a call inside another is refused in words of its own (contract/role-access.md §3)', async () => {
    const { platform } = started;
    const identified = { ...aCall({ path: 'service', caller: {} }), credentials };
    await run(identified, platform);
    const request: InnerRequest = { verb: 'GET', service: 'System', path: 'Role/', requestor: 'API' };
    expect(() => runInside(identified, request, platform)).toThrow(
      /^GET access to component 'role' of service 'system' is not allowed by this user's role\.$/,
    );
  });

  it('the steps of the gateway identify, decide and handle', async () => {
    const { platform } = started;
    const call = (path: string) => ({ ...aCall({ path, caller: {} }), credentials });
    const request: InnerRequest = { verb: 'GET', service: 'system', path: 'role', requestor: 'API' };
    expect([
      await statusOf(() => run(call('app'), platform)),
      await statusOf(() => run(call('role'), platform)),
    ]).toEqual([200, 403]);
    expect(await statusOf(() => runInside(aCall({}), request, platform))).toBe(200);
    expect(await statusOf(() => runInside({ ...aCall({}), caller: anonymousCaller }, request, platform))).toBe(400);
  });
});
