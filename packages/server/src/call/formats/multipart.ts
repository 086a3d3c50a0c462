// Multipart bodies: their fields, as a form has them (contract/http-basics.md §6). Files are nobody's yet.
import { isUtf8 } from 'node:buffer';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { type Failure, fail } from '@sluice/contract';

export const isMultipart = (contentType: string): boolean => /^\s*multipart\/form-data\b/i.test(contentType);

/** Parts may not be without end, nor may what stands above each of them. */
const limits = { fieldNameSize: 200, headerPairs: 20, headerSize: 4096, files: 1 };

/** The fields of a multipart body; the first value of a repeated name counts. A file among them is a 400. */
export function parseMultipart(bytes: Buffer, contentType: string, mostNames: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    const refuse = (failure: Failure) => {
      reject(failure);
      reader.removeAllListeners('field');
    };
    const malformed = (problem: string) => fail('http.malformed', { format: 'multipart', where: 'its parts', problem });
    const reader = open(contentType, bytes.length, mostNames);
    reader.on('file', (_name, file) => {
      file.on('error', () => {}).resume();
      refuse(fail('http.unrecognizedPayload'));
    });
    reader.on('fieldsLimit', () => refuse(fail('http.tooManyNames', { limit: mostNames })));
    reader.on('field', (name: string | undefined, value) => {
      if (name === undefined || name === '') refuse(malformed('a part has no name.'));
      else if (name !== '__proto__' && !fields.has(name)) fields.set(name, value);
    });
    reader.on('error', (error) => refuse(malformed(`${(error as Error).message}.`)));
    reader.on('finish', () => {
      if (!isUtf8(bytes)) refuse(fail('http.invalidUtf8', { where: 'body' }));
      else resolve(fields.size === 0 ? undefined : Object.fromEntries(fields));
    });
    reader.end(bytes);
  });
}

function open(contentType: string, fieldSize: number, fields: number): BusboyInstance {
  try {
    const headers: BusboyHeaders = { 'content-type': contentType };
    return new Busboy({ headers, limits: { ...limits, fieldSize, fields } });
  } catch (cause) {
    throw fail(
      'http.malformed',
      { format: 'multipart', where: 'its content type', problem: `${(cause as Error).message}.` },
      { cause },
    );
  }
}
