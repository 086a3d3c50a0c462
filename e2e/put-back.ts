// Databases nobody here designed: every record read, with what is related to it; of every table a record changed into
// itself, taken away and put back. At the end all is as it was.
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

/** What was done with how many tables: of a schema without rows little can be told by updates. */
export interface PutBack {
  records: number;
  changed: number;
  /** Taken away and put in again, or put in and taken away. */
  replaced: number;
}

/** Reads the tables of a service whole and puts a record of each back where it was. */
export async function readAndPutBack(instance: Instance, service: string, tables: readonly string[]): Promise<PutBack> {
  const place = (table: string) => `${service}/_table/${encodeURIComponent(table)}`;
  const done: PutBack = { records: 0, changed: 0, replaced: 0 };
  const before = new Map<string, Row[]>();
  const described = new Map<string, Description>();
  await several(tables, async (table) => {
    const { body } = await instance.api('GET', `${service}/_schema/${encodeURIComponent(table)}`);
    described.set(table, body);
    const rows = await allRows(instance, place(table));
    before.set(table, rows);
    done.records += rows.length;
    const names = (body as Description).related.map(({ alias, name }) => alias ?? name);
    const whole = await allRows(instance, place(table), { related: '*' });
    expect([table, whole.map((row) => without(row, names))]).toEqual([table, rows.map((row) => without(row, names))]);
  });
  for (const table of tables) {
    const it = described.get(table)!;
    if (it.is_view || it.primary_key.length === 0) continue;
    const [row] = before.get(table)!;
    if (row && (await changeIntoItself(instance, place(table), row))) done.changed += 1;
    const isReplaced = row
      ? await takeAndPutBack(instance, place(table), it, row)
      : await putAndTake(instance, place(table), it);
    if (isReplaced) done.replaced += 1;
  }
  await several(tables, async (table) => {
    expect([table, await allRows(instance, place(table))]).toEqual([table, before.get(table)]);
  });
  return done;
}

/** Does the work for each of them, four at a time. */
async function several<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let each = left.shift(); each !== undefined; each = left.shift()) await work(each);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

/** All pages of a table in the order of its key. */
async function allRows(instance: Instance, place: string, more: Record<string, string> = {}): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = { limit: `${pageSize}`, offset: `${rows.length}`, include_count: 'true', ...more };
    const { status, body } = await instance.api('GET', `${place}?${new URLSearchParams(page)}`);
    expect([place, more, status]).toEqual([place, more, 200]);
    rows.push(...body.resource);
    if (rows.length >= body.meta.count) return rows;
    expect(body.resource).toHaveLength(pageSize);
  }
}

const without = (row: Row, names: string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const keyOf = ({ primary_key }: Description, row: Row): Row =>
  Object.fromEntries(primary_key.map((name) => [name, row[name]]));

/** False where a trigger of the database refuses it. */
async function changeIntoItself(instance: Instance, place: string, row: Row): Promise<boolean> {
  const { status, body } = await instance.api('PATCH', `${place}?fields=*`, { resource: [row] });
  // A code of the database's own, not one of ours.
  if (status === 400 && body.error.context.resource[0].code !== 400) return false;
  expect([place, status, body]).toEqual([place, 200, { resource: [row] }]);
  return true;
}

/** Not of a table that others point to: rows of theirs could go with it. False where the database does not let it go. */
async function takeAndPutBack(instance: Instance, place: string, it: Description, row: Row): Promise<boolean> {
  if (it.related.some(({ type }) => type !== 'belongs_to')) return false;
  const key = keyOf(it, row);
  const taken = await instance.api('DELETE', place, { resource: [key] });
  if (taken.status === 400) return false;
  expect([place, taken.status, taken.body]).toEqual([place, 200, { resource: [key] }]);
  const put = await instance.api('POST', `${place}?fields=*`, { resource: [row] });
  expect([place, put.status, put.body]).toEqual([place, 200, { resource: [row] }]);
  return true;
}

/** False where the database has more rules for a record than its description tells. */
async function putAndTake(instance: Instance, place: string, it: Description): Promise<boolean> {
  const writable = it.field.filter(({ auto_increment }) => !auto_increment);
  const needed = writable.filter(({ name, required }) => required || it.primary_key.includes(name));
  const record = Object.fromEntries(
    (needed.length > 0 ? needed : writable.slice(0, 1)).map((field) => [field.name, someValue(field)]),
  );
  const put = await instance.api('POST', `${place}?fields=*`, { resource: [record] });
  expect([200, 400], place).toContain(put.status);
  if (put.status === 400) return false;
  const [row] = put.body.resource as Row[];
  const key = keyOf(it, row!);
  const taken = await instance.api('DELETE', place, { resource: [key] });
  expect([place, taken.status, taken.body]).toEqual([place, 200, { resource: [key] }]);
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
