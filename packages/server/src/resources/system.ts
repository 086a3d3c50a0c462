// The service `system`: the instance's own resources under one address. The list below says which there are and
// what answers them; the record engine serves records, identity/ sign-in and passwords.
import {
  type ConfigFields,
  type ErrorKey,
  fail,
  configField as field,
  type ResourceDefinition,
  type ResourceName,
  resources,
  truthy,
  type Verb,
  verbs,
} from '@sluice/contract';
import { answer, type Call, type Reply } from '../call/call.ts';
import { accountMailFields } from '../identity/account-mail.ts';
import type { AccountMails } from '../identity/account-mails.ts';
import { type AccountOperations, accountRoute } from '../identity/handlers/request.ts';
import type { SessionCalls } from '../identity/handlers/sessions.ts';
import type { AccountKind } from '../identity/index.ts';
import type { Limits } from '../limits/index.ts';
import type { StoredDefinitions } from '../openapi/stored.ts';
import { answerRecords, type RecordEngine, type ResourceHabits } from '../records/index.ts';
import type { LinkedParts } from '../scripts/linked.ts';
import type { ScriptRunner } from '../scripts/runner.ts';
import { type Operation, type Resource, type RootEntry, type Route, routesOf } from '../service/operation.ts';
import type { Services } from '../service/registry.ts';
import { type OpenService, type ServiceType, serviceType } from '../service/service.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import type { Use } from '../use/index.ts';
import { type AccessParts, explainCall } from './access/index.ts';
import { createKey } from './app/create-key.ts';
import { keyAnswerFields, keyRequestFields } from './app/key-request.ts';
import { flushCaches, flushEventScript, flushScript, listCaches } from './cache/index.ts';
import { previewTemplate, sendTemplate } from './email_template/try.ts';
import { answerEnvironment } from './environment/index.ts';
import { listEvents } from './event/index.ts';
import { saveEventScript } from './event_script/index.ts';
import { listRuns, runDry, type ScriptRunParts } from './event_script/runs.ts';
import { answerWriters } from './event_script/writers.ts';
import { answerImport } from './import/index.ts';
import { importAnswer, importFields } from './import/shapes.ts';
import { previewLimit } from './limit/preview.ts';
import { type LimitCacheParts, listCounters, readCounter, resetCounter, resetCounters } from './limit_cache/index.ts';
import { answerAppPost, answerManifest, answerPackage, exportAppPackage, type PackageParts } from './package/index.ts';
import { appForm, exportFields, manifestFields, packageAnswer, packageForm } from './package/shapes.ts';
import { listScriptTypes, readScriptType } from './script_type/index.ts';
import { listServiceTypes, readServiceType } from './service_type/index.ts';
import { answerAppUse, answerFailedCalls, answerServiceUse } from './use.ts';

export interface SystemParts {
  store: Store;
  use: Use;
  limits: Limits;
  definitions: StoredDefinitions;
  settings: Settings;
  records: RecordEngine;
  /** What identity/ answers below `system/admin`. */
  accounts: Record<'session' | 'password' | 'profile' | 'setup', AccountOperations>;
  sessions: SessionCalls;
  types: () => ServiceType[];
  services: () => Pick<Services, 'rows' | 'type' | 'openById' | 'open'>;
  /** What finds callers and decides calls. */
  access: () => AccessParts;
  /** Tries a configuration; with an id, changes of that service. */
  tryService(call: Call, id?: string): Promise<Reply>;
  mails: Pick<AccountMails, 'sample' | 'send'>;
  runner: ScriptRunner;
  linked: LinkedParts;
  /** What packages are made of and read with. */
  packages: PackageParts;
}

const config = {
  default_app_id: field.picklist({
    label: 'Default Application',
    description: 'The app that opens after sign-in for whoever chose none.',
    choices: 'app',
  }),
  ...accountMailFields,
} satisfies ConfigFields;

