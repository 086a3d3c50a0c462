// Before tests that start the server, or a child of it, in a process of its own: the server is built once for all of them. A
// bundle starts several times as fast as its sources.
import { join } from 'node:path';
import { build, staleParts } from './build.mjs';
import { root } from './prepare.mjs';

export async function setup() {
  await build(staleParts().filter(({ name }) => name === 'server'));
  process.env.SLUICE_TEST_BUILT = join(root, 'packages/server/dist');
}
