// A folder of this run of the journeys, for files that are made once and used by many: a data folder after a first start,
// and downloads.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demo, startServer } from './server.ts';

/** Names the folder to the workers. */
const variable = 'SLUICE_E2E_RUN';

/** Runs before all journeys; the function it returns runs after them. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the default export
export default async function makeRunFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-run-'));
  process.env[variable] = folder;
  for (const part of ['data', 'downloads']) await mkdir(inRunFolder(part));
  const server = await startServer(inRunFolder('data'), demo);
  await server.end('SIGTERM');
  return () => rm(folder, { recursive: true, force: true });
}

export const inRunFolder = (...path: string[]): string => join(process.env[variable] as string, ...path);

/** A data folder of one instance alone, with an administrator and the sample data. */
export async function copyPreparedData(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-e2e-'));
  await cp(inRunFolder('data'), folder, { recursive: true });
  return folder;
}