/** The service type `system`, made of the records and the identity of an instance: there is one of each. */
export const systemService = (parts: SystemParts): ServiceType<typeof config> =>
  serviceType({
    name: 'system',
    label: 'System Management',
    description: 'Service for managing system resources.',
    group: 'System',
    can: { signIn: 'own', accessList: true },
    singleton: true,
    config,
    resources: systemResources(parts),
    events: [{ name: 'limit.{id}.exceeded', component: 'limit', values: () => activeLimitIds(parts.store) }],
    // It was created with all that it needs.
    open: () => ({}),
  });

const route = routesOf<OpenService>();

// ---- the resources ----

function systemResources(parts: SystemParts): Resource<OpenService>[] {
  const { records, accounts, sessions, store, use, limits, settings, types, services, access, tryService, mails } =
    parts;
  const { definitions, runner, linked, packages } = parts;
  const account = (
    name: keyof typeof accounts,
    label: string,
    description: string,
    isPublic: readonly Verb[] = [],
  ): Resource<OpenService> => ({
    entry: entry({ name: `admin/${name}`, label, description, isSingleton: true }),
    components: [`admin/${name}`],
    routes: [accountRoute(accounts[name], 'admin', isPublic)],
  });
  return [
    withRoutes(recordResource('admin', records, { writtenByAdministrators: true }), sessionRoutes(sessions, 'admin')),
    account('password', 'Admin Password', "Change the administrator's own password.", ['POST']),
    account('profile', 'Admin Profile', "The administrator's own profile."),
    account('session', 'Admin Session', 'Sign-in, renewal and sign-out of administrators.', verbs),
    { ...account('setup', 'Set-up', 'Makes the first administrator.', ['POST']), isHidden: true },
    {
      entry: entry({ name: 'access', label: 'Access', description: 'Why a call is allowed or not.' }),
      isHidden: true,
      routes: [
        route('explain', {
          POST: {
            summary: 'Why a call of somebody is allowed or not',
            only: 'administrators',
            body: 'object',
            answer: 'object',
            handle: (call) => explainCall(access(), call),
          },
        }),
      ],
    },
    withRoutes(appResource(records, packages), [
      route('_key', {
        POST: {
          summary: 'Create a role and an app with its API key together',
          body: 'object',
          bodyFields: keyRequestFields,
          answer: 'object',
          answerFields: keyAnswerFields,
          status: 201,
          errors: ['record.invalid'],
          handle: (call) => createKey({ records, services: services() }, call),
        },
      }),
      route('_use', {
        GET: {
          summary: 'How often keys were used, and when last',
          only: 'administrators',
          answer: 'records',
          handle: (call) => answerAppUse(use, call),
        },
      }),
    ]),
    readOnlyResource('audit', records),
    {
      entry: entry({
        name: 'cache',
        label: 'Cache',
        description: 'What is remembered of services, and how to make this instance forget it.',
      }),
      routes: [
        route('', {
          GET: {
            summary: 'List the services whose memory can be flushed',
            parameters: ['fields', 'as_list'],
            answer: 'records',
            handle: (call) => listCaches(services(), call),
          },
          DELETE: {
            summary: 'Flush everything',
            answer: 'success',
            handle: () => flushCaches({ store, services: services() }),
          },
        }),
        route('_event/{name}', {
          DELETE: {
            summary: 'Flush one script, of an event or of a service',
            answer: 'success',
            handle: (_call, { name }) => flushScript({ store, services: services() }, name),
          },
        }),
        route('_event', {
          DELETE: {
            summary: 'Flush the scripts of all events',
            answer: 'success',
            async handle() {
              await store.bus.publish({ table: 'event_script' });
              return answer({ success: true });
            },
          },
        }),
        route('{service}', {
          DELETE: {
            summary: 'Flush one service',
            answer: 'success',
            errors: ['service.unknown', 'service.noCache'],
            handle: (_call, { service }) => flushCaches({ store, services: services() }, service),
          },
        }),
      ],
    },
    {
      entry: entry({
        name: 'constant',
        label: 'Constants',
        description: 'Kept for older clients; there are none.',
        isReadOnly: true,
      }),
      routes: ['', '{+name}'].map((path) =>
        route(
          path,
          {
            GET: {
              summary: 'List the constants, of which there are none',
              answer: 'records',
              handle: () => answer({ resource: [] }),
            },
          },
          { isHidden: path !== '' },
        ),
      ),
    },
    recordResource('cors', records),
    recordResource('custom', records, { answersBare: true }),
    withRoutes(recordResource('email_template', records), [
      route('_preview', {
        POST: {
          summary: 'How a template looks with sample values',
          only: 'administrators',
          body: 'record',
          answer: 'object',
          errors: ['mail.notText'],
          handle: (call) => previewTemplate(mails, call),
        },
      }),
      route('_send', {
        POST: {
          summary: 'Send a template with sample values to oneself',
          only: 'administrators',
          body: 'record',
          answer: 'object',
          errors: ['mail.notText', 'mail.noContent'],
          handle: (call) => sendTemplate(mails, call),
        },
      }),
    ]),
    {
      entry: entry({
        name: 'environment',
        label: 'Environment',
        description: 'What clients need to know of this instance.',
        isSingleton: true,
        isReadOnly: true,
      }),
      routes: [
        route(
          '',
          {
            GET: {
              summary: 'What clients need to know of this instance',
              answer: 'object',
              handle: (call) => answerEnvironment({ store, settings, types }, call),
            },
          },
          { public: ['GET'] },
        ),
      ],
    },
    {
      entry: entry({
        name: 'event',
        label: 'Events',
        description: 'The events that scripts can run at, by service and address.',
        isReadOnly: true,
      }),
      routes: [
        route('', {
          GET: {
            summary: 'List the events of services',
            parameters: ['service', 'scriptable', 'as_list'],
            answer: 'object',
            handle: (call) => listEvents({ services: services(), definitions }, call),
          },
        }),
      ],
    },
    withRoutes(eventScriptResource(records, store), [
      ...scriptRunRoutes(() => ({ runner, services: access().services, settings, linked })),
      route('_writers', {
        GET: {
          summary: 'Who can change a file that a script is linked to',
          parameters: ['storage_service_id', 'storage_path'],
          answer: 'object',
          errors: ['script.notLinkable'],
          handle: (call) => answerWriters({ store, services: services() }, call),
        },
      }),
    ]),
    importResource(packages),
    { ...withVerbs(recordResource('job', records), ['GET', 'PATCH', 'DELETE']), isHidden: true },
    withRoutes(recordResource('limit', records, { createdStatus: 200, nothingToDelete: 'record.none' }), [
      route('_preview', {
        POST: {
          summary: 'What a limit would have refused in the last hour',
          only: 'administrators',
          body: 'record',
          answer: 'object',
          errors: ['record.invalid'],
          handle: (call) => previewLimit({ store, limits }, call),
        },
      }),
    ]),
    limitCacheResource({ store, limits }),
    recordResource('lookup', records),
    packageResource(packages),
    recordResource('role', records),
    {
      entry: entry({
        name: 'script_type',
        label: 'Script Types',
        description: 'The languages that scripts may be written in.',
        isReadOnly: true,
      }),
      routes: [
        route('', {
          GET: {
            summary: 'List the languages of scripts',
            parameters: ['fields', 'as_list'],
            answer: 'records',
            handle: (call) => listScriptTypes(call, runner.engineStates),
          },
        }),
        route('{name}', {
          GET: {
            summary: 'One language of scripts',
            parameters: ['fields'],
            answer: 'record',
            errors: ['script.typeUnknown'],
            handle: (call, { name }) => readScriptType(call, name, runner.engineStates),
          },
        }),
      ],
    },
    withRoutes(recordResource('service', records), [
      ...testRoutes(tryService),
      route('_use', {
        GET: {
          summary: 'How often services were called, by hour, and when last',
          only: 'administrators',
          parameters: ['hours'],
          answer: 'records',
          errors: ['record.invalid'],
          handle: (call) => answerServiceUse(use, call),
        },
      }),
      route('_failures', {
        GET: {
          summary: 'The last calls of a service that failed, newest first',
          only: 'administrators',
          parameters: ['service'],
          answer: 'records',
          errors: ['service.unknown'],
          handle: (call) => answerFailedCalls(use, services(), call),
        },
      }),
    ]),
    {
      entry: entry({
        name: 'service_type',
        label: 'Service Types',
        description: 'The kinds of services this server has, and how each is configured.',
        isReadOnly: true,
      }),
      routes: [
        route('', {
          GET: {
            summary: 'List the service types',
            parameters: ['fields', 'group', 'as_list'],
            answer: 'records',
            handle: (call) => listServiceTypes({ store, types }, call),
          },
        }),
        route('{name}', {
          GET: {
            summary: 'One service type',
            parameters: ['fields'],
            answer: 'record',
            errors: ['service.typeNotFound'],
            handle: (call, { name }) => readServiceType({ store, types }, call, name),
          },
        }),
      ],
    },
    withRoutes(recordResource('user', records), sessionRoutes(sessions, 'user')),
  ];
}

