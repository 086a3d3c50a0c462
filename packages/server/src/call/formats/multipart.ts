// Multipart bodies: their fields, as of a form (contract/http-basics.md §6); operations that stream take their files (`openParts`).
import { isUtf8 } from 'node:buffer';
import { Busboy, type BusboyConfig, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { type Failure, fail } from '@sluice/contract';

export const isMultipart = (contentType: string): boolean => /^\s*multipart\/form-data\b/i.test(contentType);

/** Bounds the parts of a body and the headers of each part. */
const limits = { fieldNameSize: 200, headerPairs: 20, headerSize: 4096, files: 1 };

/** Bytes that are read before it is looked whether the body is refused already: a part of 50 costs its reader 20 µs and more. */
const chunkLength = 2048;

/** The fields of a multipart body; the first value of a repeated name counts. A file among them is a 400. */
export function parseMultipart(bytes: Buffer, contentType: string, maxNames: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    let isRefused = false;
    const refuse = (failure: Failure) => {
      isRefused = true;
      reject(failure);
      reader.removeAllListeners('field');
    };
    const reader = createReader(contentType, bytes.length, maxNames);
    reader.on('file', (_name, file) => {
      file.on('error', () => {}).resume();
      refuse(fail('http.unrecognizedPayload'));
    });
    reader.on('fieldsLimit', () => refuse(fail('http.tooManyNames', { limit: maxNames })));
    reader.on('field', (name: string | undefined, value) => {
      if (name === undefined || name === '') refuse(malformedParts('a part has no name.'));
      else if (name !== '__proto__' && !fields.has(name)) fields.set(name, value);
    });
    reader.on('error', (error) => refuse(malformedParts(`${(error as Error).message}.`)));
    reader.on('finish', () => {
      if (!isUtf8(bytes)) refuse(fail('http.invalidUtf8', { where: 'body' }));
      else resolve(fields.size === 0 ? undefined : Object.fromEntries(fields));
    });
    // Bit by bit, since the reader goes on with what it has when too many fields have come.
    for (let at = 0; at < bytes.length && !isRefused; at += chunkLength)
      reader.write(bytes.subarray(at, at + chunkLength));
    reader.end();
  });
}

export const malformedParts = (problem: string): Failure =>
  fail('http.malformed', { format: 'multipart', where: 'its parts', problem });

/** Reads the parts of a body that streams. Throws `http.malformed` where the content type says no boundary. */
export function openParts(contentType: string, config: Omit<BusboyConfig, 'headers'>): BusboyInstance {
  try {
    return new Busboy({ ...config, headers: { 'content-type': contentType } });
  } catch (error) {
    throw malformedParts(`${(error as Error).message}.`);
  }
}

function createReader(contentType: string, maxFieldSize: number, maxFields: number): BusboyInstance {
  try {
    const headers: BusboyHeaders = { 'content-type': contentType };
    return new Busboy({ headers, limits: { ...limits, fieldSize: maxFieldSize, fields: maxFields } });
  } catch (cause) {
    throw fail(
      'http.malformed',
      { format: 'multipart', where: 'its content type', problem: `${(cause as Error).message}.` },
      { cause },
    );
  }
}
