// The service `system`: the instance's own resources under one address. Which there are and what answers them is the
// list below; records are served by the record engine, sign-in and passwords by identity/.
import {
  type ConfigFields,
  fail,
  configField as field,
  type ResourceName,
  resources,
  type Verb,
} from '@sluice/contract';
import { answer, type Call, type Reply } from '../call/call.ts';
import { accountMail } from '../identity/account-mail.ts';
import type { AccountHandler } from '../identity/handlers/request.ts';
import type { Records } from '../records/index.ts';
import type { Services } from '../service/registry.ts';
import { listResources } from '../service/root.ts';
import { type Operation, type ServiceType, serviceType } from '../service/service.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import { type AccessParts, explainCall } from './access/index.ts';
import { cache } from './cache/index.ts';
import { environment } from './environment/index.ts';
import { serviceTypes } from './service_type/index.ts';

export interface SystemParts {
  store: Store;
  settings: Settings;
  records: Records;
  /** What identity/ answers below `system/admin`. */
  accounts: { session: AccountHandler; password: AccountHandler; profile: AccountHandler; setup: AccountHandler };
  types: () => ServiceType[];
  services: () => Pick<Services, 'rows'>;
  /** What callers are found and calls decided by. */
  access: () => AccessParts;
  /** Tries a configuration that was sent; with an id, changes of that service. */
  tryService(call: Call, id?: string): Promise<Reply>;
}

/** A resource below `system/`. */
interface SystemResource {
  name: string;
  label: string;
  description: string;
  isSingleton?: boolean;
  isReadOnly?: boolean;
  /** Answers but does not show in lists: the first administrator is made before anyone can read one. */
  isHidden?: boolean;
  operations: Operation[];
  /** `rest` is what follows the name in the address. */
  handle(call: Call, rest: string[]): Promise<Reply>;
}

const config = {
  default_app_id: field.picklist({
    label: 'Default Application',
    description: 'The app that opens after sign-in for whoever chose none.',
    choices: 'app',
  }),
  ...accountMail,
} satisfies ConfigFields;

/** The service type `system`; of an instance's records and identity, since there is one of each. */
export function systemService(parts: SystemParts): ServiceType<typeof config> {
  const list = systemResources(parts);
  const shown = list.filter((it) => !it.isHidden);
  const operations = [
    { verb: 'GET', path: '', summary: 'List the system resources' } as const,
    ...shown.flatMap((it) => it.operations),
  ];
  return serviceType({
    name: 'system',
    label: 'System Management',
    description: 'Service for managing system resources.',
    group: 'System',
    singleton: true,
    config,
    open: () => ({
      operations: () => operations,
      handle: (call) => route(call, list, shown),
      accessList: async (_call, allowed) => accessList(shown, allowed),
    }),
  });
}

async function route(call: Call, list: SystemResource[], shown: SystemResource[]): Promise<Reply> {
  const path = call.path.replace(/\/$/, '');
  if (path === '') return listRoot(call, shown);
  // Empty parts are kept and lead nowhere: `role//5` was not decided as `role/5`.
  const segments = path.split('/');
  // Two segments first: `admin/session` is a resource of its own, `admin/7` a record of `admin`.
  for (const length of [2, 1]) {
    const name = segments.slice(0, length).join('/');
    const resource = segments.length >= length ? list.find((it) => it.name === name) : undefined;
    if (resource) return resource.handle(call, segments.slice(length));
  }
  throw fail('service.resourceUnknown', { resource: segments[0] as string, service: call.service });
}

// ---- what there is ----

function systemResources(parts: SystemParts): SystemResource[] {
  const { records, accounts, store, settings, types, services, access, tryService } = parts;
  const account = (name: keyof typeof accounts, label: string, description: string, verbs: Verb[]): SystemResource => ({
    name: `admin/${name}`,
    label,
    description,
    isSingleton: true,
    operations: verbs.map((verb) => ({ verb, path: `admin/${name}`, summary: `${verb} ${label.toLowerCase()}` })),
    handle: async (call, rest) => {
      refuseMore(rest, name);
      return accounts[name](call, 'admin');
    },
  });
  const readOnly = (
    it: Pick<SystemResource, 'name' | 'label' | 'description' | 'isSingleton' | 'operations'>,
    read: (call: Call, rest: string[]) => Promise<Reply>,
  ): SystemResource => ({
    ...it,
    isReadOnly: true,
    async handle(call, rest) {
      if (call.verb === 'GET') return read(call, rest);
      throw notSupported(call.verb, rest, it.name, ['GET']);
    },
  });
  return [
    recordResource('admin', records),
    account('password', 'Admin Password', "Change the administrator's own password.", ['POST', 'PUT', 'PATCH']),
    account('profile', 'Admin Profile', "The administrator's own profile.", ['GET', 'POST', 'PUT', 'PATCH']),
    account('session', 'Admin Session', 'Sign-in, renewal and sign-out of administrators.', [
      'GET',
      'POST',
      'PUT',
      'DELETE',
    ]),
    {
      ...account('setup', 'Set-up', 'Makes the first administrator.', ['POST']),
      isHidden: true,
    },
    {
      name: 'access/explain',
      label: 'Explain',
      description: 'Why a call is allowed or not.',
      isHidden: true,
      operations: [],
      handle: async (call, rest) => {
        refuseMore(rest, 'explain');
        return explainCall(access(), call);
      },
    },
    recordResource('app', records),
    readOnlyRecords('audit', records),
    {
      name: 'cache',
      label: 'Cache',
      description: 'What is remembered of services, and how to make this instance forget it.',
      operations: [
        { verb: 'GET', path: 'cache', summary: 'List the services whose memory can be flushed' },
        { verb: 'DELETE', path: 'cache', summary: 'Flush everything' },
        { verb: 'DELETE', path: 'cache/{service}', summary: 'Flush one service' },
      ],
      async handle(call, rest) {
        refuseMore(rest.slice(1), 'cache');
        return cache({ store, services }, call, rest[0]);
      },
    },
    readOnly(
      {
        name: 'constant',
        label: 'Constants',
        description: 'Kept for older clients; there are none.',
        operations: [{ verb: 'GET', path: 'constant', summary: 'List the constants, of which there are none' }],
      },
      async () => answer({ resource: [] }),
    ),
    recordResource('custom', records),
    recordResource('email_template', records),
    readOnly(
      {
        name: 'environment',
        label: 'Environment',
        description: 'What clients need to know of this instance.',
        isSingleton: true,
        operations: [{ verb: 'GET', path: 'environment', summary: 'What clients need to know of this instance' }],
      },
      async (call, rest) => {
        refuseMore(rest, 'environment');
        return environment({ store, settings, types }, call);
      },
    ),
    recordResource('lookup', records),
    recordResource('role', records),
    withTest(recordResource('service', records), tryService),
    readOnly(
      {
        name: 'service_type',
        label: 'Service Types',
        description: 'The kinds of services this server has, and how each is configured.',
        operations: [
          { verb: 'GET', path: 'service_type', summary: 'List the service types' },
          { verb: 'GET', path: 'service_type/{name}', summary: 'One service type' },
        ],
      },
      async (call, rest) => {
        refuseMore(rest.slice(1), 'service_type');
        return serviceTypes({ store, types }, call, rest[0]);
      },
    ),
    recordResource('user', records),
  ];
}