/** A declared resource: the collection, and one record by its identifier. */
function recordResource(name: ResourceName, records: RecordEngine, habits?: ResourceHabits): Resource<OpenService> {
  const { label, description, identifier } = resources[name];
  const plural = label.toLowerCase();
  const answerAll = (call: Call) => answerRecords(records, call, resources[name], undefined, habits);
  // Each record of a resource is of its declaration, which knows nothing of the types of others.
  const declared = { records: resources[name] as unknown as ResourceDefinition };
  const onAll = { ...declared, answer: 'records', handle: answerAll } as const;
  const created = { status: habits?.createdStatus ?? 201 };
  const errors = recordErrors(habits);
  const write = habits?.writtenByAdministrators ? ({ only: 'administrators' } as const) : {};
  const requireId = (values: Readonly<Record<string, string>>): string => {
    const id = values[identifier] as string;
    // Only below `admin` can a word be the name of another resource (contract/system-resources.md §0).
    if (name === 'admin' && !/^-?\d+$/.test(id)) throw fail('service.resourceUnknown', { resource: id, service: name });
    return id;
  };
  const answerOne = (call: Call, values: Readonly<Record<string, string>>) =>
    answerRecords(records, call, resources[name], requireId(values));
  const onOne = { ...declared, answer: 'record', handle: answerOne } as const;
  const read = habits?.answersBare ? ({ answer: 'any value' } as const) : {};
  const event = { event: name };
  const updateAll = {
    ...write,
    summary: `Update several ${plural}`,
    parameters: batchParameters,
    body: 'records',
  } as const;
  const updateOne = {
    ...write,
    summary: `Update one of the ${plural}`,
    parameters: oneParameters,
    body: 'record',
  } as const;
  return {
    entry: entry({ name, label, description }),
    routes: [
      route(
        '',
        {
          GET: { summary: `List ${plural}`, parameters: listParameters, ...onAll, errors: errors.list },
          POST: {
            ...{ summary: `Create ${plural}`, parameters: batchParameters, body: 'records', ...onAll, ...created },
            ...{ ...write, errors: errors.create },
          },
          PUT: { ...updateAll, ...onAll, errors: errors.updateAll },
          PATCH: { ...updateAll, ...onAll, errors: errors.updateAll },
          DELETE: {
            ...{ summary: `Delete several ${plural}`, parameters: deleteParameters, body: 'records', ...onAll },
            ...{ ...write, errors: errors.deleteAll },
          },
        },
        event,
      ),
      route(
        `{${identifier}}`,
        {
          GET: {
            summary: `Read one of the ${plural}`,
            parameters: oneParameters,
            ...onOne,
            ...read,
            errors: errors.read,
          },
          PUT: { ...updateOne, ...onOne, errors: errors.update },
          PATCH: { ...updateOne, ...onOne, errors: errors.update },
          DELETE: {
            ...{ ...write, summary: `Delete one of the ${plural}`, parameters: oneParameters, ...onOne },
            errors: ['record.notFound'],
          },
        },
        {
          ...event,
          refusal(verb, values) {
            requireId(values);
            return verb === 'POST' ? fail('record.createById') : undefined;
          },
        },
      ),
    ],
  };
}

