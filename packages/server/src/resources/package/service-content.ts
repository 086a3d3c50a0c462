// What a package has for services besides `system`: tables, records and files, each by ordinary calls of the caller. A step that
// fails is named in the log, and the others are done all the same.
import { ExactNumber, Failure, fail } from '@sluice/contract';
import { pause } from '@sluice/sql';
import type { Call } from '../../call/call.ts';
import { isRecord, type RecordInput, recordsOf, stringifyInput } from '../../call/payload.ts';
import type { PackageFile, PackageTable, ServiceContent } from './content.ts';
import { makeFolder } from './export.ts';
import { callAt, isMissing, isRefusal, type PackageParts, recordsAt, valueAt } from './inside.ts';
import type { ImportLog } from './log.ts';
import { notInserted } from './system-records.ts';

export interface ServiceImport {
  parts: PackageParts;
  call: Call;
  overwrite: boolean;
  log: ImportLog;
  /** What fails is thrown, and nothing further is done. Absent: it is named in the log. */
  isWhole?: true;
  /** Told of records that were written, as the call that wrote them answered them. */
  inserted?(service: string, table: string, records: RecordInput[]): void;
}

export async function importServices(work: ServiceImport, services: ServiceContent[]): Promise<void> {
  for (const { service, schema } of services)
    if (schema.length > 0) await tryStep(work, `${service}/_schema`, () => importSchema(work, service, schema));
  for (const { service, tables } of services) await importTables(work, service, tables);
  for (const { service, files } of services) for (const file of files) await importFile(work, service, file);
}

async function tryStep(work: ServiceImport, what: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    noteFailure(work, notInserted(what, error));
  }
}

function noteFailure({ log, isWhole }: ServiceImport, failure: Failure): void {
  if (isWhole) throw failure;
  log.add('error', failure.message);
}

// ---- tables ----

/** The service whose tables are merged with those that are there (contract §4). */
const mergedService = 'db';

async function importSchema(work: ServiceImport, service: string, schema: RecordInput[]): Promise<void> {
  const { parts, call, log } = work;
  const made: RecordInput[] = [];
  for (const table of schema) {
    await pause();
    const existing = await describeTable(work, service, String(table.name));
    if (!existing && table.is_view === true)
      log.add('warning', `Skipping resource ${service}/_schema/${table.name}. It is a view.`);
    else if (!existing) made.push(writableTable(table));
    else if (!(service.toLowerCase() === mergedService && (await mergeTable(work, service, table, existing))))
      log.add('notice', `Ignored duplicate found for ${service}/_schema with name ${table.name}`);
  }
  if (made.length === 0) return;
  try {
    // Together, since they may name each other.
    await valueAt(parts, call, 'POST', [service, '_schema'], { payload: { resource: made } });
    for (const _ of made) log.count();
  } catch (error) {
    if (!(error instanceof Failure) || made.length === 1) throw error;
    // What is wrong with one table is no reason to have none of the others.
    for (const table of made)
      await tryStep(work, `${service}/_schema/${table.name}`, async () => {
        if (await describeTable(work, service, String(table.name))) return;
        await valueAt(parts, call, 'POST', [service, '_schema'], { payload: { resource: [table] } });
        log.count();
      });
  }
}

/** A table as it is; undefined where there is none, or the caller may not see it. */
export async function describeTable(
  { parts, call }: Pick<ServiceImport, 'parts' | 'call'>,
  service: string,
  name: string,
): Promise<RecordInput | undefined> {
  try {
    const value = await valueAt(parts, call, 'GET', [service, `_schema/${name}`]);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (isMissing(error) || isRefusal(error)) return undefined;
    throw error;
  }
}

/** A description as it is written: relations follow from the keys of tables. */
export const writableTable = (table: RecordInput): RecordInput =>
  Object.fromEntries(Object.entries(table).filter(([name]) => !['related', 'access', 'is_view'].includes(name)));

