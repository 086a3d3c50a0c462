import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StartError } from '../start-error.ts';
import { holdStore } from './hold.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-hold-'));
  file = join(folder, 'sluice.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('gives a store to one holder at a time', () => {
  const release = holdStore(file, 0);
  expect(() => holdStore(file, 0)).toThrow(StartError);
  expect(() => holdStore(file, 0)).toThrow(`Another Sluice is running on ${file}.`);
  release();
  holdStore(file, 0)();
});

it('keeps it from other processes, and is free again when one is killed', async () => {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const code = `import { holdStore } from ${JSON.stringify(new URL('./hold.ts', import.meta.url).href)};
    globalThis.release = holdStore(${JSON.stringify(file)});
    console.log('held'); setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(other.stdout, 'data');
    expect(() => holdStore(file, 0)).toThrow(StartError);
  } finally {
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
  holdStore(file, 0)();
});
