// A store with people, apps and roles in a temporary folder, and calls through the account handlers; only for tests.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Failure } from '@sluice/contract';
import { aCall } from '@sluice/testkit/call';
import { openStorePlace } from '@sluice/testkit/store';
import { anonymousCaller, type Call, type Credentials } from '../call/call.ts';
import { createChangeNotices } from '../events/changes.ts';
import { identify } from '../gateway/identify.ts';
import type { Platform } from '../gateway/platform.ts';
import { createJobs, type Jobs } from '../jobs/index.ts';
import { createRecordEngine } from '../records/index.ts';
import { servedResources } from '../resources/index.ts';
import type { AddressedService } from '../service/registry.ts';
import { createRouteTable } from '../service/route-table.ts';
import { type Settings, settingList } from '../settings/index.ts';
import { openStore, type Store } from '../store/index.ts';
import { passwordOperations } from './handlers/password.ts';
import { profileOperations } from './handlers/profile.ts';
import { type AccountOperations, accountRoute } from './handlers/request.ts';
import { sessionOperations } from './handlers/session.ts';
import { setupOperations } from './handlers/setup.ts';
import { type AccountKind, createIdentity, type Identity } from './index.ts';
import { openKeys } from './keys.ts';
import { hashPassword } from './passwords.ts';

export const silentLog = { info() {}, warn() {}, error() {} };

export function testSettings(changes: Partial<Settings> = {}): Settings {
  const defaults = Object.fromEntries(Object.entries(settingList).map(([name, setting]) => [name, setting.fallback]));
  return { ...(defaults as unknown as Settings), secret: 'a secret of the tests, long enough for them', ...changes };
}

export interface CallResult {
  status: number;
  body: Record<string, unknown>;
  message?: string;
  context?: unknown;
  allow?: readonly string[];
}

export interface CallOptions extends Credentials {
  verb?: Call['verb'];
  kind?: AccountKind;
  body?: unknown;
  query?: Record<string, string>;
  ip?: string;
  signal?: AbortSignal;
}

export interface TestInstance {
  folder: string;
  store: Store;
  settings: Settings;
  identity: Identity;
  /** Calls an account resource as the gateway would. */
  ask(resource: 'session' | 'password' | 'profile' | 'setup', options?: CallOptions): Promise<CallResult>;
  /** Not started. */
  jobs: Jobs;
  /** A new identity over the same store, as after a restart. */
  restart(changes?: Partial<Settings>): Promise<void>;
  close(): Promise<void>;
}

/** No mail service is configured here. */
const notHere = () => Promise.reject(new Error('no mails here'));
export const noMails = {
  ...{ findGap: async () => 'service' as const, queue: async () => {} },
  ...{ sample: notHere, send: notHere },
};
const noLimits = { entries: async () => [], resetIfLocked: async () => {} };
const noServices = () => Promise.reject(new Error('no services here'));
/** A service of the tests that is none to sign in by. */
const findService = (key: string) =>
  key === 'db' ? ({ row: { key }, type: undefined } as unknown as AddressedService) : undefined;
const services = () => ({ rows: async () => [], find: findService, open: noServices, openById: noServices });