/** Adds the fields that a table lacks; answers whether there were any. */
async function mergeTable(
  { parts, call, log }: ServiceImport,
  service: string,
  { name, field }: RecordInput,
  existing: RecordInput,
): Promise<boolean> {
  const names = new Set(fieldsOf(existing.field).map((entry) => String(entry.name).toLowerCase()));
  const missing = fieldsOf(field).filter((entry) => !names.has(String(entry.name).toLowerCase()));
  if (missing.length === 0) return false;
  await valueAt(parts, call, 'PATCH', [service, '_schema'], { payload: { resource: [{ name, field: missing }] } });
  log.count();
  return true;
}

const fieldsOf = (value: unknown): RecordInput[] => (Array.isArray(value) ? value.filter(isRecord) : []);

// ---- records ----

/** Records that are written by one call. */
const chunkLength = 100;
/** Records may point to others that come later, in another table or their own. */
const maxPasses = 10;

/** Records of a table that are still to be written, and why the last try failed. */
interface PendingRows {
  table: string;
  rows: RecordInput[];
  failure?: string;
}

export async function importTables(work: ServiceImport, service: string, tables: PackageTable[]): Promise<void> {
  let pending: PendingRows[] = [];
  for (const { name, records } of tables)
    await tryStep(work, `${service}/_table/${name}`, async () => {
      const rows = await withoutDuplicates(work, service, name, records);
      if (rows.length > 0) pending.push({ table: name, rows });
    });
  for (let pass = 0; pass < maxPasses && pending.length > 0; pass++) {
    const before = countRows(pending);
    const left: PendingRows[] = [];
    for (const { table, rows } of pending) {
      const rest = await insertRows(work, service, table, rows);
      if (rest.rows.length > 0) left.push(rest);
    }
    pending = left;
    if (countRows(pending) === before) break;
  }
  for (const { table, rows, failure } of pending)
    noteFailure(
      work,
      fail('package.notInserted', { what: `${service}/_table/${table}`, text: `${rows.length} records: ${failure}` }),
    );
}

const countRows = (pending: PendingRows[]): number => pending.reduce((sum, { rows }) => sum + rows.length, 0);

/** The records that are to be inserted; those that are there already are noted, or overwritten. */
async function withoutDuplicates(
  work: ServiceImport,
  service: string,
  table: string,
  records: RecordInput[],
): Promise<RecordInput[]> {
  const { parts, call, overwrite, log } = work;
  if (records.length === 0) return [];
  const key = await keyOf(work, service, table);
  const isKeyed = (row: RecordInput) => key !== undefined && row[key] !== undefined && row[key] !== null;
  if (key === undefined || !records.every(isKeyed))
    log.add(
      'warning',
      `Skipped duplicate check for ${service}/_table/${table} by key/field ${key ?? 'id'}. Key/Field is not set`,
    );
  const fresh: RecordInput[] = [];
  for (let at = 0; at < records.length; at += chunkLength) {
    const some = records.slice(at, at + chunkLength);
    const existing = await existingKeys(work, service, table, key, some.filter(isKeyed));
    const duplicates = some.filter((row) => key !== undefined && existing.has(String(row[key])));
    fresh.push(...some.filter((row) => !duplicates.includes(row)));
    if (overwrite && duplicates.length > 0) {
      const payload = { resource: duplicates };
      await valueAt(parts, call, 'PATCH', [service, `_table/${table}`], { payload, query: { continue: 'true' } });
    }
    for (const row of duplicates) {
      if (overwrite) log.count();
      const said = overwrite ? 'Overwrote' : 'Ignored';
      log.add('notice', `${said} duplicate found for ${service}/_table/${table} with ${key} ${row[key as string]}`);
    }
  }
  return fresh;
}

/** The field that tells records of a table apart: `id`, or the key of the table where that is another field. */
async function keyOf(work: ServiceImport, service: string, table: string): Promise<string | undefined> {
  const described = await describeTable(work, service, table);
  const keys = Array.isArray(described?.primary_key) ? described.primary_key : [];
  return keys.length === 1 ? String(keys[0]) : undefined;
}

