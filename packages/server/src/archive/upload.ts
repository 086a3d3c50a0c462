// The file of a call that brings a package, as a part of a form or from an address, in a temporary file.
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import { isMultipart, malformedParts, openParts } from '../call/formats/multipart.ts';
import { isRecord, type RecordInput } from '../call/payload.ts';
import type { Fetch } from '../fetch/index.ts';
import { appendChunk, openTemporaryFile } from '../storage/temporary-file.ts';

/** What a call brought: a form with a file, or a body. */
export interface UploadForm {
  /** The fields of the form, or of the body where that is an object. */
  fields: RecordInput;
  /** The body as it is; undefined where there are parts. */
  body: unknown;
  file?: { name: string; handle: FileHandle };
}

const limits = {
  ...{ fieldNameSize: 200, headerPairs: 20, headerSize: 8192, fields: 100, fieldSize: 64 * 1024, files: 10 },
};

export interface UploadOptions {
  /** The names of the field with the file. */
  names: readonly string[];
  /** Where temporary files are. */
  folder: string;
  /** Refuses a second file. */
  several(): Failure;
}

/** Reads the body of a call whose operation streams, and hands over what it holds; the file is gone afterwards. */
export async function withUpload<T>(
  call: Call,
  options: UploadOptions,
  use: (form: UploadForm) => Promise<T>,
): Promise<T> {
  const type = call.header('content-type') ?? '';
  if (!isMultipart(type)) {
    const body = await call.body();
    return use({ fields: isRecord(body) ? body : {}, body });
  }
  const handle = await openTemporaryFile(options.folder);
  try {
    const { fields, name } = await readForm(call, type, options, handle);
    const form = { fields: Object.fromEntries(fields), body: undefined };
    return await use(name === undefined ? form : { ...form, file: { name, handle } });
  } finally {
    await handle.close();
  }
}

/** Writes the file of a form into `target`; answers its name and the fields. */
async function readForm(
  call: Call,
  type: string,
  { names, several }: UploadOptions,
  target: FileHandle,
): Promise<{ fields: Map<string, string>; name: string | undefined }> {
  const reader = openParts(type, { limits });
  const fields = new Map<string, string>();
  let fileName: string | undefined;
  let written = Promise.resolve();
  let failure: unknown;
  const stop = (error: unknown) => {
    failure ??= error;
    reader.destroy(failure as Error);
  };
  reader.on('field', (name: string | undefined, value) => {
    if (name && name !== '__proto__' && !fields.has(name)) fields.set(name, value);
  });
  reader.on('file', (field, source, name) => {
    source.on('error', () => {});
    if (!names.includes((field ?? '').replace(/\[\]$/, '')) || !name || failure) return void source.resume();
    if (fileName !== undefined) {
      source.resume();
      return stop(several());
    }
    fileName = name;
    written = append(source, target).catch(stop);
  });
  reader.on('filesLimit', () => stop(malformedParts('it has too many files.')));
  reader.on('fieldsLimit', () => stop(malformedParts('it has too many fields.')));
  const body = call.stream();
  try {
    await pipeline(body, reader);
  } catch (error) {
    failure ??= error instanceof Failure ? error : malformedParts(`${(error as Error).message}.`);
  } finally {
    body.destroy();
  }
  await written;
  if (failure) throw failure;
  return { fields, name: fileName };
}

async function append(source: Readable, target: FileHandle): Promise<void> {
  for await (const chunk of source) await appendChunk(target, chunk as Buffer);
}

export interface FetchOptions {
  fetch: Fetch;
  /** Where temporary files are. */
  folder: string;
  limit: number;
  /** What a failure to fetch is called. */
  failed(error: Failure): Failure;
}

/** Fetches what an address of a caller leads to, within the bounds and rules of fetch/; the file is gone afterwards. */
export async function withFetched<T>(
  call: Call,
  address: string,
  { fetch, folder, limit, failed }: FetchOptions,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await openTemporaryFile(folder);
  try {
    try {
      const { content } = await fetch(address, { limit, signal: call.signal });
      await append(content, file);
    } catch (error) {
      throw error instanceof Failure ? failed(error) : error;
    }
    return await use(file);
  } finally {
    await file.close();
  }
}
