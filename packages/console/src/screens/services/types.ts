// Service types as the chooser offers them: groups in order, tiers, what a licence allows. Pure.
import {
  type Licence,
  licences,
  type PaidServiceType,
  paidServiceTypes,
  type ServiceGroup,
  type ServiceTypeRecord,
} from '@sluice/contract';

export interface OfferedType extends ServiceTypeRecord {
  available: boolean;
}

export interface TypeGroup {
  name: string;
  types: OfferedType[];
}

/** Groups in this order, others after them (SVC-053, OPEN-138). */
const groupOrder: readonly string[] = [
  'Database',
  'File',
  'Email',
  'Notification',
  'Remote Service',
  'Script',
  'OAuth',
  'LDAP',
] satisfies ServiceGroup[];

/** A group with more types than this is laid out in two columns (SVC-054). */
export const maxTypesOfColumn = 5;

/** The licence named by `environment.platform.license`; anything unknown counts as the default (SVC-018). */
export const licenceOf = (text: unknown): Licence => licences.find((licence) => licence === text) ?? 'OPEN SOURCE';

const ranks: readonly string[] = licences;

/** Whether a licence covers a type's tier (SVC-012, SVC-013, SVC-014). */
export const licenceCovers = (licence: Licence, tier: string | null | undefined): boolean =>
  !tier || ranks.indexOf(licence) >= Math.max(1, ranks.indexOf(tier));

/**
 * The server's types plus the paid ones it does not list; those a licence does not cover, and those the server does
 * not have, are unavailable and lose their config form (SVC-014, OPEN-140).
 */
export function offeredTypes(listed: readonly ServiceTypeRecord[], licence: Licence): OfferedType[] {
  const names = new Set(listed.map((type) => type.name));
  const offered = listed.map((type) => toOffered(type, licenceCovers(licence, type.subscription_required)));
  const missing = paidServiceTypes
    .filter(({ name }) => !names.has(name))
    .map((type) => toOffered(toServiceType(type), false));
  return [...offered, ...missing];
}

const toOffered = (type: ServiceTypeRecord, available: boolean): OfferedType => ({
  ...type,
  available,
  config_schema: available ? type.config_schema : null,
});

const toServiceType = ({ name, label, group, tier }: PaidServiceType): ServiceTypeRecord => ({
  name,
  label,
  description: '',
  group,
  singleton: false,
  dependencies_required: null,
  subscription_required: tier,
  service_definition_editable: false,
  config_schema: null,
});

/** Types one may create, grouped in the fixed order; within a group by label, available ones first. */
export function chooserGroups(types: readonly OfferedType[]): TypeGroup[] {
  const groups = new Map<string, OfferedType[]>();
  for (const type of types) {
    if (type.singleton) continue;
    groups.set(type.group, [...(groups.get(type.group) ?? []), type]);
  }
  return [...groups]
    .map(([name, members]) => ({ name, types: members.sort(byUse) }))
    .sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name));
}

const rank = (group: string) => (groupOrder.includes(group) ? groupOrder.indexOf(group) : groupOrder.length);
const byUse = (a: OfferedType, b: OfferedType) =>
  Number(b.available) - Number(a.available) || a.label.localeCompare(b.label);

/** The columns of a group: one, or past five types two, filled down the first and then the second (OPEN-139). */
export function columnsOf<T>(types: readonly T[]): T[][] {
  if (types.length <= maxTypesOfColumn) return [[...types]];
  const half = Math.ceil(types.length / 2);
  return [types.slice(0, half), types.slice(half)];
}

/** Groups whose label, types or descriptions hold the words looked for. */
export function filterGroups(groups: readonly TypeGroup[], text: string): TypeGroup[] {
  const searchText = text.trim().toLowerCase();
  if (searchText === '') return [...groups];
  const holds = (value: string | null) => (value ?? '').toLowerCase().includes(searchText);
  return groups
    .map((group) => ({
      name: group.name,
      types: holds(group.name)
        ? group.types
        : group.types.filter((type) => holds(type.label) || holds(type.name) || holds(type.description)),
    }))
    .filter((group) => group.types.length > 0);
}
