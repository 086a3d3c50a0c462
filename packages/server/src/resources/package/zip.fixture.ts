// Packages for tests: what is in an archive, an archive of texts, and the form that uploads one.
import type { AskOptions } from '@sluice/testkit/platform';
import { BlobReader, BlobWriter, configure, ZipReader, ZipWriter } from '@zip.js/zip.js';

configure({ useWebWorkers: false });

/** The files of a zip, by path. */
export async function unzip(bytes: Uint8Array, password?: string): Promise<Map<string, Buffer>> {
  const reader = new ZipReader(
    new BlobReader(new Blob([bytes as Uint8Array<ArrayBuffer>])),
    password ? { password } : {},
  );
  const files = new Map<string, Buffer>();
  for (const entry of await reader.getEntries())
    if (!entry.directory) {
      const blob = await entry.getData(new BlobWriter());
      files.set(entry.filename, Buffer.from(await blob.arrayBuffer()));
    }
  return files;
}

export interface ZipSecret {
  password?: string;
  zipCrypto?: boolean;
}

/** A zip of texts, values as JSON, and bytes, by path. */
export async function zipFiles(files: Record<string, unknown>, secret: ZipSecret = {}): Promise<Buffer> {
  const writer = new ZipWriter(new BlobWriter('application/zip'), secret);
  for (const [path, content] of Object.entries(files)) {
    const data = content instanceof Uint8Array || typeof content === 'string' ? content : JSON.stringify(content);
    await writer.add(path, new BlobReader(new Blob([data as string])));
  }
  return Buffer.from(await (await writer.close()).arrayBuffer());
}

/** A package of these parts: `system/role` → records; the manifest names all of it. */
export function packageOf(parts: Record<string, unknown>, header: object = {}, secret?: ZipSecret): Promise<Buffer> {
  const service: Record<string, Record<string, unknown[]>> = {};
  for (const path of Object.keys(parts)) {
    const [name = '', resource = ''] = path.split('/');
    service[name] = { ...service[name], [resource]: ['x'] };
  }
  const files = Object.fromEntries(Object.entries(parts).map(([path, value]) => [`${path}.json`, value]));
  return zipFiles({ 'package.json': { version: '0.1', df_version: '2.14.2', service, ...header }, ...files }, secret);
}

/** A form with a file and further fields. */
export function uploadOf(
  bytes: Buffer,
  { name = 'package.zip', field = 'files', fields = {} as Record<string, string>, count = 1 } = {},
): AskOptions {
  const file = Buffer.concat([
    Buffer.from(`--xyz\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n`),
    ...[Buffer.from('Content-Type: application/octet-stream\r\n\r\n'), bytes, Buffer.from('\r\n')],
  ]);
  const texts = Object.entries(fields).map(([key, value]) =>
    Buffer.from(`--xyz\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`),
  );
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
    body: Buffer.concat([...Array(count).fill(file), ...texts, Buffer.from('--xyz--\r\n')]),
  };
}
