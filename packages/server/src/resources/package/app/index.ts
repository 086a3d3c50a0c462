// App packages: an app with its files, services, tables and records as one file (contract/packages.md §5).
import { fail } from '@sluice/contract';
import type { Call, Reply } from '../../../call/call.ts';
import { withRequest } from '../../../call/exchange.ts';
import { stringifyInput } from '../../../call/payload.ts';
import { withCallFile } from '../call-file.ts';
import type { PackageParts } from '../inside.ts';
import { importAppPackage } from './import.ts';

export { exportAppPackage } from './export.ts';
export { importAppPackage } from './import.ts';

/** Whether a file is an app package by its name. */
export const isAppPackage = (name: string): boolean => /\.dfpkg$/i.test(name);

/** `POST system/app`: imports the package that a call brings or names; without one `create` makes records of it. */
export function answerAppPost(parts: PackageParts, call: Call, create: (call: Call) => Promise<Reply>): Promise<Reply> {
  return withCallFile(parts, call, {
    names: ['file', 'files'],
    several: () => fail('app.severalPackages'),
    check(name) {
      if (!isAppPackage(name)) throw fail('app.notPackage');
    },
    addressOf: (fields) => stringifyInput(fields.import_url),
    notFetched: (words, options) => fail('package.notFetched', words, options),
    use: (file, _name, fields) => importAppPackage(parts, call, file, fields),
    otherwise: ({ fields, body }) => create(body === undefined ? withRequest(call, { payload: fields }) : call),
  });
}
