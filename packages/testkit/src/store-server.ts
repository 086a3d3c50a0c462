// A server for the stores of a whole test run, one that need not survive a power cut: it makes hundreds of databases' worth
// of rows, and on the machine's own server each commit would wait for the disk. Vitest calls this first.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeServerVariable } from './databases/access.ts';
import { dropDatabase } from './databases/fresh.ts';
import { type Engine, kits, ownServer, type TestDatabase } from './databases.ts';

/** The variable in which test processes find the folder that has a file for each database they made. */
const notesVariable = (engine: Engine) => `SLUICE_TEST_STORES_${engine.toUpperCase()}`;

/** The `globalSetup` of a project whose tests keep their stores in this engine. */
export async function startStoreServer(engine: Engine): Promise<() => Promise<void>> {
  const { variable, program, scheme } = kits[engine];
  // What someone names is used.
  if (process.env[variable] || !program()) return noteDatabases(engine);
  const { user, password, host, port, remove } = await ownServer(engine);
  process.env[storeServerVariable(engine)] = `${scheme}://${user}:${password}@${host}:${port}`;
  return remove;
}

/** On a server that outlives the run, each database goes at its end: test processes serve several files and know none. */
function noteDatabases(engine: Engine): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-stores-'));
  process.env[notesVariable(engine)] = folder;
  return async () => {
    for (const name of readdirSync(folder)) await dropDatabase(kits[engine], name);
    rmSync(folder, { recursive: true });
  };
}

/** Has the database dropped when all tests have run, unless the whole server goes. */
export function noteForTheEnd({ engine, database }: TestDatabase): void {
  const folder = process.env[notesVariable(engine)];
  if (folder) writeFileSync(join(folder, database), '');
}
