// The content of a package as it is put together: rows of places and items, and the body of an export made of them. Pure.
import { trimSlashes } from '../../files/paths.ts';
import { type ItemId, type Place, placeKey } from './manifest.ts';

/** A row of the content. */
export interface ContentRow {
  kind: Place['kind'];
  /** Of the resource or the service, as a place has it. */
  name: string;
  /** Null: all items of the place. */
  item: ItemId | null;
  /** Of tables: their records go along. */
  withRecords: boolean;
}

export const rowKey = (row: ContentRow): string => JSON.stringify([row.kind, row.name, row.item]);

export const isOfPlace = (row: ContentRow, place: Pick<Place, 'kind' | 'name'>): boolean =>
  placeKey(row) === placeKey(place);

export const hasAllOf = (rows: readonly ContentRow[], place: Pick<Place, 'kind' | 'name'>): boolean =>
  rows.some((row) => row.item === null && isOfPlace(row, place));

/** The content with items of a place; one that is there already is there once, with its records where either says so. */
export function addItems(
  rows: readonly ContentRow[],
  place: Pick<Place, 'kind' | 'name'>,
  items: readonly ItemId[],
  withRecords = false,
): ContentRow[] {
  const byKey = new Map(rows.map((row) => [rowKey(row), row]));
  for (const item of items) {
    const row: ContentRow = { kind: place.kind, name: place.name, item, withRecords };
    const existing = byKey.get(rowKey(row));
    byKey.set(rowKey(row), existing ? { ...existing, withRecords: existing.withRecords || withRecords } : row);
  }
  return [...byKey.values()];
}

/** The content with all of a place, in one row that replaces those of its items (OPEN-214). */
export const addAll = (
  rows: readonly ContentRow[],
  { kind, name }: Pick<Place, 'kind' | 'name'>,
  withRecords = false,
): ContentRow[] => [...rows.filter((row) => !isOfPlace(row, { kind, name })), { kind, name, item: null, withRecords }];

/** An app as its storage folder is found. */
export interface ListedApp {
  name: string;
  storage_service_id: number | null;
  storage_container: string | null;
  role_by_role_id?: { name: string } | null;
}

/** The folders of apps: they go along with their app (OPEN-215). */
export function appFolders(
  appNames: readonly ItemId[],
  apps: readonly ListedApp[],
  serviceNames: ReadonlyMap<number, string>,
): { service: string; folder: string }[] {
  const wanted = new Set(appNames);
  return apps.flatMap(({ name, storage_service_id, storage_container }) => {
    const service = wanted.has(name) ? serviceNames.get(storage_service_id ?? Number.NaN) : undefined;
    const folder = trimSlashes(storage_container ?? '');
    return service && folder ? [{ service, folder: `${folder}/` }] : [];
  });
}

/** The service map of an export (PKG-015…017). A place that is gone since has no items any more. */
export function serviceMap(rows: readonly ContentRow[], places: readonly Place[]): Record<string, unknown> {
  const placeOf = new Map(places.map((place) => [placeKey(place), place]));
  const chosen = new Map<string, { row: ContentRow; items: Set<ItemId>; withRecords: Set<ItemId> }>();
  for (const row of rows) {
    const key = placeKey(row);
    const entry = chosen.get(key) ?? { row, items: new Set(), withRecords: new Set() };
    const items = row.item === null ? (placeOf.get(key)?.items ?? []).map(({ id }) => id) : [row.item];
    for (const item of items) {
      entry.items.add(item);
      if (row.withRecords) entry.withRecords.add(item);
    }
    chosen.set(key, entry);
  }
  const system: [string, ItemId[]][] = [];
  const services: [string, unknown][] = [];
  for (const { row, items, withRecords } of chosen.values()) {
    if (row.kind === 'system') system.push([row.name, [...items]]);
    else if (row.kind === 'files') services.push([row.name, [...items]]);
    else
      services.push([row.name, { _schema: [...items], ...(withRecords.size > 0 ? { _table: [...withRecords] } : {}) }]);
  }
  return Object.fromEntries([
    ...(system.length > 0 ? [['system', Object.fromEntries(system)] as const] : []),
    ...services,
  ]);
}
