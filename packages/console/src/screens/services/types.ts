// Service types as the chooser offers them: groups in order, tiers, what a licence allows. Pure.
import {
  type Licence,
  licences,
  type PaidServiceType,
  paidServiceTypes,
  type ServiceGroup,
  type ServiceTypeRecord,
} from '@sluice/contract';
import { groupText } from '../../text/index.ts';
import { otherNames } from './other-names.ts';

/** Why services of a type cannot be made: the licence does not cover it (OPEN-141), or this server does not have it. */
export type Hindrance = 'locked' | 'missing';

export interface OfferedType extends ServiceTypeRecord {
  available: boolean;
  /** Absent where the type is available. */
  hindrance?: Hindrance;
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
 * The server's types plus the paid ones it does not list. Those a licence does not cover are locked, those it covers and the
 * server does not have are missing; both lose their config form (SVC-013, SVC-014, OPEN-140).
 */
export function offeredTypes(listed: readonly ServiceTypeRecord[], licence: Licence): OfferedType[] {
  const names = new Set(listed.map((type) => type.name));
  const offer = (type: ServiceTypeRecord, isListed: boolean): OfferedType => {
    if (!licenceCovers(licence, type.subscription_required)) return withoutForm(type, 'locked');
    return isListed ? { ...type, available: true } : withoutForm(type, 'missing');
  };
  const unlisted = paidServiceTypes.filter(({ name }) => !names.has(name)).map(toServiceType);
  return [...listed.map((type) => offer(type, true)), ...unlisted.map((type) => offer(type, false))];
}

const withoutForm = (type: ServiceTypeRecord, hindrance: Hindrance): OfferedType => ({
  ...type,
  available: false,
  hindrance,
  config_schema: null,
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

/** Types one may create, grouped in the fixed order; within a group the free ones first, then by label. */
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
/** Types without a tier, then those of a licence that is there, then those that cannot be had. */
const cost = (type: OfferedType) => (type.available ? (type.subscription_required ? 1 : 0) : 2);
const byUse = (a: OfferedType, b: OfferedType) => cost(a) - cost(b) || a.label.localeCompare(b.label);

/** The columns of a group: one, or past five types two, filled down the first and then the second (OPEN-139). */
export function columnsOf<T>(types: readonly T[]): T[][] {
  if (types.length <= maxTypesOfColumn) return [[...types]];
  const half = Math.ceil(types.length / 2);
  return [types.slice(0, half), types.slice(half)];
}

/** Groups whose label, types, descriptions or other names hold the words looked for. */
export function filterGroups(groups: readonly TypeGroup[], text: string): TypeGroup[] {
  const searchText = text.trim().toLowerCase();
  if (searchText === '') return [...groups];
  return groups
    .map((group) => ({
      name: group.name,
      types: [group.name, groupText(group.name)].some((name) => name.toLowerCase().includes(searchText))
        ? group.types
        : group.types.filter((type) => isFoundBy(type, searchText)),
    }))
    .filter((group) => group.types.length > 0);
}

/** Whether a type's label, name, description or one of its other names holds the words, which are in lower case. */
const isFoundBy = (type: OfferedType, searchText: string): boolean =>
  [type.label, type.name, type.description, ...(otherNames.get(type.name) ?? [])].some((value) =>
    (value ?? '').toLowerCase().includes(searchText),
  );
