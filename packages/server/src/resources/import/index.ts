// `POST system/import`: a CSV becomes a new table of a database (contract/packages.md §6). The table is made and its records are
// written by ordinary calls of the caller; the file is read as they go on, so its size does not matter.
import type { FileHandle } from 'node:fs/promises';
import { Failure, fail } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { withSignal } from '../../call/exchange.ts';
import { readCsvLines } from '../../call/formats/csv.ts';
import { isForSpreadsheet } from '../../call/formats/index.ts';
import { isRecord, type RecordInput, stringifyInput } from '../../call/payload.ts';
import { databaseParts, takeBackTables } from '../../database/index.ts';
import { innerCall } from '../../gateway/inner-call.ts';
import type { ServiceRow } from '../../service/registry.ts';
import { readHandle } from '../../storage/temporary-file.ts';
import { withCallFile } from '../package/call-file.ts';
import { authorizeAt, callAt, type PackageParts, valueAt } from '../package/inside.ts';

export type ImportParts = PackageParts;

type Line = (string | null)[];

/** Imports the file that the call brings. */
export function answerImport(parts: ImportParts, call: Call): Promise<Reply> {
  const given = (fields: RecordInput, name: string): string =>
    stringifyInput(fields[name] ?? call.query.get(name)).trim();
  return withCallFile(parts, call, {
    names: ['file', 'files'],
    several: () => fail('import.severalFiles'),
    check(name) {
      if (!/\.csv$/i.test(name)) throw fail('import.wrongType');
    },
    addressOf: (fields) => given(fields, 'import_url'),
    notFetched: (words, options) => fail('import.notFetched', words, options),
    use: (file, _name, fields) =>
      importCsv(parts, call, file, {
        service: given(fields, 'service') || 'db',
        table: given(fields, 'resource') || defaultTable(),
      }),
    otherwise: async () => {
      throw fail('import.noFile');
    },
  });
}

const defaultTable = (): string => `import_${Math.floor(Date.now() / 1000)}`;

interface Target {
  service: string;
  table: string;
}

async function importCsv(parts: ImportParts, call: Call, file: FileHandle, target: Target): Promise<Reply> {
  await authorizeAt(parts, call, 'POST', [target.service, '_schema']);
  await authorizeAt(parts, call, 'POST', [target.service, `_table/${target.table}`]);
  const service = await requireDatabase(parts, target.service);
  const options = { maxLine: parts.settings.bodyLimit, isForSpreadsheet: isForSpreadsheet(call) };
  const lines = readCsvLines(readHandle(file), options);
  try {
    const header = readHeader((await lines.next()).value);
    const table = await createTable(parts, call, service, target.table, header);
    try {
      await insertLines(parts, call, [service.name, `_table/${table}`], header, lines);
    } catch (error) {
      throw await takeBack(parts, call, service, table, error);
    }
    const address = [service.name, '_table', table].map(encodeURIComponent).join('/');
    return answer({ resource: `${call.baseUrl}/api/v2/${address}` });
  } finally {
    await lines.return(undefined);
  }
}

/** The service of a name, which has to be a database. */
async function requireDatabase({ services }: ImportParts, name: string): Promise<ServiceRow> {
  const service = (await services().rows()).find(({ key }) => key === name.toLowerCase());
  if (!service) throw fail('service.unknown', { service: name });
  const type = services().type(service.type);
  if (type && !type.can.tables) throw fail('import.otherGroup', { group: type.group });
  return service;
}

/** What no field can be called: it is a value, so the line is no header. */
const numberPattern = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** The names of the fields. What else is wrong with one, the description of the table is refused for. */
function readHeader(line: Line | undefined): string[] {
  if (!line) throw fail('import.noHeader');
  const names = line.map((cell) => (cell ?? '').trim());
  if (names.some((name) => numberPattern.test(name))) throw fail('import.numericHeader');
  const empty = names.indexOf('');
  if (empty >= 0) throw fail('import.emptyHeader', { position: empty + 1 });
  return names;
}

/** Makes the table; answers its name. */
async function createTable(
  parts: ImportParts,
  call: Call,
  { name: service }: ServiceRow,
  table: string,
  header: string[],
): Promise<string> {
  const field = header.map((name) => ({ name, type: 'text', allow_null: true }));
  const payload = { resource: [{ name: table, description: 'Table created from CSV data import', field }] };
  try {
    const query = { check_exist: 'true' };
    const value = await valueAt(parts, call, 'POST', [service, '_schema'], { payload, query });
    const made = isRecord(value) && Array.isArray(value.resource) ? value.resource[0] : undefined;
    return isRecord(made) && typeof made.name === 'string' ? made.name : table;
  } catch (error) {
    if (!(error instanceof Failure) || error.key !== 'schema.tableExists') throw error;
    throw fail('import.tableExists', { table }, { cause: error });
  }
}

// ---- records ----

/** What one call inserts at most. */
const chunkBounds = { rows: 500, cells: 50_000, characters: 4 * 1024 * 1024 };

async function insertLines(
  parts: ImportParts,
  call: Call,
  address: readonly [service: string, path: string],
  header: string[],
  lines: AsyncIterable<Line>,
): Promise<void> {
  const maxRows = Math.max(1, Math.min(chunkBounds.rows, Math.floor(chunkBounds.cells / header.length)));
  let count = 0;
  let characters = 0;
  let chunk: Record<string, string | null>[] = [];
  const insert = async () => {
    // A chunk that need not wait for the database would not notice.
    if (call.signal.aborted) throw fail('database.cancelled');
    try {
      await callAt(parts, call, 'POST', address, { payload: { resource: chunk } });
    } catch (error) {
      throw refusalOf(error, count) ?? error;
    }
    count += chunk.length;
    characters = 0;
    chunk = [];
  };
  for await (const line of lines) {
    chunk.push(Object.fromEntries(header.map((name, index) => [name, line[index] ?? null])));
    characters += line.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
    if (chunk.length >= maxRows || characters >= chunkBounds.characters) await insert();
  }
  if (chunk.length > 0) await insert();
}

/** Which record of the file was refused, where the failure is of one record of a batch. */
function refusalOf(error: unknown, before: number): Failure | undefined {
  if (!(error instanceof Failure) || error.key !== 'record.batch' || !isRecord(error.context)) return undefined;
  const { error: indexes, resource } = error.context;
  const index = Array.isArray(indexes) ? Number(indexes[0]) : Number.NaN;
  const item: unknown = Array.isArray(resource) ? resource[index] : undefined;
  if (!isRecord(item)) return undefined;
  return fail('import.refused', { record: before + index + 1, text: stringifyInput(item.message) }, { cause: error });
}

/**
 * Drops the table that an import made; answers why the import failed. The right to drop tables is not needed, as nothing but what this
 * call made goes, and it is done although the caller has gone.
 */
async function takeBack(
  { services }: ImportParts,
  call: Call,
  { id, name }: ServiceRow,
  table: string,
  error: unknown,
): Promise<unknown> {
  try {
    const database = (await services().openById(id)).provided(databaseParts);
    const { requestor } = call.caller;
    const drop = innerCall(call, { verb: 'DELETE', service: name, path: `_schema/${table}`, requestor });
    if (database) await takeBackTables(withSignal(drop, new AbortController().signal), [table], database);
    return error;
  } catch (problem) {
    // Somebody was faster.
    if (problem instanceof Failure && problem.key === 'table.unknown') return error;
    if (!(error instanceof Failure && problem instanceof Failure)) return error;
    const words = { table, text: error.message, problem: problem.message };
    return fail('import.notTakenBack', words, { cause: problem });
  }
}
