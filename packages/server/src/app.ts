// Composition: every part of an instance is made here, once, and handed to those that need it.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Failure } from '@sluice/contract';
import type { Logger } from 'pino';
import { createAnswerBudget } from './call/byte-budget.ts';
import { TypedMap } from './call/typed-map.ts';
import { findLeftChanges, openExtrasStore } from './database/extras/index.ts';
import { databaseTools } from './database/index.ts';
import { storeIdFact } from './database/own-store.ts';
import { createSchemaUsage } from './database/usage/index.ts';
import { createChangeNotices } from './events/changes.ts';
import { createFetch, fetcher } from './fetch/index.ts';
import { createSendOutside } from './fetch/open.ts';
import { authorizeInside, runInside } from './gateway/index.ts';
import type { Platform } from './gateway/platform.ts';
import { createAccountMails } from './identity/account-mails.ts';
import { passwordOperations } from './identity/handlers/password.ts';
import { profileOperations } from './identity/handlers/profile.ts';
import { sessionOperations } from './identity/handlers/session.ts';
import { sessionCalls } from './identity/handlers/sessions.ts';
import { setupOperations } from './identity/handlers/setup.ts';
import { createIdentity, openKeys } from './identity/index.ts';
import { hashPassword } from './identity/passwords.ts';
import { createJobs } from './jobs/index.ts';
import { createLimits } from './limits/index.ts';
import { startLog } from './log/index.ts';
import { createMailTools, mailTools } from './mail/index.ts';
import { createSubscriptions, subscriptions as subscriptionsKey } from './messages/index.ts';
import { createMetrics } from './metrics/index.ts';
import { documentedServices } from './openapi/index.ts';
import { createStoredDefinitions, storedDefinitions } from './openapi/stored.ts';
import { createRecordEngine } from './records/index.ts';
import { sharedEnvironment } from './resources/environment/index.ts';
import { servedResources } from './resources/index.ts';
import { loadServices } from './resources/service/index.ts';
import { tryService } from './resources/service/try.ts';
import { systemService } from './resources/system.ts';
import type { CallInside } from './scripts/api.ts';
import { createScripts } from './scripts/index.ts';
import { type LinkedParts, linkedParts } from './scripts/linked.ts';
import { callerLookups, createScriptLookups } from './scripts/lookups.ts';
import { outsideWords } from './scripts/outside.ts';
import { createScriptQueue, scriptQueue } from './scripts/queue.ts';
import { createScriptRunner, scriptRunner } from './scripts/runner.ts';
import { createServiceRegistry, type Services, serviceRows } from './service/registry.ts';
import type { ServiceType } from './service/service.ts';
import { createValueCaches } from './service/value-cache.ts';
import { purgeStoredValues } from './services/cache_local/index.ts';
import { serviceTypes } from './services/index.ts';
import { addWorld } from './services/sqlite/world/service.ts';
import { privateTargetsOf, type Settings } from './settings/index.ts';
import { keepPrivate } from './settings/private-files.ts';
import { StartError } from './settings/start-error.ts';
import { contractVersion } from './settings/version.ts';
import { instanceFact } from './store/facts.ts';
import { affects, openStore, type Store } from './store/index.ts';
import { seed } from './store/seed.ts';
import { createUse } from './use/index.ts';

export interface StartedPlatform {
  platform: Platform;
  /** The one-time code for the first administrator; undefined when there is one. */
  setupCode: string | undefined;
  close(): Promise<void>;
}

/** Opens the store and makes an instance over it; throws StartError when it cannot start. */
export async function createPlatform(requestedSettings: Settings): Promise<StartedPlatform> {
  const settings = { ...requestedSettings, data: resolve(requestedSettings.data) };
  keepPrivate(settings.data);
  const { log, close: closeLog } = startLog(settings);
  let store: Store | undefined;
  try {
    store = await openStore({
      url: settings.databaseUrl,
      dataFolder: settings.data,
      redisUrl: settings.redisUrl,
      connections: settings.databasePool,
      timeLimit: settings.queryTimeout,
      log,
    });
    const { close, ...started } = await compose(settings, store, log);
    return { ...started, close: () => close().finally(closeLog) };
  } catch (error) {
    await store?.close();
    await closeLog();
    // The store went away meanwhile.
    throw error instanceof Failure ? new StartError(error.message, error) : error;
  }
}

