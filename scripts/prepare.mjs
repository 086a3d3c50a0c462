// What must be there before anything of ours runs: a Node that is new enough and the installed dependencies.
// Used by the other scripts on a fresh clone, so this file imports nothing that has to be installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Ends the process with one line when Node is older than package.json asks for. */
export function requireNode() {
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '');
  if (!isAtLeast(process.versions.node, wanted)) {
    console.error(
      `Sluice needs Node ${wanted} or newer; this is ${process.versions.node}. Get one at https://nodejs.org`,
    );
    process.exit(1);
  }
}

/** Whether version `has` is `wanted` or newer: `isAtLeast('22.1.0', '20.19')`. */
export function isAtLeast(has, wanted) {
  const [a, b] = [has, wanted].map((text) => text.split('.').map(Number));
  const differing = b.findIndex((part, i) => part !== (a[i] ?? 0));
  return differing === -1 || (a[differing] ?? 0) > b[differing];
}

/**
 * Whether node_modules holds what package-lock.json names. npm notes what it installed in a lock file of its own inside
 * node_modules, as its last act: comparing the two needs no stamp and sees an interrupted install. Optional packages
 * are those of other platforms; `dev: false` is content without what only builds and tests need.
 */
export function isInstalled({ dev = true } = {}) {
  const note = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(note)) return false;
  const has = JSON.parse(readFileSync(note, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, it]) => path === '' || it.optional || (it.dev && !dev) || has[path]?.version === it.version,
  );
}

/** Installs from the lock file when needed. Install scripts stay off: nothing we use needs one. */
export function install(options) {
  if (isInstalled(options)) return;
  console.log('Installing dependencies (npm ci)…');
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  // Inside `npm start` the very npm that runs us is known by its path; else the one in PATH.
  const npm = process.env.npm_execpath;
  const done = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (done.status !== 0) {
    console.error('The installation failed; the lines above say why. Nothing was started.');
    process.exit(1);
  }
}
