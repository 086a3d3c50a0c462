// Sign-ins on their way into the audit; runs on each engine of the store (vitest.config.ts).
import { fail } from '@sluice/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ids,
  insertPeople,
  openTestInstance,
  password,
  silentLog,
  type TestInstance,
} from '../identity/instance.fixture.ts';
import { testJobs } from '../jobs/jobs.fixture.ts';
import type { Store } from '../store/index.ts';
import { type AuditEntry, unknownActor } from './entry.ts';
import { createSignInAudit } from './sign-ins.ts';

const attempt = (set: Partial<AuditEntry> = {}): AuditEntry => ({
  ...unknownActor,
  action: 'sign_in',
  resource: 'user',
  record_id: null,
  record_name: null,
  user_email: 'jo@example.com',
  ip_address: '192.0.2.1',
  ...set,
});

describe('what is said of people who sign in', () => {
  let instance: TestInstance;
  beforeEach(async () => {
    instance = await openTestInstance();
    await insertPeople(instance);
  });
  afterEach(() => instance.close());

  /** What the audit has once everything is written. */
  async function written() {
    await vi.waitFor(async () => expect((await stored()).length).toBeGreaterThan(0), 10_000);
    await instance.identity.close();
    return stored();
  }
  const stored = () => instance.store.db.selectFrom('audit').selectAll().orderBy('id').execute();
  const signIn = (email: string, secret: string, kind: 'user' | 'admin' = 'user') =>
    instance.ask('session', { verb: 'POST', kind, body: { email, password: secret }, ip: '192.0.2.9' });

  it('is who, from where, and how it went', async () => {
    const { body } = await signIn('Jo@Example.com', password);
    await instance.ask('session', { verb: 'DELETE', token: String(body.session_token), ip: '192.0.2.8' });
    await signIn('ada@example.com', password, 'admin');
    const common = { ip_address: '192.0.2.9', request_id: 'test-call', before: null, after: null, outcome: 'ok' };
    expect(await written()).toMatchObject([
      { ...common, action: 'sign_in', resource: 'user', record_id: '2', user_id: 2, user_email: 'Jo@Example.com' },
      { ...common, action: 'sign_out', resource: 'user', record_id: '2', user_id: 2, ip_address: '192.0.2.8' },
      { ...common, action: 'sign_in', resource: 'admin', record_id: '1', user_id: 1, record_name: 'Ada Doe' },
    ]);
  });

  it.each([
    ['a wrong password', 'jo@example.com', 'wrong one', 'user', '2'],
    ['an unknown login', 'nobody@example.com', 'wrong one', 'user', null],
    ['somebody inactive', 'ivan@example.com', password, 'user', '3'],
    ["an administrator's wrong password at the users' door", 'ada@example.com', 'wrong one', 'user', '1'],
    ["a user at the administrators' door", 'jo@example.com', password, 'admin', '2'],
  ] as const)('is why it was refused: %s', async (_name, login, secret, kind, record_id) => {
    await signIn(login, secret, kind);
    expect(await written()).toMatchObject([
      {
        action: 'sign_in',
        resource: kind,
        record_id,
        user_id: null,
        user_email: login,
        outcome: 'Invalid credentials supplied.',
      },
    ]);
    expect(JSON.stringify(await stored())).not.toContain(secret);
  });

  it("takes an administrator's first try at the users' door for no attempt: clients go on to the other", async () => {
    await signIn('ada@example.com', password, 'user');
    await signIn('ada@example.com', password, 'admin');
    expect(await written()).toMatchObject([{ resource: 'admin', record_id: '1', outcome: 'ok' }]);
  });

  it('counts Basic credentials when they are checked, not when they are remembered', async () => {
    const good = { login: 'jo@example.com', password };
    const from = { id: 'r1', ip: '192.0.2.9', userAgent: 'curl' };
    for (const _ of [1, 2, 3])
      await instance.identity.identify({ basic: good, apiKey: 'p'.repeat(64) }, { requestor: 'API', origin: from });
    const wrong = { login: 'ada@example.com', password: 'wrong one' };
    await expect(instance.identity.identify({ basic: wrong }, { requestor: 'API', origin: from })).rejects.toThrow();
    expect(await written()).toMatchObject([
      { action: 'sign_in', resource: 'user', user_id: 2, app_id: ids.portal, outcome: 'ok', user_agent: 'curl' },
      { action: 'sign_in', resource: 'admin', record_id: '1', user_id: null, app_id: null, request_id: 'r1' },
    ]);
  });

  it('says nothing where nobody tried: no password, a body without a login, a store that is away', async () => {
    await signIn('', password);
    await signIn('jo@example.com', '');
    await instance.identity.close();
    expect(await stored()).toEqual([]);
  });

  it('takes a login of any length and with any character', async () => {
    await signIn(`a\0${'ü'.repeat(3000)}`, 'wrong one');
    expect(await written()).toMatchObject([{ user_email: `a\uFFFD${'ü'.repeat(253)}` }]);
  });

  it('tells of what people change of themselves, without the secrets in it', async () => {
    const { body } = await signIn('jo@example.com', password);
    let token = String(body.session_token);
    const send = async (resource: 'password' | 'profile', change: object) => {
      const answer = await instance.ask(resource, { verb: 'POST', token, query: { login: 'true' }, body: change });
      expect(answer.status).toBe(200);
      token = String(answer.body.session_token ?? token);
    };
    await send('password', { old_password: password, new_password: 'another-secret' });
    await send('profile', { first_name: 'Joan', last_name: 'Doe', security_answer: 'Fluffy-the-cat' });
    await send('profile', { first_name: 'Joan' });
    await instance.identity.close();
    const changes = (await stored()).filter((entry) => entry.action === 'update');
    const mask = '**********';
    expect(
      changes.map((entry) => [entry.resource, entry.record_id, entry.user_id, entry.before, entry.after].map(parse)),
    ).toEqual([
      ['user', 2, 2, { password: mask }, { password: mask }],
      ['user', 2, 2, { first_name: 'Jo', security_answer: null }, { first_name: 'Joan', security_answer: mask }],
    ]);
    expect(JSON.stringify(await stored())).not.toMatch(/argon2|another-secret|Fluffy|correct horse/);
  });

  it('keeps nobody out when the entry cannot be written', async () => {
    const { db } = instance.store;
    const insertInto = db.insertInto;
    db.insertInto = ((table: string) => {
      if (table === 'audit') throw fail('store.full');
      return Reflect.apply(insertInto, db, [table]);
    }) as never;
    expect((await signIn('jo@example.com', password)).status).toBe(200);
    expect((await signIn('jo@example.com', 'wrong one')).status).toBe(401);
    db.insertInto = insertInto;
    await instance.identity.close();
    expect((await stored()).map((entry) => entry.outcome)).toEqual(['ok', 'Invalid credentials supplied.']);
  });
});

