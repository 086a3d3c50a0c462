// Databases of other projects: every record is read, with its related records; in every table one record is changed into
// itself, deleted and put back. At the end everything is as it was.
import { expect, type Instance } from './instance.ts';

type Row = Record<string, unknown>;
interface Field {
  name: string;
  type: string;
  required: boolean;
  auto_increment: boolean;
  length: number | null;
}
interface Description {
  is_view: boolean;
  primary_key: string[];
  field: Field[];
  related: { type: string; name: string; alias: string | null }[];
}

const pageSize = 200;

/** How much was done: a schema without rows proves little by updates. */
export interface PutBackCounts {
  records: number;
  changed: number;
  /** Deleted and put back, or put in and deleted. */
  replaced: number;
}

/** Reads all tables of a service and puts back one record of each. */
export async function readAndPutBack(
  instance: Instance,
  service: string,
  tables: readonly string[],
): Promise<PutBackCounts> {
  const tablePath = (table: string) => `${service}/_table/${encodeURIComponent(table)}`;
  const counts: PutBackCounts = { records: 0, changed: 0, replaced: 0 };
  const rowsBefore = new Map<string, Row[]>();
  const descriptions = new Map<string, Description>();
  await forEachInParallel(tables, async (table) => {
    const { body } = await instance.api('GET', `${service}/_schema/${encodeURIComponent(table)}`);
    descriptions.set(table, body);
    const rows = await readAllRows(instance, tablePath(table));
    rowsBefore.set(table, rows);
    counts.records += rows.length;
    const names = (body as Description).related.map(({ alias, name }) => alias ?? name);
    const withRelated = await readAllRows(instance, tablePath(table), { related: '*' });
    expect([table, withRelated.map((row) => omitFields(row, names))]).toEqual([
      table,
      rows.map((row) => omitFields(row, names)),
    ]);
  });
  for (const table of tables) {
    const description = descriptions.get(table)!;
    if (description.is_view || description.primary_key.length === 0) continue;
    const [row] = rowsBefore.get(table)!;
    if (row && (await changeIntoItself(instance, tablePath(table), row))) counts.changed += 1;
    const isReplaced = row
      ? await deleteAndPutBack(instance, tablePath(table), description, row)
      : await putAndDelete(instance, tablePath(table), description);
    if (isReplaced) counts.replaced += 1;
  }
  await forEachInParallel(tables, async (table) => {
    expect([table, await readAllRows(instance, tablePath(table))]).toEqual([table, rowsBefore.get(table)]);
  });
  return counts;
}

/** Runs the work for each item, four at a time. */
async function forEachInParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const remaining = [...items];
  const worker = async () => {
    for (let each = remaining.shift(); each !== undefined; each = remaining.shift()) await work(each);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

/** All pages of a table in the order of its key. */
async function readAllRows(
  instance: Instance,
  tablePath: string,
  parameters: Record<string, string> = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = { limit: `${pageSize}`, offset: `${rows.length}`, include_count: 'true', ...parameters };
    const { status, body } = await instance.api('GET', `${tablePath}?${new URLSearchParams(page)}`);
    expect([tablePath, parameters, status]).toEqual([tablePath, parameters, 200]);
    rows.push(...body.resource);
    if (rows.length >= body.meta.count) return rows;
    expect(body.resource).toHaveLength(pageSize);
  }
}

const omitFields = (row: Row, names: string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const keyOf = ({ primary_key }: Description, row: Row): Row =>
  Object.fromEntries(primary_key.map((name) => [name, row[name]]));

/** False where a trigger of the database refuses it. */
async function changeIntoItself(instance: Instance, tablePath: string, row: Row): Promise<boolean> {
  const { status, body } = await instance.api('PATCH', `${tablePath}?fields=*`, { resource: [row] });
  // A code of the database, not of the platform.
  if (status === 400 && body.error.context.resource[0].code !== 400) return false;
  expect([tablePath, status, body]).toEqual([tablePath, 200, { resource: [row] }]);
  return true;
}

/** Not for a table that others refer to: their rows could go with it. False where the database refuses the deletion. */
async function deleteAndPutBack(
  instance: Instance,
  tablePath: string,
  description: Description,
  row: Row,
): Promise<boolean> {
  if (description.related.some(({ type }) => type !== 'belongs_to')) return false;
  const key = keyOf(description, row);
  const deletion = await instance.api('DELETE', tablePath, { resource: [key] });
  if (deletion.status === 400) return false;
  expect([tablePath, deletion.status, deletion.body]).toEqual([tablePath, 200, { resource: [key] }]);
  const creation = await instance.api('POST', `${tablePath}?fields=*`, { resource: [row] });
  expect([tablePath, creation.status, creation.body]).toEqual([tablePath, 200, { resource: [row] }]);
  return true;
}

/** False where the database has more rules for a record than its description shows. */
async function putAndDelete(instance: Instance, tablePath: string, description: Description): Promise<boolean> {
  const writable = description.field.filter(({ auto_increment }) => !auto_increment);
  const required = writable.filter(({ name, required }) => required || description.primary_key.includes(name));
  const record = Object.fromEntries(
    (required.length > 0 ? required : writable.slice(0, 1)).map((field) => [field.name, someValue(field)]),
  );
  const creation = await instance.api('POST', `${tablePath}?fields=*`, { resource: [record] });
  expect([200, 400], tablePath).toContain(creation.status);
  if (creation.status === 400) return false;
  const [row] = creation.body.resource as Row[];
  const key = keyOf(description, row!);
  const deletion = await instance.api('DELETE', tablePath, { resource: [key] });
  expect([tablePath, deletion.status, deletion.body]).toEqual([tablePath, 200, { resource: [key] }]);
  return true;
}

function someValue({ type, length }: Field): unknown {
  switch (type) {
    case 'string':
    case 'text':
      return 'text'.slice(0, length || undefined);
    case 'binary':
      return 'AA==';
    case 'boolean':
      return true;
    case 'date':
      return '2024-02-29';
    case 'time':
      return '12:34:56';
    case 'datetime':
    case 'datetimetz':
    case 'timestamp':
    case 'timestamptz':
      return '2024-02-29 12:34:56';
    default:
      return 1;
  }
}
