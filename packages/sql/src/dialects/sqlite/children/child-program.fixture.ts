import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

let path: string | undefined;

/**
 * The program of the child process as a bundle, as the build of the server makes one: it starts several times as fast
 * as the source, which runs through tsx. It lies where it finds the packages it needs, under a name made of its content.
 */
export function childProgram(): string {
  path ??= bundle();
  return path;
}

function bundle(): string {
  const [output] = buildSync({
    entryPoints: [fileURLToPath(new URL('./child.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
  }).outputFiles;
  if (!output) throw new Error('esbuild made nothing of the child process');
  const folder = fileURLToPath(new URL('../../../../../../node_modules/.cache/sluice/', import.meta.url));
  const program = `${folder}child-${createHash('sha256').update(output.contents).digest('hex').slice(0, 16)}.mjs`;
  mkdirSync(folder, { recursive: true });
  // Other tests may be about to write or to run the same file.
  const draft = `${program}.${randomUUID()}`;
  writeFileSync(draft, output.contents);
  renameSync(draft, program);
  return program;
}
