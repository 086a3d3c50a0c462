// `system/package`: what an instance has as one archive, and back (contract/packages.md). manifest.ts says what there is, export.ts
// writes an archive; content.ts reads one, system-records.ts and service-content.ts write what is in it. app/ has the packages of
// apps.
import type { FileHandle } from 'node:fs/promises';
import { type Failure, fail, truthy } from '@sluice/contract';
import { withFetched, withUpload } from '../../archive/index.ts';
import type { Call, Reply } from '../../call/call.ts';
import { stringifyInput } from '../../call/payload.ts';
import { fileNameOf } from '../../fetch/index.ts';
import { importAppPackage, isAppPackage } from './app/index.ts';
import { exportPackage } from './export.ts';
import { importPackage } from './import.ts';
import type { PackageParts } from './inside.ts';
import { temporaryFolder } from './temporary.ts';

export { answerAppPost, exportAppPackage } from './app/index.ts';
export type { PackageParts } from './inside.ts';
export { answerManifest } from './manifest.ts';

/** Imports what the call brings, or exports what it names. */
export function answerPackage(parts: PackageParts, call: Call): Promise<Reply> {
  const options = { names: ['files', 'file'], ...placeOf(parts), several: () => fail('package.severalFiles') };
  return withUpload(call, options, async ({ fields, file }) => {
    const given = (name: string): string => stringifyInput(fields[name] ?? call.query.get(name));
    const check = (name: string) => {
      if (!/zip$/i.test(name) && !isAppPackage(name)) throw fail('package.wrongEnding');
    };
    const use = (handle: FileHandle, name: string) => {
      check(name);
      if (isAppPackage(name)) return importAppPackage(parts, call, handle, fields);
      const overwrite = truthy(given('overwrite'));
      return importPackage(parts, call, handle, { password: given('password') || undefined, overwrite });
    };
    if (file) return use(file.handle, file.name);
    const address = given('import_url');
    if (address === '') return exportPackage(parts, call, fields);
    const name = fileNameOf(address);
    check(name);
    return fetchPackage(parts, call, address, (handle) => use(handle, name));
  });
}

const placeOf = ({ settings }: PackageParts) => ({ folder: temporaryFolder(settings) });

const fetchPackage = (
  parts: PackageParts,
  call: Call,
  address: string,
  use: (file: FileHandle) => Promise<Reply>,
): Promise<Reply> => {
  const failed = (cause: Failure) => fail('package.notFetched', { url: address, text: cause.message }, { cause });
  const options = { fetch: parts.fetch, ...placeOf(parts), limit: parts.settings.uploadLimit, failed };
  return withFetched(call, address, options, use);
};
