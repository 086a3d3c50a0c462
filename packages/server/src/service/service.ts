// What a service type is and what an open service can do. A type is a folder in services/ with an entry in its index.ts.
import type { ConfigFields, ConfigOf, MaybePromise, ServiceGroup, ServiceTier } from '@sluice/contract';
import { chain, hasSecrets } from '@sluice/contract';
import type { Call, Reply } from '../call/call.ts';
import type { Key, TypedMap } from '../call/typed-map.ts';
import type { InnerRequest } from '../gateway/inner-call.ts';
import type { Secrets } from '../identity/keys.ts';
import type { DescribeItem, Offer } from './operation.ts';
import { createRouteTable, type RouteTable } from './route-table.ts';
import type { ValueCache } from './value-cache.ts';

/** What every open service may have besides what its handlers need. */
export interface OpenService {
  /** What other parts of the instance may ask of it besides calls, by key: a database its tables, for one. */
  provides?: TypedMap;
  /** Closes connections; the service is opened again when it is next called. */
  close?(): Promise<void>;
}

/** A service that is open and takes calls. */
export interface Service {
  /** Answers a call that was authorized. */
  handle(call: Call): MaybePromise<Reply>;
  /** What it provides under a key; undefined where services of its type do not. */
  provided<T>(key: Key<T>): T | undefined;
  /** The names that stand in for the placeholder of a resource: its tables; none where it has no such names. */
  itemNames(resource: string, refresh?: boolean): Promise<string[]>;
  /** What describes the items of a resource; undefined where there is nothing to say of them. */
  describeItems(resource: string): Promise<DescribeItem | undefined>;
  close(): Promise<void>;
}

/** The identity of a service and what all services may use. */
export interface ServiceContext {
  id: number;
  name: string;
  label: string;
  /** What the instance has for services that need more than this; `app.ts` provides it. Throws where it does not. */
  require<T>(key: Key<T>): T;
  /** Another service of the instance, opened; fails as a call to it would. */
  peer(id: number): Promise<Service>;
  /** Makes a call of the platform inside another, with the rights of its caller. */
  call(outer: Call, request: InnerRequest): MaybePromise<Reply>;
  /** Keeps values for a while. */
  cache: ValueCache;
  /** Encrypts what a service keeps where others could read it. */
  secrets: Secrets;
  /** The folder of the instance's data. */
  dataFolder: string;
  /** The instance's own limits; what a service allows is capped by them. */
  limits: { maxRecords: number; queryTimeout: number };
  log: { warn(details: object, message: string): void; error(details: object, message: string): void };
}

/** What services of a type can do beyond answering calls. Code asks for an ability, never for the type's name. */
export interface Abilities {
  /** Holds records in tables: roles may filter them, and relations of other services may lead there. */
  tables?: true;
  /** Keeps files: apps may be served from it. */
  files?: true;
  /** Shows repositories of code: scripts can lie in them. */
  repositories?: true;
  /** Sends mail. */
  mail?: true;
  /** How people sign in through it; `own` is by the accounts of the instance. */
  signIn?: 'own' | 'oauth' | 'ldap' | 'saml';
  /** People can register by it where it is configured so. */
  register?: true;
  /** Its definition may be written by hand. */
  editableDefinition?: true;
  /** Its root lists what roles may name of its resources (`as_access_list`). */
  accessList?: true;
  /** Keeps answers for a while where it is configured so. */
  cache?: true;
  /** Writes down the events of its event map itself, beside the calls they are of (`eventLog`). */
  logsEvents?: true;
}

/** An event of a service that is none of a call. */
export interface ServiceEvent {
  /** Below the service, with placeholders, in lower case. */
  name: string;
  /** Shown to those who may do anything there. */
  component: string;
  /** What may stand at its placeholder. */
  values?(): Promise<(string | number)[]>;
}

/** The facts of a type that do not depend on what its services open as. */
interface TypeFacts<F extends ConfigFields> {
  name: string;
  label: string;
  description: string;
  group: ServiceGroup;
  /** The licence it needs; absent: any. */
  tier?: ServiceTier;
  can: Abilities;
  singleton?: boolean;
  /** null: the type takes no configuration. */
  config: F | null;
  /** Why no field is a `destination`, that is, why none can send its secrets elsewhere. */
  fixedDestination?: string;
  /** Checks beyond the fields' own; throws `record.invalid`-like failures with the contract's text. */
  check?(config: ConfigOf<F>): void;
  /**
   * Finds values for fields of a configuration that are left empty, before it is stored: what its server says of itself. Gets the
   * configuration as it was sent.
   */
  complete?(input: unknown): Promise<Record<string, unknown>>;
  /** Events that its services raise beside those of calls. */
  events?: readonly ServiceEvent[];
  /** Where it lies, for administrators: `host:port`, a socket, a file. Never a secret; absent where it has no place of its own. */
  address?(config: ConfigOf<F>): string | undefined;
  /** Connects once and throws the driver's message when that fails; absent where there is nothing to connect to. */
  test?(config: ConfigOf<F>, context: ServiceContext): Promise<void>;
}

/** A kind of service as its folder declares it: facts, what it offers, and how a service of it is opened. */
export interface TypeDefinition<F extends ConfigFields, Opened extends object> extends TypeFacts<F>, Offer<Opened> {
  /** Returns what the handlers get; called on first use, and again after the configuration changed. */
  open(config: ConfigOf<F>, context: ServiceContext): MaybePromise<Opened & OpenService>;
}

/** A kind of service. What it offers is known without opening one. */
export interface ServiceType<F extends ConfigFields = ConfigFields> extends TypeFacts<F> {
  routes: Omit<RouteTable<never>, 'handle'>;
  open(config: ConfigOf<F>, context: ServiceContext): MaybePromise<Service>;
}

/** Declares a service type; throws when its routes are not well formed. */
export function serviceType<F extends ConfigFields, Opened extends object>(
  definition: TypeDefinition<F, Opened>,
): ServiceType<F> {
  const { resources, routes, open, ...facts } = definition;
  const itemsOf = (resource: string) => resources?.find(({ entry }) => entry.name === resource)?.items;
  const table = createRouteTable<Opened>({ resources, routes }, facts.can.accessList);
  if (!facts.can.signIn && table.operations.some(({ token }) => token))
    throw new Error(`${facts.name}: only a type that people sign in through may say what becomes of their tokens`);
  const hasDestination = Object.values(facts.config ?? {}).some(({ destination }) => destination === true);
  if (hasSecrets(facts.config ?? {}) && !hasDestination && !facts.fixedDestination)
    throw new Error(`${facts.name}: it keeps secrets, so a field is their destination, or it says why none is`);
  return {
    ...facts,
    routes: table,
    open: (config, context) =>
      chain(open(config, context), (opened) => ({
        handle: (call) => table.handle(call, opened),
        provided: (key) => opened.provides?.get(key),
        itemNames: async (resource, refresh) => (await itemsOf(resource)?.names(opened, refresh)) ?? [],
        describeItems: async (resource) => itemsOf(resource)?.describe?.(opened),
        close: async () => opened.close?.(),
      })),
  };
}