const parse = (value: unknown) => {
  try {
    return JSON.parse(String(value));
  } catch {
    return value;
  }
};

describe('many attempts', () => {
  let instance: TestInstance;
  beforeEach(async () => {
    instance = await openTestInstance();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await instance.close();
  });

  const stored = async (store: Store) =>
    (await store.db.selectFrom('audit').select(['user_email', 'outcome', 'after']).orderBy('id').execute()).map(
      ({ user_email, outcome, after }) => [user_email, outcome, after && JSON.parse(after)],
    );

  it('that are alike within ten seconds are one entry and a number', async () => {
    const { store } = instance;
    const audit = createSignInAudit({ store, jobs: testJobs(store), log: silentLog });
    for (let at = 0; at < 50; at++) audit.queue(attempt({ outcome: 'no' }));
    audit.queue(attempt());
    audit.queue(attempt({ outcome: 'no', ip_address: '192.0.2.2' }));
    vi.advanceTimersByTime(10_000);
    audit.queue(attempt({ outcome: 'no' }));
    await audit.close();
    expect(await stored(store)).toEqual([
      ['jo@example.com', 'no', null],
      ['jo@example.com', 'ok', null],
      ['jo@example.com', 'no', null],
      ['jo@example.com', 'no', { attempts: 49 }],
      ['jo@example.com', 'no', null],
    ]);
  });

  it('that fail are listed to a hundred a minute, the rest is a number; who succeeds is always listed', async () => {
    const { store } = instance;
    const audit = createSignInAudit({ store, jobs: testJobs(store), log: silentLog });
    for (let at = 0; at < 5_000; at++) audit.queue(attempt({ outcome: 'no', user_email: `${at}@example.com` }));
    audit.queue(attempt({ user_email: 'ada@example.com' }));
    vi.advanceTimersByTime(60_000);
    audit.queue(attempt({ outcome: 'no', user_email: 'late@example.com' }));
    await audit.close();
    const all = await stored(store);
    expect(all).toHaveLength(103);
    expect(all.slice(99)).toEqual([
      ['99@example.com', 'no', null],
      ['ada@example.com', 'ok', null],
      [null, 'More failed sign-ins than are listed.', { attempts: 4_900 }],
      ['late@example.com', 'no', null],
    ]);
  });

  it('wait for a store that takes none, as far as they fit', async () => {
    const { db } = instance.store;
    let isAway = true;
    const away = Object.create(instance.store, {
      db: {
        get: () => {
          if (isAway) throw fail('store.unavailable');
          return db;
        },
      },
    }) as Store;
    const audit = createSignInAudit({ store: away, jobs: testJobs(instance.store), log: silentLog });
    for (let at = 0; at < 3_000; at++) audit.queue(attempt({ user_email: `${at}@example.com` }));
    await new Promise<void>((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => setImmediate(resolve));
    isAway = false;
    vi.advanceTimersByTime(10_000);
    await audit.close();
    const all = await stored(instance.store);
    expect(all.length).toBeGreaterThan(800);
    expect(all.length).toBeLessThanOrEqual(1_000);
    expect(all.at(-1)?.[0]).toBe('2999@example.com');
  });
});