/** What calls on the records of a resource refuse. */
function recordErrors(habits?: ResourceHabits) {
  return {
    list: ['filter.unparsable', 'filter.orderField'],
    create: ['record.none', 'record.batch'],
    updateAll: ['record.none', 'record.batch'],
    deleteAll: [habits?.nothingToDelete ?? 'record.noneToDelete', 'record.byFilter', 'record.batch'],
    read: ['record.notFound'],
    update: ['record.notFound', 'record.moreThanOne', 'record.stale'],
  } satisfies Record<string, readonly ErrorKey[]>;
}

/** Limits that lists of events name. */
const maxListedLimits = 1_000;

async function activeLimitIds({ db }: Store): Promise<number[]> {
  const rows = await db
    .selectFrom('limit')
    .select('id')
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(maxListedLimits)
    .execute();
  return rows.map(({ id }) => id);
}

const oneCounter = { answer: 'record', errors: ['record.notFound'] } as const;

/** Imports of CSV into new tables. */
const importResource = (parts: PackageParts): Resource<OpenService> => ({
  entry: entry({ name: 'import', label: 'Import', description: 'Makes a new table of a CSV file.' }),
  routes: [
    route('', {
      POST: {
        summary: 'Make a new table of a CSV file',
        description:
          'The file comes in the field `file` of a form, or from `import_url`. Its first row names the fields, which are nullable texts; the table has no primary key. When a record is refused, the table is dropped again.',
        parameters: ['import_url', 'service', 'resource'],
        body: 'object',
        bodyFields: importFields,
        streams: { limit: parts.settings.uploadLimit },
        answer: 'object',
        answerFields: importAnswer,
        errors: [
          ...(['import.noFile', 'import.wrongType', 'import.severalFiles', 'import.tableExists'] as const),
          ...(['import.noHeader', 'import.numericHeader', 'import.emptyHeader', 'import.otherGroup'] as const),
          ...(['import.notFetched', 'service.unknown'] as const),
        ],
        handle: (call) => answerImport(parts, call),
      },
    }),
  ],
});

