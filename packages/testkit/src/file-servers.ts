// Servers of object storages that tests of file services start: each a process of its own on a free port of 127.0.0.1, with
// its data in a temporary folder, gone with the tests. The programs are packages of file-servers/, which has a lock file of its
// own and is installed by the first test that needs one.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort, ownFolder } from './databases/own-server.ts';
import { launch } from './databases/programs.ts';
import { startSmallSwift } from './swift-server.ts';

export { swiftAccount } from './swift-server.ts';

export interface FileServer {
  url: string;
  /** Where it keeps its data. */
  folder: string;
  stop(): Promise<void>;
}

const home = join(import.meta.dirname, '../file-servers');
const installLimit = 300_000;

/** Installs the servers when they are not; a second process that wants to waits for the first. */
async function install(): Promise<void> {
  const lock = join(home, 'installing');
  for (const limit = Date.now() + installLimit; !existsSync(join(home, 'node_modules/.package-lock.json')); ) {
    try {
      await mkdir(lock);
    } catch {
      const since = await stat(lock).catch(() => undefined);
      // Of a process that was killed.
      if (since && Date.now() - since.mtimeMs > installLimit) await rm(lock, { recursive: true, force: true });
      if (Date.now() > limit) throw new Error(`the servers of ${home} are being installed for too long`);
      await wait(500);
      continue;
    }
    try {
      await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: home });
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
  }
}

/** Starts a program and waits until its port is open. */
export async function startProgram(
  name: string,
  commandFor: (port: number, folder: string) => string[] | Promise<string[]>,
): Promise<FileServer> {
  const { folder, forget } = ownFolder(name);
  const port = await freePort();
  const running = launch(await commandFor(port, folder), folder);
  process.once('exit', () => {
    running.child.kill('SIGKILL');
    forget();
  });
  for (const limit = Date.now() + 30_000; Date.now() < limit; await wait(50)) {
    if (running.child.exitCode !== null) break;
    if (!(await isOpen(port))) continue;
    running.letGo();
    const stop = async () => {
      running.hold();
      running.child.kill('SIGKILL');
      await running.ended;
      forget();
    };
    return { url: `http://127.0.0.1:${port}`, folder, stop };
  }
  throw new Error(`${name} does not start: ${running.output()}`);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const answer = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}

/** A server of S3's protocol; key and secret are `S3RVER`, it wants path style. */
export async function startS3Server(): Promise<FileServer> {
  await install();
  return startProgram('s3rver', (port, folder) => [
    ...[process.execPath, '--openssl-legacy-provider', join(home, 's3rver.mjs'), '--silent'],
    ...['--directory', `${folder}/`, '--address', '127.0.0.1', '--port', String(port)],
  ]);
}

/** The account that Azurite has. */
export const azureAccount = {
  account_name: 'devstoreaccount1',
  account_key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};

/** A server of Azure's blobs, with its data in memory. */
export async function startAzureServer(): Promise<FileServer> {
  await install();
  const server = await startProgram('azurite', (port, folder) => [
    // Its data is in memory: the title says whose it is (databases/own-server.ts).
    ...[process.execPath, '--title', `${folder}/`, join(home, 'node_modules/azurite/dist/src/blob/main.js')],
    ...['--blobHost', '127.0.0.1', '--blobPort', String(port)],
    ...['--skipApiVersionCheck', '--disableTelemetry', '--silent', '--inMemoryPersistence'],
  ]);
  return { ...server, url: `${server.url}/${azureAccount.account_name}` };
}

/**
 * OpenStack's Swift with an identity service at /v2.0 and /v3 of its address: a small one of the tests, or the real one with
 * SLUICE_TEST_SWIFT=real, which is installed by
 * `apt-get install -y --no-install-recommends swift-proxy swift-account swift-container swift-object`.
 */
export const startSwiftServer = (): Promise<Pick<FileServer, 'url' | 'stop'>> =>
  process.env.SLUICE_TEST_SWIFT === 'real'
    ? startProgram('swift', (port, folder) => [
        ...['/usr/bin/python3', join(home, 'swift-server.py'), `${folder}/`, String(port)],
      ])
    : startSmallSwift();