async function existingKeys(
  { parts, call }: ServiceImport,
  service: string,
  table: string,
  key: string | undefined,
  rows: RecordInput[],
): Promise<Set<string>> {
  if (key === undefined || rows.length === 0) return new Set();
  const values = rows
    .map((row) => row[key])
    .map((value) => (isNumber(value) ? String(value) : quoted(stringifyInput(value))));
  const find = async (some: string[]): Promise<string[]> => {
    const filter = `"${key.replaceAll('"', '""')}" in (${some.join(',')})`;
    const query = { fields: key, filter, limit: String(chunkLength) };
    return (await recordsAt(parts, call, [service, `_table/${table}`], { query })).map((row) => String(row[key]));
  };
  try {
    return new Set(await find(values));
  } catch (error) {
    // Who may only write finds out by writing.
    if (isRefusal(error)) return new Set();
    if (!isOfValue(error)) throw error;
  }
  // One of the values is none of the column's: its record is refused when it is written.
  const found: string[] = [];
  for (const value of values)
    found.push(
      ...(await find([value]).catch((error: unknown) => {
        if (isOfValue(error)) return [];
        throw error;
      })),
    );
  return new Set(found);
}

const isOfValue = (error: unknown): boolean => error instanceof Failure && error.status === 400;
const isNumber = (value: unknown): boolean => typeof value === 'number' || value instanceof ExactNumber;
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Inserts records; answers those that were refused. */
async function insertRows(
  work: ServiceImport,
  service: string,
  table: string,
  rows: RecordInput[],
): Promise<PendingRows> {
  const { parts, call, log, inserted } = work;
  const rest: PendingRows = { table, rows: [] };
  for (let at = 0; at < rows.length; at += chunkLength) {
    const some = rows.slice(at, at + chunkLength);
    const refuse = (refused: RecordInput[], failure: string) => {
      rest.rows.push(...refused);
      rest.failure ??= failure;
    };
    try {
      const payload = { resource: some };
      const address = [service, `_table/${table}`] as const;
      const written = await valueAt(parts, call, 'POST', address, { payload, query: { continue: 'true' } });
      inserted?.(service, table, recordsOf(written));
      for (const _ of some) log.count();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const failed = failedIndexes(error);
      if (!failed) refuse(some, error.message);
      else {
        inserted?.(service, table, writtenOf(error, failed));
        for (let index = 0; index < some.length; index++) if (!failed.has(index)) log.count();
        refuse(
          [...failed.keys()].map((index) => some[index]!),
          [...failed.values()][0] ?? error.message,
        );
      }
    }
  }
  return rest;
}

/** Which records of a batch failed, and why; undefined where the call as a whole did. */
function failedIndexes({ context }: Failure): Map<number, string> | undefined {
  if (!isRecord(context) || !Array.isArray(context.error) || !Array.isArray(context.resource)) return undefined;
  const { resource } = context;
  return new Map(
    context.error.map((index: number) => {
      const item: unknown = resource[index];
      return [index, isRecord(item) ? String(item.message) : ''];
    }),
  );
}

/** The records of a batch that were written. */
function writtenOf({ context }: Failure, failed: ReadonlyMap<number, string>): RecordInput[] {
  const resource = isRecord(context) && Array.isArray(context.resource) ? context.resource : [];
  return resource.filter((item, index) => !failed.has(index) && isRecord(item));
}

// ---- files ----

async function importFile(
  work: ServiceImport,
  service: string,
  { path, isFolder, content }: PackageFile,
): Promise<void> {
  const { parts, call, log } = work;
  const source = content.open();
  try {
    if (isFolder) {
      const folder = path.replace(/\/*$/, '').replace(/^\//, '');
      if (folder !== '') await makeFolder(parts, call, service, folder);
      await callAt(parts, call, 'POST', [service, folder === '' ? '' : `${folder}/`], {
        query: { extract: 'true' },
        headers: { 'x-file-name': 'package.zip', 'content-type': 'application/zip' },
        payload: source,
      });
    } else {
      const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      if (parent !== '') await makeFolder(parts, call, service, parent);
      await callAt(parts, call, 'POST', [service, path], { query: { check_exist: 'true' }, payload: source });
    }
    log.count();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const level = error.status === 403 ? 'error' : 'warning';
    log.add(level, `Skipping storage resource ${service}/${path}. ${error.message}`);
  } finally {
    source.destroy();
  }
}