/** Packages: what the instance has as one archive, and back. */
const packageResource = (parts: PackageParts): Resource<OpenService> => ({
  entry: entry({
    name: 'package',
    label: 'Packages',
    description: 'What this instance has, exported into an archive and imported from one.',
  }),
  routes: [
    route('', {
      GET: {
        summary: 'What the caller can export',
        parameters: ['system_only', 'full_tree'],
        answer: 'object',
        answerFields: manifestFields,
        handle: (call) => answerManifest(parts, call),
      },
      POST: {
        summary: 'Export what a manifest names, or import a package',
        description:
          'With JSON that names items it exports them into a file service, and answers 200. With a file in the field `files` of a form, or `import_url`, it imports a package: 201 when something was imported.',
        parameters: ['import_url', 'password', 'overwrite'],
        body: 'object',
        bodyFields: exportFields,
        form: packageForm,
        streams: { limit: parts.settings.uploadLimit },
        answer: 'object',
        answerFields: packageAnswer,
        errors: [
          ...(['package.empty', 'package.itemMissing', 'package.passwordMissing', 'package.notSaved'] as const),
          ...(['package.invalid', 'package.manifestUnread', 'package.notInserted', 'package.wrongEnding'] as const),
        ],
        handle: (call) => answerPackage(parts, call),
      },
    }),
  ],
});

