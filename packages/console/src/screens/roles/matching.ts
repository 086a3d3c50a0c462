// What a component of a row matches (contract/role-access.md §2). Pure.
import type { AccessRow } from './access.ts';

export type Match =
  /** One component, the service's root when empty. */
  | { kind: 'exact'; component: string }
  /** Everything that begins with `prefix`. */
  | { kind: 'wildcard'; prefix: string }
  /** Something after a `*`: nothing at all. */
  | { kind: 'never' };

/** How the server reads a component: without slashes at the ends and without regard to case. */
export const normalizeComponent = (component: string): string =>
  component.trim().replace(/^\/+/, '').replace(/\/+$/, '').toLowerCase();

export function matchOf(row: Pick<AccessRow, 'component'>): Match {
  const component = normalizeComponent(row.component);
  const starIndex = component.indexOf('*');
  if (starIndex < 0) return { kind: 'exact', component };
  return starIndex === component.length - 1 ? { kind: 'wildcard', prefix: component.slice(0, -1) } : { kind: 'never' };
}

/** Whether a wildcard covers a component: `_table/*` is also for `_table` itself. */
export const wildcardCovers = (prefix: string, component: string): boolean => `${component}/`.startsWith(prefix);

/** Whether two rows are heard by the same kind of requestor. */
export const shareRequestor = (a: AccessRow, b: AccessRow): boolean => (a.requestor_mask & b.requestor_mask) !== 0;

/** Resources whose list of components names everything in them: of others only their own name is known. */
const isWholeList = (resource: string): boolean => resource.startsWith('_');

/** Whether there is anything among `known`, the components of a service, that this one speaks of (contract/http-basics.md §9). */
export function isKnownComponent(component: string, known: readonly string[]): boolean {
  const path = normalizeComponent(component).replace(/\*$/, '');
  const names = known.map((name) => normalizeComponent(name.replace(/\*$/, ''))).filter((name) => name !== '');
  if (path === '' || names.length === 0) return true;
  const [resource = '', item] = path.split('/');
  const isPrefix = component.trim().endsWith('*') && !path.endsWith('/');
  if (isPrefix && !path.includes('/')) return names.some((name) => name.startsWith(path));
  if (!names.some((name) => name === resource || name.startsWith(`${resource}/`))) return false;
  if (!item || !isWholeList(resource)) return true;
  const items = names.filter((name) => name.startsWith(`${resource}/`));
  return items.some((name) =>
    isPrefix
      ? `${name}/`.startsWith(path) || path.startsWith(`${name}/`)
      : path === name || path.startsWith(`${name}/`),
  );
}

/** The table a component names, as typed: `contact` of `_table/contact`, `_table/contact/*` and `_schema/contact`. */
export const tableOf = (component: string): string | undefined =>
  /^\/*(?:_table|_schema)\/([^/*]+)(?:\/\*?)?\/*$/i.exec(component.trim())?.[1];
