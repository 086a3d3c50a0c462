// The file of a call that takes one in, from a form or from the address `import_url` (contract/packages.md §4–§6).
import type { FileHandle } from 'node:fs/promises';
import type { Failure } from '@sluice/contract';
import { type UploadForm, withFetched, withUpload } from '../../archive/index.ts';
import type { Call, Reply } from '../../call/call.ts';
import type { RecordInput } from '../../call/payload.ts';
import { fileNameOf } from '../../fetch/index.ts';
import type { PackageParts } from './inside.ts';
import { temporaryFolder } from './temporary.ts';

/** What a call does with the file that it brings. */
export interface CallFileUse {
  /** The names of the form's field with the file. */
  names: readonly string[];
  /** Refuses a second file. */
  several(): Failure;
  /** Throws for a name that no such file has. */
  check(name: string): void;
  /** The address to fetch it from; empty where there is none. */
  addressOf(fields: RecordInput): string;
  /** What a failure to fetch is called. */
  notFetched(words: { url: string; text: string }, options: { cause: Failure }): Failure;
  use(file: FileHandle, name: string, fields: RecordInput): Promise<Reply>;
  /** Answers a call that brings none. */
  otherwise(form: UploadForm): Promise<Reply>;
}

export function withCallFile({ fetch, settings }: PackageParts, call: Call, file: CallFileUse): Promise<Reply> {
  const { names, several, check, addressOf, notFetched, use, otherwise } = file;
  const folder = temporaryFolder(settings);
  return withUpload(call, { names, folder, several }, async (form) => {
    const { fields } = form;
    if (form.file) {
      check(form.file.name);
      return use(form.file.handle, form.file.name, fields);
    }
    const url = addressOf(fields);
    if (url === '') return otherwise(form);
    const name = fileNameOf(url);
    check(name);
    const failed = (cause: Failure) => notFetched({ url, text: cause.message }, { cause });
    const options = { fetch, folder, limit: settings.uploadLimit, failed };
    return withFetched(call, url, options, (handle) => use(handle, name, fields));
  });
}
