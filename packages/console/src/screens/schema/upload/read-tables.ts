// Schema JSON read as tables: from `POST _schema` and from what `_schema/{table}` and `_schema?ids=` answer. Pure.

import { schemaPath } from '../address/sources.ts';
import type { SchemaWrite } from '../address/write.ts';
import { findJsonError } from '../draft/json-error.ts';
import { findPart, type JsonPlace } from '../draft/json-place.ts';

/** So many tables the server takes in one call. */
export const maxTables = 1000;

/** A table as it was written: anything that is an object. */
export type TableInput = Record<string, unknown>;

/** `syntax`: no JSON. `shape`: JSON, but no tables. `tooMany`: more than one call may bring. */
export type ReadProblem = { kind: 'syntax'; place: JsonPlace } | { kind: 'shape' } | { kind: 'tooMany'; count: number };

export type ReadResult = { tables: TableInput[]; problem: null } | { tables: null; problem: ReadProblem };

const isObject = (value: unknown): value is TableInput =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const problem = (found: ReadProblem): ReadResult => ({ tables: null, problem: found });

/** `{resource: […]}`, a list of tables, or one table. */
export function readTables(text: string): ReadResult {
  const place = findJsonError(text);
  if (place) return problem({ kind: 'syntax', place });
  const value: unknown = JSON.parse(text);
  const listed = isObject(value) && 'resource' in value ? value.resource : value;
  const tables = Array.isArray(listed) ? listed : [listed];
  if (tables.length === 0 || !tables.every(isObject)) return problem({ kind: 'shape' });
  if (tables.length > maxTables) return problem({ kind: 'tooMany', count: tables.length });
  return { tables, problem: null };
}

/** Where a table stands in the text it was read from, or the field of it that a message of the server names or means. */
export function findTable(text: string, position: number, message: string): JsonPlace {
  const value: unknown = JSON.parse(text);
  const path =
    isObject(value) && 'resource' in value
      ? ['resource', ...listPath(value.resource, position)]
      : listPath(value, position);
  const table = path.reduce<unknown>(
    (part, step) => (part as Record<string | number, unknown>)[step],
    value,
  ) as TableInput;
  const fields = Array.isArray(table.field) ? table.field.filter(isObject) : [];
  const field = fields.findIndex((each) => isMeant(each, message));
  return findPart(text, field < 0 ? path : [...path, 'field', field]);
}

const listPath = (listed: unknown, position: number): number[] => (Array.isArray(listed) ? [position] : []);

function isMeant({ name, type, db_type }: TableInput, message: string): boolean {
  if (message.includes('no name element')) return name === undefined;
  if (message.includes('no type or db_type')) return type === undefined && db_type === undefined;
  return message.includes(`'${name}'`);
}

/** The name of a table as the server reads it; empty when there is none. */
export function nameOfTable(table: TableInput): string {
  const entry = Object.entries(table).find(([key]) => key.toLowerCase() === 'name');
  return typeof entry?.[1] === 'string' ? entry[1].trim() : '';
}

/** `unnamed` and `twice` are refused before anything is sent. */
export type TableState = 'new' | 'exists' | 'unnamed' | 'twice';

export interface TableEntry {
  name: string;
  fieldCount: number;
  state: TableState;
}

/** What an upload would do with each table of a service that has `existing` ones. */
export function listTables(tables: readonly TableInput[], existing: readonly string[]): TableEntry[] {
  const existingNames = new Set(existing.map((name) => name.toLowerCase()));
  const seen = new Set<string>();
  return tables.map((table) => {
    const name = nameOfTable(table);
    const key = name.toLowerCase();
    const isTwice = seen.has(key);
    seen.add(key);
    const state = name === '' ? 'unnamed' : isTwice ? 'twice' : existingNames.has(key) ? 'exists' : 'new';
    return { name, fieldCount: fieldCount(table), state };
  });
}

const fieldCount = ({ field }: TableInput): number => (Array.isArray(field) ? field.length : isObject(field) ? 1 : 0);

/** The upload as it is sent (SCH-040, C-SCH-07). */
export const uploadWrite = (tables: readonly TableInput[]): SchemaWrite => ({
  verb: 'POST',
  path: schemaPath(),
  body: { resource: tables },
});

/** What the editor begins with (OPEN-176). */
export const sampleText = JSON.stringify(
  {
    resource: [
      {
        name: 'todo',
        label: 'Todo',
        plural: 'Todos',
        alias: null,
        field: [
          { name: 'id', label: 'Id', type: 'id' },
          { name: 'name', label: 'Name', type: 'string', size: 80, allow_null: false },
          { name: 'complete', label: 'Complete', type: 'boolean', allow_null: true },
        ],
      },
    ],
  },
  null,
  2,
);
