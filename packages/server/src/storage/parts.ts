// The files of a multipart body, one after the other, as they come (contract/files.md §3, case 4).
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import { malformedParts, openParts } from '../call/formats/multipart.ts';

const limits = {
  fieldNameSize: 200,
  headerPairs: 20,
  headerSize: 8192,
  fields: 1000,
  fieldSize: 64 * 1024,
  files: 1000,
};

/** A file of a multipart body. */
export interface Part {
  /** As the caller sent it. */
  name: string;
  type: string;
  source: Readable;
}

/**
 * Hands the files of the fields `files` and `files[]` to `take`, which reads each to its end; fields without a file are left
 * out. `others` settles with the body: it rejects when that breaks off, or when another file comes and `refusal` is given.
 */
export async function readParts(
  call: Call,
  take: (part: Part, others: Promise<void>) => Promise<void>,
  refusal?: () => Failure,
): Promise<void> {
  const reader = openParts(call.header('content-type') ?? '', { limits, preservePath: true });
  let pending = Promise.resolve();
  let failure: unknown;
  let count = 0;
  let current: Readable | undefined;
  let settle: (error?: unknown) => void = () => {};
  const others = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  others.catch(() => {});
  const stop = (error: unknown) => {
    failure ??= error;
    settle(failure);
    current?.destroy(failure as Error);
    reader.destroy(failure as Error);
  };
  reader.on('file', (field, file, name, _encoding, type) => {
    file.on('error', () => {});
    if (!/^files(\[\])?$/.test(field ?? '') || !name || failure) return void file.resume();
    count += 1;
    if (count > 1 && refusal) {
      file.resume();
      return stop(refusal());
    }
    const source = file.pipe(new PassThrough());
    source.on('error', () => {});
    file.on('error', (error) => source.destroy(error));
    // A write that failed half way reads no further: the rest makes way for the next part.
    source.once('close', () => file.resume());
    current = source;
    pending = pending.then(() => (failure ? undefined : take({ name, type, source }, others))).catch(stop);
  });
  reader.on('filesLimit', () => stop(malformedParts('it has too many files.')));
  const body = call.stream();
  try {
    await pipeline(body, reader);
    settle();
  } catch (error) {
    stop(failure ?? (error instanceof Failure ? error : malformedParts(`${(error as Error).message}.`)));
  } finally {
    body.destroy();
  }
  await pending;
  if (failure) throw failure;
}
