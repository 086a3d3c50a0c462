// An app package that is imported (contract/packages.md §5): read whole, every right asked for, then all of it or nothing.
// Services and app are one transaction of the store; tables, records and files follow, and are taken back where one fails
// (docs/adr/0031-app-packages-whole-or-not.md).
import type { FileHandle } from 'node:fs/promises';
import { type ErrorKey, Failure, fail } from '@sluice/contract';
import { decideFor } from '../../../access/gate.ts';
import { answer, type Call, type Reply } from '../../../call/call.ts';
import type { RecordInput } from '../../../call/payload.ts';
import type { WireRecord } from '../../../resource/resource.ts';
import { authorizeAt, type InsideAddress, type PackageParts, valueAt, wordsOf } from '../inside.ts';
import { kindOf, type PackageKind } from '../kinds.ts';
import { createImportLog, type ImportLog } from '../log.ts';
import { describeTable, importTables, writableTable } from '../service-content.ts';
import { alone, remember, writeReferences, writeServices } from '../system-records.ts';
import { type AppContent, readAppPackage } from './content.ts';
import { type Made, takeBack } from './made.ts';
import { type AppFiles, type AppPlace, findPlace, prepareFiles } from './storage.ts';

/** Imports a package; `fields` say where the files go. Answers the new app. */
export async function importAppPackage(
  parts: PackageParts,
  call: Call,
  file: FileHandle,
  fields: RecordInput,
): Promise<Reply> {
  const content = await readAppPackage(parts, call, file);
  const place = await findPlace(parts, content.app, fields);
  await authorizeRecords(parts, call, content);
  const files = place && (await prepareFiles(parts, call, place, content.files));
  const { record, made, log } = await writeRecords(parts, call, content, place);
  await writeRest({ parts, call, made, log }, content, files);
  const warnings = log.texts('warning').slice(0, maxLogged);
  if (warnings.length > 0) parts.log.warn({ app: made.app, warnings }, 'Not all of an app package was imported.');
  return answer(record);
}

/** Warnings of one import that are logged. */
const maxLogged = 20;

// ---- rights ----

/** Throws the refusal of the first call that the caller may not make; those on services of the package are not there yet. */
async function authorizeRecords(parts: PackageParts, call: Call, content: AppContent): Promise<void> {
  await authorizeAt(parts, call, 'POST', ['system', 'app']);
  if (content.services.length > 0) await authorizeAt(parts, call, 'POST', ['system', 'service']);
  const rows = await parts.services().rows();
  const brought = new Map(content.services.map(({ name, type }) => [String(name).toLowerCase(), String(type)]));
  const ask = async ([service, path]: InsideAddress) => {
    const key = service.toLowerCase();
    const existing = rows.find((row) => row.key === key);
    const type = existing?.type ?? brought.get(key);
    if (type === undefined || !parts.services().type(type)?.can.tables)
      throw fail('app.tablesNotCreated', { text: `'${service.slice(0, 100)}' is no database service.` });
    if (existing) await authorizeAt(parts, call, 'POST', [service, path]);
    else if (!decideFor(call.caller, 'POST', key, path).allowed)
      throw fail('access.deniedInside', { verb: 'POST', component: path, service });
  };
  for (const { service } of content.schema) await ask([service, '_schema']);
  for (const { service, tables } of content.data) for (const { name } of tables) await ask([service, `_table/${name}`]);
}

// ---- services and app ----

function writeRecords(
  parts: PackageParts,
  call: Call,
  content: AppContent,
  place: AppPlace | undefined,
): Promise<{ record: WireRecord; made: Made; log: ImportLog }> {
  const { records, services } = parts;
  const kind = kindOf('service') as PackageKind;
  const system = new Map([['service', { kind, records: content.services }]]);
  const storage = { storage_service_id: place?.service.id ?? null, storage_container: place?.folder ?? null };
  return records.transaction(call, async (transaction) => {
    // A transaction that is tried again begins with an empty one.
    const log = createImportLog();
    const importing = { parts: { records, services }, call, transaction, content: system, overwrite: false, log };
    const work = { ...importing, ids: new Map<string, Map<number, number>>() };
    const created = await named('app.servicesNotCreated', () => writeServices(work));
    const app = await named('app.notCreated', () =>
      records.createOne(
        'app',
        { ...content.app, ...storage },
        { ...alone, fields: ['*'] },
        { actor: call, transaction },
      ),
    );
    const id = Number(app.row.id);
    remember(work, 'app', content.description.id, id);
    await named('app.servicesNotCreated', () => writeReferences(work, created));
    const made = { app: id, services: created.map((service) => Number(service.id)), tables: [], records: [] };
    return { record: app.record, made, log };
  });
}

