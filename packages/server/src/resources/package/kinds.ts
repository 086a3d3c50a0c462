// What of `system` is in packages: which resources, how each record is named, and what goes along with it.
import { type ResourceName, resources } from '@sluice/contract';
import type { RecordInput } from '../../call/payload.ts';

export interface PackageKind {
  resource: ResourceName;
  /** The field that says whether a record is there already, and names it in packages. */
  key: 'name' | 'email' | 'path';
  /** Packages name its records by their ids. */
  namedById?: true;
  /** Relations whose records are part of it. */
  related: readonly string[];
}

const person = { key: 'email', related: ['user_to_app_to_role_by_user_id', 'lookup_by_user_id'] } as const;

/** In the order in which they are exported. */
export const packageKinds: readonly PackageKind[] = [
  {
    resource: 'role',
    key: 'name',
    related: ['role_service_access_by_role_id', 'lookup_by_role_id', 'role_adldap_by_role_id'],
  },
  { resource: 'service', key: 'name', related: ['service_doc_by_service_id'] },
  { resource: 'app', key: 'name', related: ['lookup_by_app_id'] },
  { resource: 'user', ...person },
  { resource: 'admin', ...person },
  { resource: 'custom', key: 'name', related: [] },
  { resource: 'cors', key: 'path', namedById: true, related: [] },
  { resource: 'email_template', key: 'name', related: [] },
  { resource: 'event_script', key: 'name', related: [] },
  { resource: 'lookup', key: 'name', related: [] },
  { resource: 'limit', key: 'name', related: [] },
];

export const kindOf = (name: string): PackageKind | undefined =>
  packageKinds.find(({ resource }) => resource === name.toLowerCase());

export const identifierOf = ({ resource }: PackageKind): string => resources[resource].identifier;

/** A record as the list of a package names it. */
export const nameInPackage = (kind: PackageKind, record: RecordInput): unknown =>
  (kind.namedById ? undefined : record[kind.key]) ?? record[identifierOf(kind)];

/** The version of the format. */
export const packageVersion = '0.1';
/** Bytes that one JSON text of a package may have: it is parsed at once. */
export const maxJson = 32 * 1024 * 1024;
