// Finding the programs of servers that are installed here, and running them as the user they want to be.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of a program in one of the folders or in PATH; a `*` in a folder is any version, the newest first. */
export function findProgram(name: string, folders: string[]): string | undefined {
  const path = (process.env.PATH ?? '').split(delimiter);
  return [...folders.flatMap(versions), ...path].map((folder) => join(folder, name)).find(existsSync);
}

function versions(folder: string): string[] {
  const [parent, rest] = folder.split('*', 2) as [string, string | undefined];
  if (rest === undefined) return [folder];
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(parent, version, rest));
}

export interface Account {
  uid: number;
  gid: number;
}

/** The ids of an account of this system when we are root; undefined when we are not, or there is no such account. */
export function accountWhenRoot(name: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

export interface Running {
  child: ChildProcess;
  /** What the program said so far, the last 4,000 characters. */
  output(): string;
  /** Resolves once the program has ended. */
  ended: Promise<void>;
  /** From now on this process may end while the program runs. */
  letGo(): void;
  /** Takes `letGo` back, for callers that wait for the end. */
  hold(): void;
}

/** Starts a program. */
export function launch([file, ...args]: string[], cwd: string, account?: Account): Running {
  const child = spawn(file as string, args, { cwd, ...account, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (output = (output + chunk).slice(-4000)));
  }
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      output += error.message;
      resolve();
    });
  });
  const handles = [child, child.stdout, child.stderr] as unknown as { ref(): void; unref(): void }[];
  return {
    child,
    output: () => output,
    ended,
    letGo() {
      for (const handle of handles) handle.unref();
    },
    hold() {
      for (const handle of handles) handle.ref();
    },
  };
}
