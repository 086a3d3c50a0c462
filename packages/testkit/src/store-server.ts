// A server for the stores of a whole test run, one that need not survive a power cut: it makes hundreds of databases' worth
// of rows, and on the machine's own server each commit would wait for the disk. Vitest calls this first.
import { type Engine, kits, ownServer } from './databases.ts';

/** The variable in which test processes find that server. */
export const serverVariable = (engine: Engine) => `SLUICE_TEST_STORE_SERVER_${engine.toUpperCase()}`;

/** The `globalSetup` of a project whose tests keep their stores in this engine. */
export async function startStoreServer(engine: Engine): Promise<() => Promise<void>> {
  const { variable, program, scheme } = kits[engine];
  // What someone names is used.
  if (process.env[variable] || !program()) return async () => {};
  const { user, password, host, port, remove } = await ownServer(engine);
  process.env[serverVariable(engine)] = `${scheme}://${user}:${password}@${host}:${port}`;
  return remove;
}
