// SQL out of Debian packages: downloaded once for a run, unpacked into a temporary folder, not installed.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { inRunFolder } from './run-folder.ts';

const run = promisify(execFile);
// One try that ends soon: without a network the journey is skipped.
const options = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20'];

/**
 * The text of a file of a package, unpacked when it ends in `.gz`. `missing` says why there is none: no apt, no network,
 * no such package. With CI=true it throws instead, so that nothing is skipped there.
 */
export async function fileOfPackage(name: string, path: string): Promise<{ sql: string } | { missing: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-package-'));
  try {
    const archive = await downloadPackage(name, folder);
    await run('dpkg-deb', ['-x', archive, 'unpacked'], { cwd: folder });
    const content = await readFile(join(folder, 'unpacked', path));
    return { sql: (path.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8') };
  } catch (error) {
    const missing = `The Debian package ${name} cannot be had: ${(error as Error).message.trim().slice(0, 300)}`;
    if (/^(1|true)$/i.test(process.env.CI ?? '')) throw new Error(missing, { cause: error });
    return { missing };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Path of the downloaded package; the first worker that needs it downloads it, into its own folder. */
async function downloadPackage(name: string, folder: string): Promise<string> {
  const archivePath = inRunFolder('downloads', name);
  if (existsSync(archivePath)) return archivePath;
  await run('apt-get', ['download', '-q', ...options, name], { cwd: folder, timeout: 60_000 });
  const [archive = ''] = await readdir(folder);
  // Renamed at the end: another worker may look for it at any time, and must not find a part of it.
  await rename(join(folder, archive), archivePath);
  return archivePath;
}