/** Apps: a POST may bring a package, a GET of one may ask for it. */
function appResource(records: RecordEngine, packages: PackageParts): Resource<OpenService> {
  const resource = recordResource('app', records);
  const importing = (create: Operation<OpenService>): Operation<OpenService> => ({
    ...create,
    summary: 'Create apps, or import one from a package',
    description:
      'With a file in the field `file` of a form, or a body `{import_url, storage_service_id, storage_container}`, it imports a package, and answers 200 and the new app.',
    form: appForm,
    streams: { limit: packages.settings.uploadLimit, only: 'forms' },
    errors: [
      ...(create.errors ?? []),
      ...(['app.severalPackages', 'app.notPackage', 'app.packageUnopened', 'app.noDescription'] as const),
      ...(['app.nameless', 'app.pathless', 'app.urlless', 'app.badStorage', 'app.schemaEmpty'] as const),
      ...(['app.dataEmpty', 'app.notCreated', 'app.servicesNotCreated', 'app.tablesNotCreated'] as const),
      ...(['app.filesNotImported', 'package.badPart', 'package.notFetched', 'file.badZip', 'file.exists'] as const),
    ],
    handle: (call, values, service) =>
      answerAppPost(packages, call, async (made) => create.handle(made, values, service)),
  });
  const exporting = (read: Operation<OpenService>): Operation<OpenService> => ({
    ...read,
    description: 'With `pkg=true` it answers the app as a package.',
    parameters: [...(read.parameters ?? []), 'pkg', 'include_files', 'include_data', 'service', 'schema'],
    errors: [
      ...(read.errors ?? []),
      ...(['app.unknown', 'app.badSchemaParameter', 'app.fileReserved', 'package.itemMissing'] as const),
    ],
    handle: (call, values, service) =>
      truthy(call.query.get('pkg'))
        ? exportAppPackage(packages, call, (values as Readonly<Record<string, string>>).id ?? '')
        : read.handle(call, values, service),
  });
  return {
    ...resource,
    routes: resource.routes.map(({ operations, ...added }) => ({
      ...added,
      operations: {
        ...operations,
        ...(added.path === '' && operations.POST ? { POST: importing(operations.POST) } : {}),
        ...(added.path !== '' && operations.GET ? { GET: exporting(operations.GET) } : {}),
      },
    })),
  };
}

/** The counters of limits. */
const limitCacheResource = (parts: LimitCacheParts): Resource<OpenService> => ({
  entry: entry({
    name: 'limit_cache',
    label: 'Limits Cache',
    description: 'The counters of limits, and how to set them back.',
  }),
  routes: [
    route('', {
      GET: {
        summary: 'List the counters',
        parameters: ['ids', 'as_list', 'continue'],
        answer: 'records',
        errors: ['record.batch'],
        handle: (call) => listCounters(parts, call),
      },
      DELETE: {
        summary: 'Set counters back',
        parameters: ['ids', 'continue', 'force'],
        body: 'records',
        answer: 'records',
        errors: ['record.none', 'record.batch'],
        handle: (call) => resetCounters(parts, call),
      },
    }),
    route('{id}', {
      GET: { summary: 'One counter', ...oneCounter, handle: (_call, { id }) => readCounter(parts, id) },
      DELETE: { summary: 'Set one counter back', ...oneCounter, handle: (_call, { id }) => resetCounter(parts, id) },
    }),
  ],
});

/** Scripts: a POST on a name makes or changes the script of that name. */
function eventScriptResource(records: RecordEngine, store: Store): Resource<OpenService> {
  const resource = recordResource('event_script', records);
  const save = {
    summary: 'Create or update the event script of that name',
    parameters: oneParameters,
    body: 'record',
    answer: 'record',
    errors: ['record.none', 'record.invalid', 'record.stale'],
    handle: (call: Call, { name = '' }: Readonly<Record<string, string>>) =>
      saveEventScript(records, store, call, name),
  } as const;
  // A script that lies elsewhere is loaded again, also where nothing of its record changes.
  const flushing = (operation: Operation<OpenService>): Operation<OpenService> => ({
    ...operation,
    async handle(call, values, service) {
      const reply = await operation.handle(call, values, service);
      await flushEventScript(store, (values as Readonly<Record<string, string>>).name ?? '');
      return reply;
    },
  });
  const withSave = (added: Route<OpenService>): Route<OpenService> => ({
    ...added,
    operations: {
      ...added.operations,
      POST: flushing(save),
      ...(added.operations.PUT && { PUT: flushing(added.operations.PUT) }),
      ...(added.operations.PATCH && { PATCH: flushing(added.operations.PATCH) }),
    },
  });
  return { ...resource, routes: resource.routes.map((added) => (added.path === '' ? added : withSave(added))) };
}

