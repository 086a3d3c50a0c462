// Rows of service access as the editor holds them: what the server has, and what was changed on top of it. Pure.
import { allVerbs, filterOperators, type RecordFilter, requestorMask } from '@sluice/contract';
import { cellText } from '../../list/column.tsx';

export interface AccessRow {
  /** The row's id on the server as text, or a name of our own for a new one. */
  key: string;
  /** Null means all services. */
  service_id: number | null;
  component: string;
  verb_mask: number;
  requestor_mask: number;
  filters: RecordFilter[];
  filter_op: 'AND' | 'OR';
}

/**
 * What was done to the rows and is not saved. The stored ones stay in the record: a role may have a thousand, and a form
 * that held them all would compare and copy them at every key.
 */
export interface AccessChanges extends Record<string, unknown> {
  /** By key. */
  changed: Record<string, AccessRow>;
  removed: string[];
  added: AccessRow[];
}

export const noChanges: AccessChanges = { changed: {}, removed: [], added: [] };

/** A new row (ROL-010…013, OPEN-160). */
export const newAccessRow = (key: string): AccessRow => ({
  key,
  service_id: null,
  component: '*',
  verb_mask: 0,
  requestor_mask: requestorMask.API,
  filters: [],
  filter_op: 'AND',
});

/** A filter as it begins (OPEN-162). */
export const newFilter: RecordFilter = { name: '', operator: '=', value: '' };

/** Operators that compare with nothing. */
export const needsNoValue = (operator: string): boolean => operator === 'is null' || operator === 'is not null';

/** The rows of a loaded role; what is no list counts as none. */
export const storedRows = (related: unknown): AccessRow[] =>
  Array.isArray(related) ? related.map((row: Record<string, unknown>) => toRow(row)) : [];

function toRow(row: Record<string, unknown>): AccessRow {
  return {
    key: String(row.id),
    service_id: row.service_id === null || row.service_id === undefined ? null : Number(row.service_id),
    component: typeof row.component === 'string' ? row.component : '',
    verb_mask: Number(row.verb_mask) || 0,
    requestor_mask: Number(row.requestor_mask) || 0,
    filters: Array.isArray(row.filters) ? row.filters.map(toFilter) : [],
    filter_op: String(row.filter_op ?? '').toUpperCase() === 'OR' ? 'OR' : 'AND',
  };
}

function toFilter(filter: unknown): RecordFilter {
  const { name, operator, value } = (filter ?? {}) as Partial<RecordFilter>;
  return { name: cellText(name), operator: knownOperator(cellText(operator)), value: cellText(value) };
}

/** Operators are read without regard to case; others stay as they are. */
const knownOperator = (operator: string): string =>
  filterOperators.find((candidate) => candidate === operator.trim().toLowerCase()) ?? operator;

/** What the role has once saved: stored rows in their order, new ones last (contract/role-access.md §1). */
export function currentRows(stored: readonly AccessRow[], changes: AccessChanges): AccessRow[] {
  const { changed, removed, added } = changes;
  const remaining = removed.length === 0 ? stored : stored.filter(({ key }) => !removed.includes(key));
  return [...remaining.map((row) => changed[row.key] ?? row), ...added];
}

/** A row changed. One that is again as stored is no change. */
export function putRow(stored: readonly AccessRow[], changes: AccessChanges, row: AccessRow): AccessChanges {
  const index = changes.added.findIndex(({ key }) => key === row.key);
  if (index >= 0) return { ...changes, added: changes.added.with(index, row) };
  const { [row.key]: _before, ...others } = changes.changed;
  const before = stored.find(({ key }) => key === row.key);
  const isBack = before !== undefined && JSON.stringify(before) === JSON.stringify(row);
  return { ...changes, changed: isBack ? others : { ...others, [row.key]: row } };
}

export const addRow = (changes: AccessChanges, row: AccessRow): AccessChanges => ({
  ...changes,
  added: [...changes.added, row],
});

/** A row removed: one the server has is marked, a new one is dropped (ROL-024). */
export function removeRow(changes: AccessChanges, key: string): AccessChanges {
  if (changes.added.some((row) => row.key === key))
    return { ...changes, added: changes.added.filter((row) => row.key !== key) };
  const { [key]: _before, ...changed } = changes.changed;
  return { ...changes, changed, removed: [...changes.removed, key] };
}

/** A key no row has yet. */
export function createRowKey({ added }: AccessChanges): string {
  const takenNumbers = added.map(({ key }) => Number(key.slice(newKeyPrefix.length)));
  return `${newKeyPrefix}${Math.max(0, ...takenNumbers) + 1}`;
}
const newKeyPrefix = 'new-';
const isNewKey = (key: string) => key.startsWith(newKeyPrefix);

/** The rows as a save sends them: only those it is about. The server leaves the others alone (contract/system-resources.md §0). */
export function rowsToRecord(
  changes: AccessChanges,
  storedRowKeys: readonly string[],
  roleId: number | undefined,
): Record<string, unknown>[] {
  const existing = new Set(storedRowKeys);
  const changed = Object.values(changes.changed).filter(({ key }) => existing.has(key));
  return [
    ...changed.map((row) => toWireRow(row, roleId)),
    ...changes.removed.filter((key) => existing.has(key)).map((key) => ({ id: Number(key), role_id: null })),
    ...changes.added.map((row) => toWireRow(row, roleId)),
  ];
}

/** A row as the wire has it; a new one has no id yet. */
export const toWireRow = ({ key, ...row }: AccessRow, roleId: number | undefined): Record<string, unknown> => ({
  ...(isNewKey(key) ? {} : { id: Number(key) }),
  ...(roleId === undefined ? {} : { role_id: roleId }),
  ...row,
  component: row.component.trim(),
  filters: row.filters.map(({ name, operator, value }) => ({
    name: name.trim(),
    operator,
    value: needsNoValue(operator) ? null : value,
  })),
});

/** The changes that turn the stored rows into `wireRows`; a row that is not stored any more is created again. */
export function changesTo(stored: readonly AccessRow[], wireRows: unknown): AccessChanges {
  const rows = storedRows(wireRows);
  const wantedKeys = new Set(rows.map(({ key }) => key));
  const existing = new Set(stored.map(({ key }) => key));
  const removed = stored.filter(({ key }) => !wantedKeys.has(key)).map(({ key }) => key);
  return rows.reduce<AccessChanges>(
    (changes, row) =>
      existing.has(row.key) ? putRow(stored, changes, row) : addRow(changes, { ...row, key: createRowKey(changes) }),
    { ...noChanges, removed },
  );
}

/** Where the error of a filter's field stands in the form. */
export const filterPath = (key: string, filter: number): string => `access.${key}.${filter}`;

/** Whether something is wrong with a row. */
export const hasRowError = (errors: Record<string, unknown>, key: string): boolean =>
  Object.keys(errors).some((path) => path.startsWith(`access.${key}.`));

/** Filters without a field: the server refuses every call they would apply to (contract/role-access.md §5). */
export function incompleteFilters({ changed, added }: AccessChanges): string[] {
  return [...Object.values(changed), ...added].flatMap(({ key, filters }) =>
    filters.flatMap(({ name }, index) => (name.trim() === '' ? [filterPath(key, index)] : [])),
  );
}

/** All verbs as one word. */
export const isEverything = (mask: number): boolean => (mask & allVerbs) === allVerbs;