/** Opens an empty instance; `insertPeople()` fills it. */
export async function openTestInstance(changes: Partial<Settings> = {}): Promise<TestInstance> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-identity-'));
  const location = await openStorePlace();
  const store = await openStore({ url: location.url, dataFolder: folder, log: silentLog });
  let settings = testSettings({ data: folder, ...changes });
  const startIdentity = async () => {
    const keys = await openKeys({ settings, store, log: silentLog });
    const resources = servedResources({
      settings,
      secrets: keys.secrets,
      hashPassword,
      types: () => [],
      services,
      limits: noLimits,
      mails: noMails,
    });
    const records = createRecordEngine({ store, settings, resources, notices: createChangeNotices({ error() {} }) });
    const jobs = createJobs({ store, secrets: keys.secrets, log: silentLog });
    return {
      jobs,
      identity: await createIdentity({
        store,
        records,
        jobs,
        mails: noMails,
        services,
        settings,
        keys,
        log: silentLog,
      }),
    };
  };
  const instance: TestInstance = {
    folder,
    store,
    settings,
    ...(await startIdentity()),
    async ask(
      resource,
      { verb = 'GET', kind = 'user', body, query = {}, ip = '192.0.2.1', signal, ...credentials } = {},
    ) {
      const resources: Record<typeof resource, AccountOperations> = {
        session: sessionOperations(instance.identity, settings),
        password: passwordOperations(instance.identity, settings),
        profile: profileOperations(instance.identity),
        setup: setupOperations(instance.identity),
      };
      const call: Call = {
        ...aCall({
          verb,
          service: kind === 'admin' ? 'system' : 'user',
          path: kind === 'admin' ? `admin/${resource}` : resource,
          query: new URLSearchParams(query).toString(),
          body,
          ip,
        }),
        credentials,
        caller: anonymousCaller,
        baseUrl: 'http://sluice.test',
        ...(signal ? { signal } : {}),
      };
      try {
        const routes = [accountRoute(resources[resource], kind)];
        const table = createRouteTable({ resources: [{ entry: { name: call.path }, routes }] });
        const type = { can: { signIn: 'own' }, routes: table };
        const services = { find: () => ({ type }) };
        await identify(call, { identity: instance.identity, services } as unknown as Platform);
        const reply = await table.handle(call, {});
        return { status: reply.status ?? 200, body: (reply.body as { value: Record<string, unknown> }).value };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const { status, message, context, allow } = error;
        return { status, body: {}, message, context, allow };
      }
    },
    async restart(restartChanges = {}) {
      await instance.jobs.close();
      await instance.identity.close();
      settings = { ...settings, ...restartChanges };
      instance.settings = settings;
      Object.assign(instance, await startIdentity());
    },
    async close() {
      await instance.jobs.close();
      await instance.identity.close();
      await store.close();
      location.free();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return instance;
}

export const password = 'correct horse';
export const portalKey = 'p'.repeat(64);
export const closedKey = 'c'.repeat(64);

/** Ids of the records that `insertPeople` inserts. */
export const ids = { ada: 1, jo: 2, ivan: 3, nina: 4, reader: 1, idle: 2, portal: 1, closed: 2 } as const;

/**
 * Inserts Ada the administrator, Jo with the role reader in the app portal, Ivan who is inactive and Nina with the inactive
 * role idle. No app has a default role.
 */
export async function insertPeople({ store }: TestInstance): Promise<void> {
  const { db } = store;
  const hash = await hashPassword(password);
  const stamps = { created_date: null, last_modified_date: null, created_by_id: null, last_modified_by_id: null };
  for (const [id, name, isAdmin, isActive] of [
    [ids.ada, 'Ada', 1, 1],
    [ids.jo, 'Jo', 0, 1],
    [ids.ivan, 'Ivan', 0, 0],
    [ids.nina, 'Nina', 0, 1],
  ] as const) {
    const email = `${name.toLowerCase()}@example.com`;
    await db
      .insertInto('user')
      .values({
        id,
        name: `${name} Doe`,
        username: email,
        first_name: name,
        last_name: 'Doe',
        email,
        password: hash,
        is_active: isActive,
        is_sys_admin: isAdmin,
        ...stamps,
      } as never)
      .execute();
  }
  for (const [id, name, is_active] of [
    [ids.reader, 'reader', 1],
    [ids.idle, 'idle', 0],
  ] as const)
    await db
      .insertInto('role')
      .values({ id, name, is_active, description: null, ...stamps })
      .execute();
  await db
    .insertInto('service')
    .values({
      id: 7,
      name: 'Db',
      label: 'Db',
      type: 'sqlite',
      is_active: 1,
      mutable: 1,
      deletable: 1,
      config: '{}',
      ...stamps,
    } as never)
    .execute();
  const access = { role_id: ids.reader, verb_mask: 1, requestor_mask: 1, filter_op: 'and', ...stamps };
  await db
    .insertInto('role_service_access')
    .values([
      { ...access, service_id: 7, component: '_table/*', filters: '[{"name":"a"}]' },
      { ...access, service_id: null, component: '*', filters: null },
    ] as never)
    .execute();
  for (const [id, name, api_key, is_active] of [
    [ids.portal, 'portal', portalKey, 1],
    [ids.closed, 'closed', closedKey, 0],
  ] as const)
    await db
      .insertInto('app')
      .values({
        id,
        name,
        api_key,
        is_active,
        type: 0,
        requires_fullscreen: 0,
        allow_fullscreen_toggle: 1,
        ...stamps,
      } as never)
      .execute();
  await db
    .insertInto('user_to_app_to_role')
    .values([
      { user_id: ids.jo, app_id: ids.portal, role_id: ids.reader },
      { user_id: ids.nina, app_id: ids.portal, role_id: ids.idle },
    ])
    .execute();
  await store.bus.publish({ table: 'user' });
  await store.bus.publish({ table: 'app' });
  await store.bus.publish({ table: 'role' });
}
