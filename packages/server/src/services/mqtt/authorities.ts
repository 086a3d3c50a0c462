// The certificates of authorities at a path of this machine: of a file, or of the files of a folder.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '@sluice/contract';

/** Where Debian and its like have those of the system. */
export const usualCaPath = '/etc/ssl/certs';

/** Files of a folder, and bytes of a file. */
const maxFiles = 1_000;
const maxFile = 4 * 1024 * 1024;
const certificate = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

let ofSystem: Promise<string[] | undefined> | undefined;

/** Those at the path; undefined where there are none at the usual path: those that come with Node count then. */
export function readAuthorities(path: string): Promise<string[] | undefined> {
  if (path !== usualCaPath) return readPath(path);
  ofSystem ??= readPath(path).catch(() => undefined);
  return ofSystem;
}

async function readPath(path: string): Promise<string[]> {
  const refuse = (problem: string) => fail('message.badCertificates', { path, problem });
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => undefined,
  );
  if (isFolder === undefined) throw refuse('there is nothing');
  const files = isFolder
    ? (await readdir(path))
        .filter((name) => /\.(pem|crt|cer)$/.test(name))
        .slice(0, maxFiles)
        .map((name) => join(path, name))
    : [path];
  const found = new Set<string>();
  for (const file of files) for (const text of await certificatesOf(file)) found.add(text);
  if (found.size === 0) throw refuse('it holds no certificates (PEM)');
  return [...found];
}

/** What is no certificate is passed over: nothing else of a file is ever shown or sent. */
async function certificatesOf(file: string): Promise<string[]> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size > maxFile) return [];
  const text = await readFile(file, 'latin1').catch(() => '');
  return text.match(certificate) ?? [];
}
