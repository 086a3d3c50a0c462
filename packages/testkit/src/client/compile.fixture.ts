// Generated clients as those who use them have them: compiled under strict TypeScript, and run.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';

const run = promisify(execFile);
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/** The strictest settings that the project of a user may have. */
const strict = [
  ...['strict', 'noUncheckedIndexedAccess', 'exactOptionalPropertyTypes', 'noImplicitOverride', 'noUnusedLocals'],
  ...['noUnusedParameters', 'noPropertyAccessFromIndexSignature', 'erasableSyntaxOnly', 'isolatedModules', 'noEmit'],
  ...['verbatimModuleSyntax', 'allowImportingTsExtensions'],
].map((name) => `--${name}`);

/** What the compiler says of files, by name; nothing: they compile. */
export async function compile(files: Record<string, string>): Promise<string> {
  return inFolder(files, async (folder) => {
    const settings = ['--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', ''];
    const command = [compiler, ...strict, ...settings, ...Object.keys(files)];
    return run(process.execPath, command, { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  });
}

/** The module of a client, its types gone. */
// biome-ignore lint/suspicious/noExplicitAny: the types are what the compiled files are about
export async function importClient(text: string): Promise<any> {
  const { code } = await transform(text, { loader: 'ts', target: 'node20' });
  return inFolder({ 'client.mjs': code }, (folder) => import(pathToFileURL(join(folder, 'client.mjs')).href));
}

async function inFolder<T>(files: Record<string, string>, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-client-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
