// A multipart body: fields of an email, and attachments in the parts `file` and `attachment`.
import { pipeline } from 'node:stream/promises';
import { Failure, fail } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import { malformedParts, openParts } from '../call/formats/multipart.ts';
import { type AttachmentList, maxAttachmentBytes, maxAttachments } from './attachments.ts';

const limits = {
  ...{ fieldNameSize: 200, headerPairs: 20, headerSize: 8_192 },
  ...{ fields: 200, fieldSize: 1024 * 1024, files: maxAttachments + 1 },
};

/** Bytes of all fields together. */
const maxFieldBytes = 4 * 1024 * 1024;

/** Bytes a multipart body may have. */
export const maxMultipart = maxAttachmentBytes + maxFieldBytes + 1024 * 1024;

/** Answers the fields, the first of a name, and reads the files into the list. */
export async function readParts(call: Call, list: AttachmentList): Promise<Map<string, unknown>> {
  const reader = openParts(call.header('content-type') ?? '', { limits, preservePath: true });
  const fields = new Map<string, unknown>();
  let fieldBytes = 0;
  let pending = Promise.resolve();
  let failure: unknown;
  const stop = (error: unknown) => {
    failure ??= error;
    reader.destroy(failure as Error);
  };
  reader.on('field', (name, value, _nameCut, isCut) => {
    fieldBytes += Buffer.byteLength(value);
    if (isCut || fieldBytes > maxFieldBytes)
      return stop(fail('mail.tooLong', { field: name, limit: limits.fieldSize }));
    if (!fields.has(name)) fields.set(name, value);
  });
  reader.on('file', (part, file, name, _encoding, type) => {
    file.on('error', () => {});
    if (failure) return void file.resume();
    if (!/^(file|attachment)(\[\])?$/.test(part ?? '')) {
      file.resume();
      return stop(fail('mail.badPart', { name: String(part).slice(0, 200) }));
    }
    // A part without a name is a form whose file was not chosen.
    if (!name) return void file.resume();
    pending = pending.then(() => list.add(name, type, file)).catch(stop);
  });
  reader.on('filesLimit', () => stop(fail('mail.tooManyAttachments', { limit: maxAttachments })));
  reader.on('fieldsLimit', () => stop(malformedParts('it has too many fields.')));
  const body = call.stream();
  try {
    await pipeline(body, reader);
  } catch (error) {
    failure ??= error instanceof Failure ? error : malformedParts(`${(error as Error).message}.`);
  } finally {
    body.destroy();
  }
  if (failure) throw failure;
  await pending;
  if (failure) throw failure;
  return fields;
}
