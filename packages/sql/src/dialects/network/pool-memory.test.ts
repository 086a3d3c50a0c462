import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('./old-calls.fixture.ts', import.meta.url));
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
/** V8 collects on demand, in one go and on one thread: what it counts does not depend on what else the machine does. */
const flags = [
  '--expose-gc',
  '--single-threaded-gc',
  '--no-incremental-marking',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
];

it.each([
  ['that get a connection at once', 5],
  ['that wait for a connection', 30],
])('abuse: calls %s leave nothing among the old objects', async (_, atOnce) => {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--import', loader, program, `${atOnce}`]);
  expect(Number(stdout)).toBeLessThan(0.01);
});
