// Running the installed tools (tsc, vite, …) as child processes.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** Command line of an installed tool: `tool('typescript', 'tsc')` is node and the path of its script. */
export function tool(packageName, name = packageName) {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return [process.execPath, join(folder, typeof bin === 'string' ? bin : bin[name])];
}

/**
 * Runs a command in the repository and resolves to its exit code and, with `quiet`, its output; 1 when a signal ended it.
 * @param {string[]} command
 * @param {{ cwd?: string, env?: Record<string, string>, quiet?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run([file, ...args], { cwd = root, env = {}, quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    let output = '';
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Seconds since `from` (performance.now()), as people read them: `3.2 s`. */
export const since = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
