// The examples that are built on a generated client, as their READMEs say: made, compiled, built and run.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateClient } from '@sluice/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPlatform } from '../platform.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const platform = await startPlatform({ demo: true });
let folder: string;
let key: string;
let client: string;

beforeAll(async () => {
  // In the repository, so that they find what is installed.
  await mkdir(join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(join(root, '.cache', 'examples-'));
  const body = { name: 'examples', access: 'write', service: 'world' };
  const made = await platform.ask('POST', 'system/app/_key', { body });
  expect(made.status, made.text).toBe(201);
  key = made.body.api_key;
  const document = await platform.ask('GET', 'api_docs/world?openapi=3.1', { key, token: null });
  client = generateClient(document.body, { address: platform.url });
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

/** An example with its client, and a tool run in it. */
async function example(name: string, place: string) {
  const at = join(folder, name);
  await cp(join(root, 'examples', name), at, { recursive: true, filter: (path) => !/node_modules|dist/.test(path) });
  await writeFile(join(at, place), client);
  const tool = (path: string, args: string[], env = {}) =>
    run(process.execPath, [join(root, 'node_modules', path), ...args], {
      cwd: at,
      env: { ...process.env, ...env },
    }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${stdout}${stderr}`);
    });
  return { at, tool };
}

it('the Node program compiles, and runs', async () => {
  const { tool } = await example('typed-client', 'sluice.ts');
  const settings = ['--strict', '--noUncheckedIndexedAccess', '--noEmit', '--module', 'nodenext', '--types', 'node'];
  await tool('typescript/bin/tsc', [...settings, '--target', 'es2023', '--allowImportingTsExtensions', 'cities.ts']);
  const { stdout } = await tool('tsx/dist/cli.mjs', ['cities.ts'], { SLUICE_KEY: key, SLUICE: platform.url });
  expect(stdout).toMatch(
    /^\d+ large cities with B, the first 3:\n( {2}B[^\n]+, [^\n]+: \d{7,}\n){3}\d{9,} people live in all cities\.\nLand's End has 1\.\nIt is gone: 404 Record with identifier '\d+' not found\.\n$/,
  );
}, 60_000);

it('the React app compiles, and is built', async () => {
  const { at, tool } = await example('react-app', 'src/sluice.ts');
  await tool('typescript/bin/tsc', []);
  await tool('vite/bin/vite.js', ['build', '--logLevel', 'error']);
  expect(await readdir(join(at, 'dist/assets'))).toEqual([expect.stringMatching(/^index-.*\.js$/)]);
}, 60_000);