type StepError = Extract<
  ErrorKey,
  'app.notCreated' | 'app.servicesNotCreated' | 'app.tablesNotCreated' | 'app.filesNotImported'
>;

async function named<T>(key: StepError, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Failure ? stepFailure(key, error, wordsOf(error)) : error;
  }
}

/** The failure of a step; one that says 403 or more than 500 keeps its status. */
const stepFailure = (key: StepError, error: Failure, text: string): Failure => {
  const status = error.status === 403 || error.status > 500 ? { status: error.status } : {};
  return fail(key, { text }, { cause: error, ...status });
};

// ---- what follows ----

/** An import whose records are committed. */
interface AppImport {
  parts: PackageParts;
  call: Call;
  made: Made;
  log: ImportLog;
}

/** Writes tables, records and files. The first that fails ends it, and everything is taken back. */
async function writeRest(work: AppImport, content: AppContent, files: AppFiles | undefined): Promise<void> {
  const steps: [StepError, () => Promise<void>][] = [
    ['app.tablesNotCreated', () => writeTables(work, content.schema)],
    ['app.tablesNotCreated', () => writeData(work, content.data)],
    ['app.filesNotImported', () => writeFiles(work, files)],
  ];
  for (const [key, run] of steps)
    try {
      await run();
    } catch (error) {
      const left = await takeBack(work.parts, work.call, work.made);
      const notice = left.length === 0 ? '' : `\nNot taken back: ${shortened(left)}.`;
      if (notice !== '')
        work.parts.log.warn(
          { app: work.made.app, left: left.slice(0, maxLogged) },
          'A failed import was not taken back whole.',
        );
      if (!(error instanceof Failure)) throw error;
      throw stepFailure(key, error, `${wordsOf(error)}${notice}`);
    }
}

/** Names that one message has. */
const maxNames = 20;
const shortened = (names: string[]): string =>
  names.length <= maxNames
    ? names.join(', ')
    : `${names.slice(0, maxNames).join(', ')} and ${names.length - maxNames} more`;

async function writeTables({ parts, call, made, log }: AppImport, schema: AppContent['schema']): Promise<void> {
  for (const { service, tables } of schema) {
    const missing: RecordInput[] = [];
    for (const table of tables) {
      if (await describeTable({ parts, call }, service, String(table.name))) continue;
      if (table.is_view === true)
        log.add('warning', `Skipping resource ${service}/_schema/${table.name}. It is a view.`);
      else missing.push(writableTable(table));
    }
    if (missing.length === 0) continue;
    // One that is there and may not be seen is refused rather than changed; together, since they may name each other.
    const query = { rollback: 'true', check_exist: 'true' };
    await valueAt(parts, call, 'POST', [service, '_schema'], { payload: { resource: missing }, query });
    made.tables.push({ service, names: missing.map(({ name }) => String(name).trim()) });
  }
}

async function writeData({ parts, call, made, log }: AppImport, data: AppContent['data']): Promise<void> {
  const isMade = (service: string, table: string) =>
    made.tables.some((some) => some.service.toLowerCase() === service.toLowerCase() && some.names.includes(table));
  const inserted = (service: string, table: string, records: RecordInput[]) => {
    if (!isMade(service, table) && records.length > 0) made.records.push({ service, table, records });
  };
  for (const { service, tables } of data)
    await importTables({ parts, call, overwrite: false, log, isWhole: true, inserted }, service, tables);
}

async function writeFiles({ made }: AppImport, files: AppFiles | undefined): Promise<void> {
  if (!files) return;
  const { storage, service } = files;
  const written = { service: service.name, storage, folders: [] as string[], files: [] as string[] };
  made.files = written;
  for (const path of files.folders)
    try {
      await storage.makeFolder(path);
      written.folders.push(path);
    } catch (error) {
      // Another call made it meanwhile.
      if (!(error instanceof Failure && error.key === 'file.folderExists')) throw error;
    }
  for (const { path, open } of files.files) {
    const source = open();
    try {
      await storage.write(path, source, { isNew: true });
    } finally {
      source.destroy();
    }
    written.files.push(path);
  }
}
