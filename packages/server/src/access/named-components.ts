// What the rows of a role name in a service, found by the beginnings of addresses: a thousand addresses are not compared with a
// thousand rows each. It finds what may be meant; what rows allow, decide.ts says alone.
import { appendTo, type Requestor, requestorMask } from '@sluice/contract';
import { type AccessRow, withoutSlashes } from './decide.ts';

/** A component without the slashes around it, and the verbs of its row. */
export interface Grant {
  component: string;
  mask: number;
}

/** A grant at its place in the order of the role's rows. */
interface PlacedGrant extends Grant {
  place: number;
}

interface ServiceGrants {
  /** By the first whole parts of the component, none to `maxStart` of them. */
  byStart: Map<string, PlacedGrant[]>;
  /**
   * Wildcards by all their whole parts: `_table/con*` by `_table`. Addresses of one template that go on below these differ in
   * nothing, so of several that give the same verbs the first stands for all.
   */
  wildcards: Map<string, PlacedGrant[]>;
}

/** The grants of a role by service; the empty name has what is granted in all services. */
type RoleGrants = Record<Requestor, Map<string, ServiceGrants>>;

/** Parts of a beginning that grants are found by. */
const maxStart = 4;
const allServices = '';

const indexes = new WeakMap<readonly AccessRow[], RoleGrants>();

/** Those that may be about an address that begins with these parts, in the order of the rows. */
export function grantsAt(
  rows: readonly AccessRow[],
  service: string,
  requestor: Requestor,
  start: readonly string[],
): Grant[] {
  const byService = indexOf(rows)[requestor];
  const [first = [], second = []] = [allServices, service].map((name) => ofService(byService.get(name), start));
  return first.length === 0 ? second : [...first, ...second].sort((a, b) => a.place - b.place);
}

function ofService(grants: ServiceGrants | undefined, start: readonly string[]): PlacedGrant[] {
  if (!grants) return [];
  const parts = start.slice(0, maxStart);
  const found = grants.byStart.get(keyOf(parts)) ?? [];
  const above = parts.flatMap((_, depth) => grants.wildcards.get(keyOf(parts.slice(0, depth))) ?? []);
  return above.length === 0 ? found : [...found, ...above].sort((a, b) => a.place - b.place);
}

const keyOf = (parts: readonly string[]): string => parts.join('/').toLowerCase();

function indexOf(rows: readonly AccessRow[]): RoleGrants {
  const existing = indexes.get(rows);
  if (existing) return existing;
  const index: RoleGrants = { API: new Map(), SCRIPT: new Map() };
  for (const [place, { service, verbMask, requestorMask: requestors, ...row }] of rows.entries()) {
    const component = withoutSlashes(row.component);
    const parts = component.split('/');
    // No address has an empty part, and in all services at once only everything can be named.
    if (parts.includes('') || (service === null && component !== '*')) continue;
    for (const requestor of Object.keys(index) as Requestor[])
      if ((requestors & requestorMask[requestor]) !== 0)
        add(index[requestor], service ?? allServices, parts, { component, mask: verbMask, place });
  }
  indexes.set(rows, index);
  return index;
}

function add(byService: Map<string, ServiceGrants>, service: string, parts: string[], grant: PlacedGrant): void {
  const grants = byService.get(service) ?? { byStart: new Map(), wildcards: new Map() };
  byService.set(service, grants);
  const isWildcard = grant.component.endsWith('*');
  const whole = isWildcard ? parts.slice(0, -1) : parts;
  for (let depth = 0; depth <= Math.min(whole.length, maxStart); depth += 1)
    appendTo(grants.byStart, keyOf(whole.slice(0, depth)), grant);
  if (!isWildcard || whole.length >= maxStart) return;
  const before: PlacedGrant[] = grants.wildcards.get(keyOf(whole)) ?? [];
  const given = before.reduce((mask, other) => mask | other.mask, 0);
  if ((grant.mask & ~given) !== 0) appendTo(grants.wildcards, keyOf(whole), grant);
}
