// `system/package`: what an instance has as one archive, and back (contract/packages.md). manifest.ts says what there is, export.ts
// writes an archive; content.ts reads one, system-records.ts and service-content.ts write what is in it. app/ has the packages of
// apps.
import { fail, truthy } from '@sluice/contract';
import type { Call, Reply } from '../../call/call.ts';
import { type RecordInput, stringifyInput } from '../../call/payload.ts';
import { importAppPackage, isAppPackage } from './app/index.ts';
import { withCallFile } from './call-file.ts';
import { exportPackage } from './export.ts';
import { importPackage } from './import.ts';
import type { PackageParts } from './inside.ts';

export { answerAppPost, exportAppPackage } from './app/index.ts';
export type { PackageParts } from './inside.ts';
export { answerManifest } from './manifest.ts';

/** Imports what the call brings, or exports what it names. */
export function answerPackage(parts: PackageParts, call: Call): Promise<Reply> {
  const given = (fields: RecordInput, name: string): string => stringifyInput(fields[name] ?? call.query.get(name));
  return withCallFile(parts, call, {
    names: ['files', 'file'],
    several: () => fail('package.severalFiles'),
    check(name) {
      if (!/zip$/i.test(name) && !isAppPackage(name)) throw fail('package.wrongEnding');
    },
    addressOf: (fields) => given(fields, 'import_url'),
    notFetched: (words, options) => fail('package.notFetched', words, options),
    async use(file, name, fields) {
      if (isAppPackage(name)) return importAppPackage(parts, call, file, fields);
      const overwrite = truthy(given(fields, 'overwrite'));
      return importPackage(parts, call, file, { password: given(fields, 'password') || undefined, overwrite });
    },
    otherwise: ({ fields }) => exportPackage(parts, call, fields),
  });
}
