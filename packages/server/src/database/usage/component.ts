// Where the component of a row of a role names a table or a field (contract/role-access.md §1). Pure.

/** The part of a component that is a name. */
export interface NamePlace {
  start: number;
  end: number;
}

export type Area = '_table' | '_schema';

/** Where a component names a table below `_table` or `_schema`; in any letter case, as components are compared. */
export function findTableName(component: string, area: Area, table: string): NamePlace | undefined {
  const start = skipSlashes(component) + area.length + 1;
  return component.slice(start - area.length - 1, start).toLowerCase() === `${area}/`
    ? findPart(component, start, table)
    : undefined;
}

/** Where a component `_schema/{table}/{field}` or `_schema/{table}/_field/{field}` names a field. */
export function findFieldName(component: string, table: string, field: string): NamePlace | undefined {
  const end = findTableName(component, '_schema', table)?.end;
  if (end === undefined) return undefined;
  const prefix = '/_field/';
  const start = component.slice(end, end + prefix.length).toLowerCase() === prefix ? end + prefix.length : end + 1;
  return findPart(component, start, field);
}

/** The name of the relation that a component `_schema/{table}/_related/{name}` is for. */
export const findRelationName = (component: string): string | undefined =>
  /^_schema\/[^/]+\/_related\/([^/]+)$/i.exec(trimSlashes(component))?.[1];

/** Puts another name in the place of the one there. */
export const replaceName = (component: string, { start, end }: NamePlace, newName: string): string =>
  component.slice(0, start) + newName + component.slice(end);

/** Whether the component is a pattern for names that fits this table among others: `_table/con*`, not `_table/*`. */
export function isPatternFor(component: string, area: Area, table: string): boolean {
  const prefix = wildcardPrefix(component);
  return (
    prefix !== undefined &&
    prefix.length > area.length + 1 &&
    `${area}/${table}/`.toLowerCase().startsWith(prefix) &&
    findTableName(component, area, table) === undefined
  );
}

/** Whether the component is one for this table and others, so that its record filter may be for the table's records. */
export function coversTable(component: string, table: string): boolean {
  const prefix = wildcardPrefix(component);
  return (
    prefix !== undefined &&
    `_table/${table}/`.toLowerCase().startsWith(prefix) &&
    findTableName(component, '_table', table) === undefined
  );
}

/** What stands before the `*` at the end, as it is compared. */
function wildcardPrefix(component: string): string | undefined {
  const key = trimSlashes(component).toLowerCase();
  return key !== '' && key.indexOf('*') === key.length - 1 ? key.slice(0, -1) : undefined;
}

function findPart(component: string, start: number, name: string): NamePlace | undefined {
  const end = start + name.length;
  const isWhole = end === component.length || component[end] === '/';
  return isWhole && component.slice(start, end).toLowerCase() === name.toLowerCase() ? { start, end } : undefined;
}

function skipSlashes(text: string): number {
  let start = 0;
  while (text[start] === '/') start++;
  return start;
}

function trimSlashes(text: string): string {
  let end = text.length;
  const start = skipSlashes(text);
  while (end > start && text[end - 1] === '/') end--;
  return text.slice(start, end);
}
