// App packages: an app with its files, services, tables and records as one file (contract/packages.md §5).
import type { FileHandle } from 'node:fs/promises';
import { type Failure, fail } from '@sluice/contract';
import { withFetched, withUpload } from '../../../archive/index.ts';
import type { Call, Reply } from '../../../call/call.ts';
import { withRequest } from '../../../call/exchange.ts';
import { stringifyInput } from '../../../call/payload.ts';
import { fileNameOf } from '../../../fetch/index.ts';
import type { PackageParts } from '../inside.ts';
import { temporaryFolder } from '../temporary.ts';
import { importAppPackage } from './import.ts';

export { exportAppPackage } from './export.ts';
export { importAppPackage } from './import.ts';

/** Whether a file is an app package by its name. */
export const isAppPackage = (name: string): boolean => /\.dfpkg$/i.test(name);

/** `POST system/app`: imports the package that a call brings or names; without one `create` makes records of it. */
export function answerAppPost(parts: PackageParts, call: Call, create: (call: Call) => Promise<Reply>): Promise<Reply> {
  const folder = temporaryFolder(parts.settings);
  const options = { names: ['file', 'files'], folder, several: () => fail('app.severalPackages') };
  return withUpload(call, options, async ({ fields, body, file }) => {
    const use = (handle: FileHandle) => importAppPackage(parts, call, handle, fields);
    const check = (name: string) => {
      if (!isAppPackage(name)) throw fail('app.notPackage');
    };
    if (file) {
      check(file.name);
      return use(file.handle);
    }
    const address = stringifyInput(fields.import_url);
    if (address === '') return create(body === undefined ? withRequest(call, { payload: fields }) : call);
    check(fileNameOf(address));
    const failed = (cause: Failure) => fail('package.notFetched', { url: address, text: cause.message }, { cause });
    const { fetch, settings } = parts;
    return withFetched(call, address, { fetch, folder, limit: settings.uploadLimit, failed }, use);
  });
}
