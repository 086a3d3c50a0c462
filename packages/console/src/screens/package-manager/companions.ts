// What goes with the content of a package: the other instance needs it, or leaves out what names it. Pure.
import { type ContentRow, isOfPlace, type ListedApp } from './content.ts';
import { type ItemId, type Place, placeKey } from './manifest.ts';

/** A record that something in the content names. */
export interface Companion {
  resource: 'service' | 'role';
  name: string;
  /** What names it, by kind: `role` and the name of the role, `tables` and the name of the database. */
  neededBy: { kind: 'role' | 'app' | 'tables' | 'files'; name: string }[];
}

/** A role with the services of its access rows. */
export interface RoleServices {
  name: string;
  services: readonly string[];
}

/** Services that each instance has (contract/packages.md §4). */
const builtInServices = new Set(['system', 'api_docs', 'files', 'db', 'email', 'user']);

const isIn = (rows: readonly ContentRow[], resource: string, name: ItemId): boolean =>
  rows.some((row) => isOfPlace(row, { kind: 'system', name: resource }) && (row.item === null || row.item === name));

/** What the content names and does not have, of what can be exported here. */
export function missingCompanions(
  rows: readonly ContentRow[],
  places: readonly Place[],
  references: { roles: readonly RoleServices[]; apps: readonly ListedApp[]; serviceNames: ReadonlyMap<number, string> },
): Companion[] {
  const placeOf = new Map(places.map((place) => [placeKey(place), place]));
  const exportable = (resource: Companion['resource']) =>
    new Set(placeOf.get(placeKey({ kind: 'system', name: resource }))?.items.map(({ id }) => id));
  const canBeAdded = { service: exportable('service'), role: exportable('role') };
  const found = new Map<string, Companion>();
  const need = (resource: Companion['resource'], name: string | undefined, by: Companion['neededBy'][number]) => {
    if (!name || !canBeAdded[resource].has(name) || isIn(rows, resource, name)) return;
    if (resource === 'service' && builtInServices.has(name)) return;
    const key = `${resource}/${name}`;
    const companion = found.get(key) ?? { resource, name, neededBy: [] };
    companion.neededBy.push(by);
    found.set(key, companion);
  };
  for (const role of references.roles) {
    if (!isIn(rows, 'role', role.name)) continue;
    for (const service of role.services) need('service', service, { kind: 'role', name: role.name });
  }
  for (const app of references.apps) {
    if (!isIn(rows, 'app', app.name)) continue;
    need('role', app.role_by_role_id?.name, { kind: 'app', name: app.name });
    need('service', references.serviceNames.get(app.storage_service_id ?? Number.NaN), { kind: 'app', name: app.name });
  }
  const services = new Map(rows.flatMap((row) => (row.kind === 'system' ? [] : [[row.name, row.kind] as const])));
  for (const [name, kind] of services) need('service', name, { kind: kind === 'files' ? 'files' : 'tables', name });
  return [...found.values()];
}

/** Whether a part of the content names people, whose roles and apps are not looked up: there may be ten thousand. */
export const hasPeople = (rows: readonly ContentRow[]): boolean =>
  rows.some((row) => row.kind === 'system' && row.name === 'user');
