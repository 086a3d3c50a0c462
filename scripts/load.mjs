// Importing TypeScript modules of ours into plain Node, which does not read them in the oldest version we take.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './prepare.mjs';

/** Imports a TypeScript module of ours, a path in the repository, by way of a bundle in a temporary file. */
export async function load(path) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-load-'));
  const outfile = join(folder, 'module.mjs');
  try {
    await build({ absWorkingDir: root, entryPoints: [path], outfile, bundle: true, format: 'esm', platform: 'node' });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
