// What a service type is and what an open service can do. A type is a folder with an entry in index.ts.
import type { ConfigFields, ConfigOf, Soon } from '@sluice/contract';
import type { DatabaseLoad } from '@sluice/sql';
import type { Call, Reply } from '../call/call.ts';
import type { ServiceExtras } from '../database/extras/index.ts';
import type { DatabaseParts } from '../database/parts.ts';

/** One call a service offers. OpenAPI, event tree, access list and typed clients are derived from these. */
export interface Operation {
  verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the service, with `{placeholders}`: `_table/{table_name}`. */
  path: string;
  summary: string;
}

/** A service that is open and takes calls. */
export interface Service {
  operations(): Operation[];
  /** Answers a call whose caller is known to be allowed. */
  handle(call: Call): Soon<Reply>;
  /**
   * Component strings usable in role rows, for `as_access_list` (contract/role-access.md §4). `allowed` tells the mask
   * the caller has on a component.
   */
  accessList(call: Call, allowed: (component: string) => number): Promise<string[]>;
  /** What it is made of, for a service that holds records others may relate to. */
  database?: DatabaseParts;
  /** How busy its connections are, where it has some that are open; for the metrics. */
  load?(): DatabaseLoad | undefined;
  /** Closes connections; the service is opened anew when it is next called. */
  close?(): Promise<void>;
}

/** Where a service stands and what it may use. */
export interface ServiceContext {
  id: number;
  name: string;
  label: string;
  /** What is said of its tables beyond their database. */
  extras: ServiceExtras;
  /** Another service of the instance, opened; fails as a call to it would. */
  peer(id: number): Promise<Service>;
  /** The folder of the instance's data. */
  dataFolder: string;
  /** The instance's own limits; what a service allows is capped by them. */
  limits: { maxRecords: number; queryTimeout: number };
  log: { warn(details: object, message: string): void; error(details: object, message: string): void };
}

/** A kind of service. `open` is called on first use, and again after the configuration changed. */
export interface ServiceType<F extends ConfigFields = ConfigFields> {
  name: string;
  label: string;
  description: string;
  /** One of the groups of contract/service-types.md §1. */
  group: string;
  singleton?: boolean;
  /** null: the type takes no configuration. */
  config: F | null;
  /** Checks beyond the fields' own; throws `record.invalid`-like failures with the contract's text. */
  check?(config: ConfigOf<F>): void;
  open(config: ConfigOf<F>, context: ServiceContext): Promise<Service> | Service;
  /** Connects once and says in the driver's words what is wrong; absent where there is nothing to connect to. */
  test?(config: ConfigOf<F>, context: ServiceContext): Promise<void>;
}

/** Declares a service type; only for its types. */
export const serviceType = <F extends ConfigFields>(type: ServiceType<F>): ServiceType<F> => type;
