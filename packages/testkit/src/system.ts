// The service `system` over a real store in memory, without a door: for tests of the record engine and its resources.

import { configField, Failure, type ServiceGroup, type Verb, verbs, wireError } from '@sluice/contract';
import { readValue } from '@sluice/server/call/reply';
import { createChangeNotices } from '@sluice/server/events/changes';
import { createSecrets } from '@sluice/server/identity/keys';
import { createJobs } from '@sluice/server/jobs/index';
import { createLimits } from '@sluice/server/limits/index';
import { createStoredDefinitions } from '@sluice/server/openapi/stored';
import { createRecordEngine, type RecordEngine } from '@sluice/server/records/index';
import type { ServedResource } from '@sluice/server/resource/resource';
import { servedResources } from '@sluice/server/resources/index';
import { loadServices } from '@sluice/server/resources/service/index';
import { systemService } from '@sluice/server/resources/system';
import { type Service, type ServiceType, serviceType } from '@sluice/server/service/service';
import { readSettings, type Settings } from '@sluice/server/settings/index';
import { openStore, type Store, skeletonOf } from '@sluice/server/store/index';
import { seed } from '@sluice/server/store/seed';
import { createUse } from '@sluice/server/use/index';
import { aCall, type CallParts } from './call.ts';
import { openStorePlace } from './store.ts';

/** A type with a field of every kind the configuration rules tell apart. */
const everything = serviceType({
  name: 'everything',
  label: 'Everything',
  description: 'For tests.',
  group: 'File',
  can: { files: true },
  config: {
    host: configField.string({ label: 'Host', required: true, destination: true }),
    port: configField.integer({ label: 'Port', default: 21, destination: true }),
    password: configField.secret({ label: 'Password' }),
    is_passive: configField.boolean({ label: 'Passive', default: false }),
    public_path: configField.strings({ label: 'Public Path' }),
    options: configField.map({ label: 'Options' }),
    mode: configField.picklist({ label: 'Mode', values: [{ label: 'A', name: 'a' }] }),
    max_records: configField.integer({ label: 'Maximum Records', default: 1000, atLeast: 1 }),
    headers: configField.rows({
      label: 'Headers',
      items: [
        { name: 'name', type: 'string', label: 'Name' },
        { name: 'value', type: 'string', label: 'Value', secret: true },
        { name: 'app_id', type: 'picklist', label: 'App', choices: 'app' },
      ],
    }),
  },
  check({ host }) {
    if (host === 'forbidden') throw new Failure('test.host', 400, 'The host is forbidden.');
  },
  open: () => {
    throw new Error('not opened here');
  },
});

const plain = (name: string, group: ServiceGroup, can: ServiceType['can'] = {}): ServiceType => ({
  ...everything,
  name,
  label: name,
  group,
  can,
  config: null,
  check: undefined,
});

export interface SystemAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  /** The version of the one record that was answered. */
  etag?: string;
}

export interface TestSystem {
  store: Store;
  secrets: ReturnType<typeof createSecrets>;
  service: Service;
  records: RecordEngine;
  /** Every declared resource as the engine serves it. */
  resources: Record<string, ServedResource>;
  operations: ServiceType['routes']['operations'];
  types: ServiceType[];
  /** The notices on the bus since the last look. */
  takeChanges(): { table: string; ids?: number[] }[];
  /** Calls `system/{path}`, `?` and all, and answers status and body as the door would send them. */
  ask(verb: Verb, path: string, body?: unknown, call?: CallParts): Promise<SystemAnswer>;
  close(): Promise<void>;
}

/** Passwords are "hashed" as what they are, marked: whether they were is what tests ask. */
const hashPassword = async (password: string) => `hash of ${password}`;

