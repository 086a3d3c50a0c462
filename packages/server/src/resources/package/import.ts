// `POST system/package` with a package (contract/packages.md §4). It is read whole and every right is asked for before anything is
// written. Then the records of the store are written in one transaction, and once that is committed what lies outside of the
// store, each step whole or not at all (docs/adr/0030-imports-of-packages.md).
import type { FileHandle } from 'node:fs/promises';
import { Failure } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { type PackageContent, readPackage } from './content.ts';
import { authorizeAt, type InsideAddress, type PackageParts } from './inside.ts';
import { createImportLog, type ImportLog } from './log.ts';
import { importServices } from './service-content.ts';
import { importSystemRecords, notInserted } from './system-records.ts';

export interface ImportOptions {
  password: string | undefined;
  overwrite: boolean;
}

export async function importPackage(
  parts: PackageParts,
  call: Call,
  file: FileHandle,
  { password, overwrite }: ImportOptions,
): Promise<Reply> {
  const content = await readPackage(parts, call, file, password);
  await authorizeSteps(parts, call, content, overwrite);
  const log = await importSystem(parts, call, content, overwrite);
  for (const warning of content.warnings) log.add('warning', warning);
  await importServices({ parts, call, overwrite, log }, content.services);
  const success = log.imported > 0;
  return answer({ success, log: log.value() }, success ? 201 : 200);
}

async function importSystem(
  { records, services }: PackageParts,
  call: Call,
  { system }: PackageContent,
  overwrite: boolean,
): Promise<ImportLog> {
  if (system.size === 0) return createImportLog();
  return records.transaction(call, async (transaction) => {
    // A transaction that is tried again begins with an empty one.
    const log = createImportLog();
    await importSystemRecords({ parts: { records, services }, call, transaction, content: system, overwrite, log });
    return log;
  });
}

const stepNames = new Map([
  ['role', 'roles'],
  ['service', 'services'],
  ['app', 'apps'],
  ['user', 'users'],
  ['event_script', 'event_script'],
]);

/** Throws the refusal of the first step that the caller may not do. Services that the package brings are asked about later. */
async function authorizeSteps(
  parts: PackageParts,
  call: Call,
  { system, services }: PackageContent,
  overwrite: boolean,
): Promise<void> {
  const ask = async (what: string, verb: 'POST' | 'PATCH', address: InsideAddress) => {
    try {
      await authorizeAt(parts, call, verb, address);
    } catch (error) {
      throw error instanceof Failure ? notInserted(what, error) : error;
    }
  };
  for (const [resource, { records }] of system) {
    if (records.length === 0) continue;
    const what = stepNames.get(resource) ?? `system/${resource}`;
    await ask(what, 'POST', ['system', resource]);
    if (overwrite) await ask(what, 'PATCH', ['system', resource]);
  }
  const brought = new Set((system.get('service')?.records ?? []).map(({ name }) => String(name).toLowerCase()));
  for (const { service, schema, tables } of services) {
    if (brought.has(service.toLowerCase())) continue;
    if (schema.length > 0) await ask(`${service}/_schema`, 'POST', [service, '_schema']);
    for (const { name, records } of tables)
      if (records.length > 0) await ask(`${service}/_table/${name}`, 'POST', [service, `_table/${name}`]);
  }
}
