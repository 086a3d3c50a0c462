// Another commit of this repository beside the working tree, in .cache: its files, its modules and its built server.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';
import { run } from './run.mjs';

/** The folder with the commit's files and what they need installed. */
export async function checkOut(commit) {
  const hash = (await git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`)).trim();
  const folder = join(root, '.cache/compare', hash.slice(0, 12));
  // Forced: git remembers a folder that was there once and has been removed by hand.
  if (!existsSync(join(folder, 'package.json'))) await git('worktree', 'add', '--force', '--detach', folder, hash);
  await provideModules(folder);
  return folder;
}

/** The modules of the working tree where both have the same lock file, else an installation of its own. */
async function provideModules(folder) {
  const modules = join(folder, 'node_modules');
  const lock = (place) => readFileSync(join(place, 'package-lock.json'), 'utf8');
  const isShared = lock(folder) === lock(root);
  const isOwn = existsSync(join(modules, '.package-lock.json'));
  // Links lead to what another lock file names by now, or were not finished.
  if (!isOwn && !(isShared && existsSync(join(modules, '@sluice')))) rmSync(modules, { recursive: true, force: true });
  if (!isShared) (await import(scriptOf(folder, 'prepare'))).install();
  else if (!existsSync(modules)) linkModules(join(root, 'node_modules'), modules);
}

/** Links to every installed package but our own, which have to be those of the folder. */
function linkModules(from, to) {
  mkdirSync(to);
  for (const name of readdirSync(from).filter((name) => !name.startsWith('.') && name !== '@sluice'))
    symlinkSync(join(from, name), join(to, name), 'junction');
  mkdirSync(join(to, '@sluice'));
  for (const name of readdirSync(join(from, '@sluice')))
    symlinkSync(join(to, '..', 'packages', name), join(to, '@sluice', name), 'junction');
}

/** Builds the server by the checkout's own script, unless that is done already. The console is a made-up one. */
export async function buildServer(folder) {
  const { build, staleParts } = await import(scriptOf(folder, 'build'));
  await build(staleParts().filter(({ name }) => name === 'server'));
}

function scriptOf(folder, name) {
  return pathToFileURL(join(folder, 'scripts', `${name}.mjs`)).href;
}

async function git(...args) {
  const { code, output } = await run(['git', ...args], { quiet: true });
  if (code !== 0) throw new Error(`git ${args.join(' ')} failed${output.trim() === '' ? '' : `: ${output.trim()}`}`);
  return output;
}
