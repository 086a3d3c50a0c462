// Servers of the tests' own, from installed programs: on a free port of 127.0.0.1, in a temporary folder, gone with the process.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Engine, EngineKit } from './engine.ts';
import { accountWhenRoot, launch, type Running } from './programs.ts';

/** A server that can be stopped, killed and started again, always on the same port with the same data. */
export interface OwnServer {
  engine: Engine;
  host: string;
  port: number;
  user: string;
  password: string;
  /** Where its superuser gets in without a password. */
  socketPath: string;
  /** Runs SQL as the superuser, several statements allowed; rows of the last one as arrays. */
  run(sql: string, database?: string): Promise<unknown[][]>;
  /** Stops it in order, open connections or not. */
  stop(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

const startLimit = 60_000;

/** Lays out and starts a server of this engine; throws when its programs are not installed. */
export async function startOwnServer(kit: EngineKit): Promise<OwnServer> {
  const { folder, account, forget: removeFolder } = ownFolder(kit.account);
  const password = randomBytes(12).toString('hex');
  for (const command of kit.layOut(folder, password)) {
    const laying = launch(command, folder, account);
    await laying.ended;
    if (laying.child.exitCode !== 0) throw new Error(`${kit.label} could not be laid out: ${laying.output()}`);
  }
  const login = { host: '127.0.0.1', port: await freePort(), user: kit.superuser, password };
  let running: Running | undefined;

  const end = async (signal: NodeJS.Signals) => {
    running?.hold();
    running?.child.kill(signal);
    await running?.ended;
    running = undefined;
  };
  const start = async () => {
    const limit = Date.now() + startLimit;
    for (;;) {
      running ??= launch(kit.serve(folder, login.port), folder, account);
      const { child, output } = running;
      try {
        await kit.run(login, 'select 1');
        running.letGo();
        return;
      } catch (error) {
        if (Date.now() > limit) throw new Error(`${kit.label} does not start: ${output()}`, { cause: error });
      }
      // After a kill it may have to wait until the last process of its predecessor has noticed: try again.
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) running = undefined;
      await wait(50);
    }
  };
  const server: OwnServer = {
    engine: kit.engine,
    ...login,
    socketPath: kit.socketIn(folder),
    run: (sql, database) => kit.run(login, sql, database),
    stop: () => end(kit.stopSignal),
    kill: () => end('SIGKILL'),
    start,
    async remove() {
      await end('SIGKILL');
      removeFolder();
    },
  };
  process.once('exit', () => {
    running?.child.kill('SIGKILL');
    removeFolder();
  });
  await start();
  return server;
}

/**
 * A folder in the temporary one that belongs to the account, and the account when we are root. It goes with `forget`; one
 * whose process was killed before it could is cleared away, with the server in it, by the next call.
 */
export function ownFolder(accountName: string) {
  clearAbandoned();
  const account = accountWhenRoot(accountName);
  const folder = mkdtempSync(join(tmpdir(), `sluice-own-${process.pid}-`));
  if (account) chownSync(folder, account.uid, account.gid);
  const forget = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return { folder, account, forget };
}

function clearAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = /^sluice-own-(\d+)-/.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const folder = join(tmpdir(), name);
    try {
      for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch {
      // Somebody else's, who will clear it himself.
    }
  }
}

/** The processes that have the folder on their command line; known on Linux only. */
function processesOf(folder: string): number[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${folder}/`);
      } catch {
        return false; // ended in between
      }
    })
    .map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A free port below those that the system gives to outgoing connections, so that it is still free after a stop. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