/** A declared resource: the collection, and one record by its identifier. */
function recordResource(name: ResourceName, records: Records): SystemResource {
  const { label, description, identifier } = resources[name];
  const one = `${name}/{${identifier}}`;
  const what = label.toLowerCase();
  return {
    name,
    label,
    description,
    operations: [
      { verb: 'GET', path: name, summary: `List ${what}` },
      { verb: 'POST', path: name, summary: `Create ${what}` },
      { verb: 'PUT', path: name, summary: `Update several ${what}` },
      { verb: 'PATCH', path: name, summary: `Update several ${what}` },
      { verb: 'DELETE', path: name, summary: `Delete several ${what}` },
      { verb: 'GET', path: one, summary: `Read one of the ${what}` },
      { verb: 'PUT', path: one, summary: `Update one of the ${what}` },
      { verb: 'PATCH', path: one, summary: `Update one of the ${what}` },
      { verb: 'DELETE', path: one, summary: `Delete one of the ${what}` },
    ],
    async handle(call, rest) {
      refuseMore(rest.slice(1), name);
      const [id] = rest;
      // Only below `admin` a word is the name of a resource that might be there (contract/system-resources.md §0).
      if (id !== undefined && name === 'admin' && !/^-?\d+$/.test(id))
        throw fail('service.resourceUnknown', { resource: id, service: name });
      return records.handle(call, name, id);
    },
  };
}

/** A declared resource nobody writes by a call. */
function readOnlyRecords(name: ResourceName, records: Records): SystemResource {
  const resource = recordResource(name, records);
  return {
    ...resource,
    isReadOnly: true,
    operations: resource.operations.filter(({ verb }) => verb === 'GET'),
    async handle(call, rest) {
      if (call.verb !== 'GET') throw notSupported(call.verb, rest, name, ['GET']);
      return resource.handle(call, rest);
    },
  };
}

/** A resource whose `_test`, below the collection or below a record, tries what was sent. */
function withTest(resource: SystemResource, test: (call: Call, id?: string) => Promise<Reply>): SystemResource {
  return {
    ...resource,
    operations: [
      ...resource.operations,
      { verb: 'POST', path: `${resource.name}/_test`, summary: 'Try a configuration without saving it' },
    ],
    handle: (call, rest) =>
      rest.at(-1) === '_test' && rest.length <= 2
        ? test(call, rest.length === 2 ? rest[0] : undefined)
        : resource.handle(call, rest),
  };
}

function refuseMore(rest: string[], name: string): void {
  if (rest.length > 0) throw fail('service.resourceUnknown', { resource: rest.join('/'), service: name });
}

const notSupported = (verb: Verb, rest: string[], service: string, allow: Verb[]) =>
  fail('http.verbNotSupported', { verb, path: rest.join('/'), service }, { allow });

// ---- the root ----

function listRoot(call: Call, list: SystemResource[]): Promise<Reply> {
  if (call.verb !== 'GET') throw notSupported(call.verb, [], call.service, ['GET']);
  return listResources(call, list.map(entry), (allowed) => accessList(list, allowed));
}

/** A resource as `fields=*` lists it. */
const entry = ({ name, label, description, isSingleton = false, isReadOnly = false }: SystemResource) => ({
  name,
  label,
  description,
  class_name: null,
  singleton: isSingleton,
  read_only: isReadOnly,
  subscription_required: null,
});

/** Components usable in role rows, of what the caller may touch (contract/role-access.md §4). */
function accessList(list: SystemResource[], allowed: (component: string) => number): string[] {
  const touchable = list.filter(({ name }) => allowed(name) !== 0);
  const components = touchable.flatMap(({ name }) => (name.includes('/') ? [name] : [`${name}/`, `${name}/*`]));
  return allowed('') === 0 ? components : ['', '*', ...components];
}
