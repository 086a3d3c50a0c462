// What a diagram is made of: tables with their fields, and lines for what relates them. Pure.
import { type RelationDescription, verbMask } from '@sluice/contract';
import type { SchemaTable } from '../address/sources.ts';

export interface DiagramField {
  name: string;
  type: string;
  isKey: boolean;
  isReference: boolean;
  isUnique: boolean;
  isNullable: boolean;
}

/** A table as far as it is drawn: a thousand whole descriptions would fill the memory. */
export interface DiagramTable {
  name: string;
  label: string;
  alias: string | null;
  /** The mask of the verbs the person has for it. */
  access: number;
  fields: DiagramField[];
  relations: DiagramRelation[];
}

type RelationPart = 'type' | 'field' | 'is_virtual' | 'ref_service_id' | 'ref_table' | 'ref_field';
export type DiagramRelation = Pick<RelationDescription, RelationPart>;

/** How many records of a table a line leads to: `some` is one or none. */
export type LineEnd = 'one' | 'some' | 'many';

export interface LineSide {
  table: string;
  /** Several for a key of several columns. */
  fields: string[];
  end: LineEnd;
}

/** A foreign key or a virtual relation; `from` is the table that refers to the other. */
export interface DiagramLine {
  id: string;
  from: LineSide;
  to: LineSide;
  isVirtual: boolean;
}

export interface DiagramModel {
  tables: ReadonlyMap<string, DiagramTable>;
  lines: readonly DiagramLine[];
  linesOf: ReadonlyMap<string, readonly DiagramLine[]>;
}

/** What of a description is drawn. */
export const toDiagramTable = ({ name, label, alias, access, field, related }: SchemaTable): DiagramTable => ({
  name,
  label,
  alias,
  access,
  fields: field.map((column) => ({
    name: column.name,
    type: column.type,
    isKey: column.is_primary_key,
    isReference: column.is_foreign_key || column.ref_table !== null,
    isUnique: column.is_unique,
    isNullable: column.allow_null,
  })),
  relations: related
    // What leads through a junction is drawn as the two keys of the junction.
    .filter(({ type, is_virtual }) => type !== 'many_many' || is_virtual)
    .map(({ type, field: ownField, is_virtual, ref_service_id, ref_table, ref_field }) => ({
      ...{ type, field: ownField, is_virtual, ref_service_id, ref_table, ref_field },
    })),
});

/** Whether the person may make fields and relations in a table. */
export const canAddFields = ({ access }: DiagramTable): boolean => (access & verbMask.POST) !== 0;

const columnsOf = (names: string): string[] => names.split(',').map((name) => name.trim());

/** Tables and lines. `serviceId` tells relations to tables of other services apart, which are not drawn; null: none is. */
export function buildModel(tables: readonly DiagramTable[], serviceId: number | null): DiagramModel {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const lines = new Map<string, DiagramLine>();
  const isHere = ({ ref_service_id }: DiagramRelation) =>
    ref_service_id === null || serviceId === null || ref_service_id === serviceId;
  const add = (line: Omit<DiagramLine, 'id'>) => {
    const id = JSON.stringify([line.from.table, line.from.fields, line.to.table, line.to.fields]);
    const earlier = lines.get(id);
    if (!earlier || (earlier.isVirtual && !line.isVirtual)) lines.set(id, { id, ...line });
  };
  for (const table of tables) {
    for (const relation of table.relations) {
      const other = byName.get(relation.ref_table);
      if (!other || !isHere(relation)) continue;
      const own = { table, fields: columnsOf(relation.field) };
      const far = { table: other, fields: columnsOf(relation.ref_field) };
      const { is_virtual: isVirtual } = relation;
      if (relation.type === 'many_many') {
        const [from, to] = [own, far].sort((a, b) => (a.table.name < b.table.name ? -1 : 1));
        add({ from: sideOf(from!, 'many'), to: sideOf(to!, 'many'), isVirtual });
        continue;
      }
      const [from, to] = relation.type === 'belongs_to' ? [own, far] : [far, own];
      const isSingle = relation.type === 'has_one' || isUnique(from);
      const isOptional = from.fields.some((name) => fieldOf(from.table, name)?.isNullable);
      add({ from: sideOf(from, isSingle ? 'some' : 'many'), to: sideOf(to, isOptional ? 'some' : 'one'), isVirtual });
    }
  }
  const linesOf = new Map<string, DiagramLine[]>(tables.map(({ name }) => [name, []]));
  for (const line of lines.values()) {
    linesOf.get(line.from.table)?.push(line);
    if (line.to.table !== line.from.table) linesOf.get(line.to.table)?.push(line);
  }
  return { tables: byName, lines: [...lines.values()], linesOf };
}

interface Columns {
  table: DiagramTable;
  fields: string[];
}

const sideOf = ({ table, fields }: Columns, end: LineEnd): LineSide => ({ table: table.name, fields, end });

const fieldOf = (table: DiagramTable, name: string): DiagramField | undefined =>
  table.fields.find((field) => field.name === name);

/** Whether no two records have the same values in the columns. */
function isUnique({ table, fields }: Columns): boolean {
  const keys = table.fields.filter(({ isKey }) => isKey).map(({ name }) => name);
  if (keys.length > 0 && keys.length === fields.length && keys.every((name) => fields.includes(name))) return true;
  return fields.length === 1 && fieldOf(table, fields[0]!)?.isUnique === true;
}

/** The names of the tables a table is related to, without its own. */
export function neighboursOf({ linesOf }: DiagramModel, name: string): string[] {
  const names = (linesOf.get(name) ?? []).flatMap(({ from, to }) => [from.table, to.table]);
  return [...new Set(names)].filter((other) => other !== name);
}

/** A table and those it is related to over at most `depth` steps. */
export function neighbourhoodOf(model: DiagramModel, root: string, depth: number): Set<string> {
  const found = new Set(model.tables.has(root) ? [root] : []);
  let ring = [...found];
  for (let step = 0; step < depth; step += 1) {
    ring = ring.flatMap((name) => neighboursOf(model, name)).filter((name) => !found.has(name));
    for (const name of ring) found.add(name);
  }
  return found;
}

/** Where the words of a search are found. */
export interface Match {
  table: string;
  /** Its fields that match, besides its own name or instead. */
  fields: ReadonlySet<string>;
}

/** The tables whose name or label holds the words, then those with such a field. */
export function findMatches({ tables }: DiagramModel, searchText: string): Match[] {
  const words = searchText.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const holds = (name: string) => words.every((word) => name.toLocaleLowerCase().includes(word));
  const byTable: Match[] = [];
  const byField: Match[] = [];
  for (const { name, label, fields } of tables.values()) {
    const found = fields.filter((field) => holds(field.name)).map((field) => field.name);
    if (holds(`${name} ${label}`)) byTable.push({ table: name, fields: new Set(found) });
    else if (found.length > 0) byField.push({ table: name, fields: new Set(found) });
  }
  return [...byTable, ...byField];
}