export async function startSystem(set: Partial<Settings> = {}): Promise<TestSystem> {
  const settings = { ...readSettings({}), ...set };
  const storePlace = await openStorePlace();
  const store = await openStore({
    url: storePlace.url || 'sqlite::memory:',
    dataFolder: '',
    log: { info() {}, warn() {} },
  });
  await seed(store, settings);
  const admin = { name: 'Ada Lovelace', username: 'ada@example.com', email: 'ada@example.com' };
  const email_skeleton = skeletonOf(admin.email);
  await store.insert(store.db, 'user', { ...admin, email_skeleton, is_active: 1, is_sys_admin: 1 } as never);
  const secrets = createSecrets(Buffer.alloc(32, 7));
  const types: ServiceType[] = [
    everything as unknown as ServiceType,
    plain('gadget', 'Event'),
    plain('saml', 'SSO', { signIn: 'saml' }),
  ];
  const services = () => ({
    rows: () => loadServices(store, { types: () => types, secrets }),
    type: (name: string) => types.find((type) => type.name === name),
    openById: () => Promise.reject(new Error('not opened here')),
    open: () => Promise.reject(new Error('not opened here')),
  });
  const notHere = () => Promise.reject(new Error('no mails here'));
  const mails = { findGap: async () => 'service' as const, queue: async () => {}, sample: notHere, send: notHere };
  const limits = await createLimits({ store, settings, log: { info() {}, warn() {} } });
  const resources = servedResources({ settings, secrets, hashPassword, types: () => types, services, mails, limits });
  const account = async (call: { path: string }) => ({ body: { value: { handled: call.path } } });
  const operation = { summary: 'For tests', handle: account };
  const accountOperations = Object.fromEntries(verbs.map((verb) => [verb, operation]));
  const accounts = {
    session: accountOperations,
    password: accountOperations,
    profile: accountOperations,
    setup: accountOperations,
  };
  const sessions = {
    list: account,
    end: account,
    endAll: account,
    ownId: () => 1,
    personId: async (_call: object, _kind: string, id: string) => Number(id),
  };
  const notAskedHere = () => {
    throw new Error('not asked here');
  };
  const records = createRecordEngine({
    store,
    settings,
    resources: resources,
    notices: createChangeNotices({ error() {} }),
  });
  const use = createUse({ store, jobs: createJobs({ store, secrets, log: { warn() {} } }), log: { warn() {} } });
  const type = systemService({
    store,
    use,
    limits,
    definitions: createStoredDefinitions(store),
    settings,
    records,
    accounts,
    sessions,
    types: () => types,
    services,
    mails,
    access: notAskedHere,
    runner: {
      run: notAskedHere,
      beginDryRun: notAskedHere,
      dryRun: notAskedHere,
      runs: notAskedHere,
      knownEngines: notAskedHere,
      engineStates: async () => new Map(),
      close: notAskedHere,
    },
    linked: { settings, services: notAskedHere, callInside: notAskedHere, authorizeInside: notAskedHere },
    packages: {
      ...{ store, settings, records, services: notAskedHere, fetch: notAskedHere },
      ...{ callInside: notAskedHere, authorizeInside: notAskedHere, log: { warn() {} } },
    },
    tryService: account,
  });
  types.push(type as unknown as ServiceType);
  const service = await type.open({} as never, {} as never);
  let heard: { table: string; ids?: number[] }[] = [];
  store.bus.subscribe((change) => void heard.push(change));
  return {
    store,
    secrets,
    service,
    records,
    resources: resources,
    operations: type.routes.operations,
    types,
    takeChanges() {
      const since = heard;
      heard = [];
      return since;
    },
    async ask(verb, path, body, call = {}) {
      const [before = '', query = ''] = path.split(/\?(.*)/s);
      try {
        const reply = await service.handle(aCall({ verb, path: before, query, body, ...call }));
        const value = await readValue(reply, Number.POSITIVE_INFINITY);
        const answered = JSON.parse(JSON.stringify(value ?? null));
        const etag = reply.headers?.ETag;
        return { status: reply.status ?? 200, body: answered, ...(etag === undefined ? {} : { etag }) };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return { status: error.status, body: JSON.parse(JSON.stringify({ error: wireError(error) })) };
      }
    },
    async close() {
      await limits.close();
      await use.close();
      await store.close();
      storePlace.free();
    },
  };
}