/** How scripts ran, and what one would do. */
const scriptRunRoutes = (parts: () => ScriptRunParts): Route<OpenService>[] => [
  route('_runs', {
    GET: {
      summary: 'The last runs of scripts, newest first',
      parameters: ['name'],
      answer: 'records',
      handle: (call) => listRuns(parts(), call),
    },
  }),
  route('_dry_run', {
    POST: {
      summary: 'What a script would do with a call',
      body: 'object',
      answer: 'object',
      errors: ['record.invalid'],
      handle: (call) => runDry(parts(), call),
    },
  }),
];

const oneParameters = ['fields', 'related'];
const batchParameters = [...oneParameters, 'continue', 'rollback', 'ids'];
const deleteParameters = [...batchParameters, 'force'];
const listParameters = [
  ...oneParameters,
  ...['filter', 'limit', 'offset', 'order', 'group', 'ids', 'include_count', 'count_only', 'as_list'],
];

/** A declared resource that no call writes. */
function readOnlyResource(name: ResourceName, records: RecordEngine): Resource<OpenService> {
  const { entry, routes } = withVerbs(recordResource(name, records), ['GET']);
  return { entry: { ...entry, read_only: true }, routes };
}

/** A resource of which only these verbs are served. */
function withVerbs({ routes, ...resource }: Resource<OpenService>, served: readonly Verb[]): Resource<OpenService> {
  const limited = ({ refusal, operations, ...rest }: Route<OpenService>): Route<OpenService> => ({
    ...rest,
    operations: Object.fromEntries(Object.entries(operations).filter(([verb]) => served.includes(verb as Verb))),
  });
  return { ...resource, routes: routes.map(limited) };
}

/** A resource with further routes below it. */
const withRoutes = (resource: Resource<OpenService>, routes: Route<OpenService>[]): Resource<OpenService> => ({
  ...resource,
  routes: [...resource.routes, ...routes],
});

/** Where a person is signed in, below their record: who may read or delete that may read or end these. */
function sessionRoutes(calls: SessionCalls, kind: AccountKind): Route<OpenService>[] {
  return [
    route(
      '{id}/_sessions',
      {
        GET: {
          summary: 'Where a person is signed in',
          answer: 'records',
          handle: async (call, { id }) => calls.list(call, await calls.personId(call, kind, id)),
        },
        DELETE: {
          summary: 'End all sessions of a person',
          answer: 'success',
          handle: async (call, { id }) => calls.endAll(call, await calls.personId(call, kind, id)),
        },
      },
      { isHidden: true },
    ),
    route(
      '{id}/_sessions/{session}',
      {
        DELETE: {
          summary: 'End a session of a person',
          answer: 'record',
          handle: async (call, { id, session }) => calls.end(call, await calls.personId(call, kind, id), session),
        },
      },
      { isHidden: true },
    ),
  ];
}

/** `_test`, below the services and below one, which tries what was sent without saving it. */
function testRoutes(test: SystemParts['tryService']): Route<OpenService>[] {
  const operation = { summary: 'Try a configuration without saving it', body: 'record', answer: 'success' } as const;
  const errors = ['service.unsupportedOnWrite', 'record.invalid'] as const;
  return [
    route('_test', { POST: { ...operation, errors, handle: (call) => test(call) } }),
    route(
      '{id}/_test',
      { POST: { ...operation, errors: ['record.notFound', ...errors], handle: (call, { id }) => test(call, id) } },
      {
        refusal: (verb) =>
          fail('http.verbNotSupported', { verb, path: '_test', service: 'service' }, { allow: ['POST'] }),
      },
    ),
  ];
}

interface EntryParts {
  name: string;
  label: string;
  description: string;
  isSingleton?: boolean;
  isReadOnly?: boolean;
}

/** A resource as `fields=*` lists it. */
const entry = ({ name, label, description, isSingleton = false, isReadOnly = false }: EntryParts): RootEntry => ({
  name,
  label,
  description,
  class_name: null,
  singleton: isSingleton,
  read_only: isReadOnly,
  subscription_required: null,
});