async function compose(settings: Settings, store: Store, log: Logger): Promise<StartedPlatform> {
  const keys = await openKeys({ settings, store, log });
  await seed(store, settings);
  // Types and resources need each other: a type's form lists records, a record's rules ask its type.
  const types = (): ServiceType[] => services.types;
  const jobs = createJobs({ store, secrets: keys.secrets, log });
  const mails = createAccountMails({ store, jobs, services: () => services, settings });
  const limits = await createLimits({ store, settings, log });
  const parts = {
    store,
    settings,
    secrets: keys.secrets,
    hashPassword,
    types,
    services: () => services,
    mails,
    limits,
  };
  const notices = createChangeNotices(log);
  const records = createRecordEngine({ store, settings, resources: servedResources(parts), notices });
  const identity = await createIdentity({ ...parts, records, jobs, keys, log });
  const accounts = {
    session: sessionOperations(identity, settings),
    password: passwordOperations(identity, settings),
    profile: profileOperations(identity),
    setup: setupOperations(identity),
  };

  const use = createUse({ store, jobs, log });
  const definitions = createStoredDefinitions(store);
  const callInside: CallInside = (outer, request) => runInside(outer, request, platform);
  const linked: LinkedParts = {
    ...{ settings, callInside, services: () => services },
    authorizeInside: (outer, request) => authorizeInside(outer, request, platform),
  };
  const fetch = createFetch({ privateTargets: privateTargetsOf(settings) });
  const lookupsOf = createScriptLookups(store, keys.secrets, log);
  const sendOutside = createSendOutside({ privateTargets: privateTargetsOf(settings) }, outsideWords);
  const runner = createScriptRunner({
    ...{ store, settings, log, callInside, sendOutside },
    lookupsOf,
    config: JSON.stringify({
      df: { version: contractVersion, api_version: '2.0' },
      ...sharedEnvironment({ store, settings }),
    }),
  });
  const queue = createScriptQueue({
    ...{ jobs, settings, identity, services: () => services },
    runEventScript: (call, name, event) => scripts.runQueued(call, name, event),
  });
  const system = systemService({
    store,
    use,
    limits,
    definitions,
    settings,
    records,
    accounts,
    sessions: sessionCalls(identity),
    types,
    services: () => services,
    access: () => ({ identity, services, limits }),
    ...{ mails, runner, linked },
    packages: {
      ...{ store, settings, records, callInside, fetch, log, services: () => services },
      authorizeInside: linked.authorizeInside,
    },
    tryService: (call, id) => tryService({ ...parts, services }, call, id),
  });

  const subscriptions = createSubscriptions({
    ...{ store, jobs, log, secrets: keys.secrets, services: () => services, platform: () => platform },
  });

  const extrasOf = openExtrasStore(store);
  const usage = createSchemaUsage({ store, records, openService: (id) => services.openById(id) });
  const storeId = await instanceFact(store.db, storeIdFact, randomUUID);
  // What services of some types need beyond the context that all have: a line each.
  const tools = new TypedMap()
    .set(databaseTools, (service) => ({ extras: extrasOf(service), usage, storeId, notices }))
    .set(fetcher, fetch)
    .set(mailTools, createMailTools(store, settings))
    .set(scriptRunner, runner)
    .set(linkedParts, linked)
    .set(storedDefinitions, definitions)
    .set(scriptQueue, queue)
    .set(subscriptionsKey, subscriptions)
    .set(callerLookups, lookupsOf)
    .set(serviceRows, () => services.rows())
    .set(documentedServices, () => ({ ...services, of: definitions.of }));
  jobs.schedule('purge cache values', '11,41 * * * *', () => purgeStoredValues(store.db));
  const openCache = createValueCaches();
  const services: Services = createServiceRegistry({
    types: [system, ...serviceTypes({ identity, settings, store })],
    load: () => loadServices(store, parts),
    context: (row) => ({
      ...row,
      require: (key) => tools.require(key),
      peer: (id) => services.openById(id),
      call: callInside,
      cache: openCache(),
      secrets: keys.secrets,
      dataFolder: settings.data,
      limits: { maxRecords: settings.maxRecords, queryTimeout: settings.queryTimeout },
      log: log.child({ service: row.name }),
    }),
  });
  store.bus.subscribe((change) => {
    if (affects(change, 'service')) return services.invalidate(change.ids);
    // Those whose configurations have other values now are found when they are read again.
    return affects(change, 'lookup') ? services.invalidate() : undefined;
  });
  if (settings.demo) await addWorld(store, settings.data);
  // What a process left that was killed: roles are to say the names that tables have now. A database may be slow to answer.
  const settling = settleLeftChanges(store, services, extrasOf, log);

  const scripts = await createScripts({ store, jobs, runner, queue, linked, services, settings, log });
  limits.onExceeded(({ limit: { id, record, rate }, cacheKey, call }) =>
    scripts.raise(['system.limit.{id}.exceeded', `system.limit.${id}.exceeded`], call, {
      resource: String(id),
      limit: { ...record, rate: String(rate), cache_key: cacheKey },
    }),
  );

  const platform: Platform = {
    ...{ settings, log, store, identity, services, use, limits, definitions, scripts, runner, jobs, notices },
    metrics: createMetrics(services.find),
    answers: createAnswerBudget(settings.answerMemory),
  };
  await jobs.start();
  await subscriptions.start();
  return {
    platform,
    setupCode: await identity.setupCode(),
    // All that ends with the process, in order: those that use others first.
    async close() {
      await jobs.close();
      await subscriptions.close();
      await scripts.close();
      await runner.close();
      await services.close();
      await settling;
      await limits.close();
      await use.close();
      await identity.close();
      await store.close();
    },
  };
}

/** Opens the services whose databases were being changed when their process ended, and reads what is said of their tables. */
async function settleLeftChanges(
  store: Store,
  services: Services,
  extrasOf: ReturnType<typeof openExtrasStore>,
  log: Logger,
): Promise<void> {
  for (const id of await findLeftChanges(store.db).catch(() => []))
    try {
      await services.openById(id);
      await extrasOf(id).current();
    } catch (error) {
      log.warn({ err: error }, 'What became of a change of a database is not known yet.');
    }
}
