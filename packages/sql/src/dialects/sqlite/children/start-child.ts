import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { yieldCores } from '../../../shares/yield-cores.ts';
import type { FileOptions } from '../driver/index.ts';
import type { Request } from './child.ts';

/** A child process, and the end of what it complained of. */
export interface Child {
  process: ChildProcess;
  stderr: string;
}

/** Starts the program of a child and tells it its file. It does not keep this process alive. */
export function startChild(program: string, file: FileOptions): Child {
  const process = fork(program, [], {
    serialization: 'advanced',
    execArgv: program.endsWith('.ts') ? ['--import', tsxLoader()] : [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const child: Child = { process, stderr: '' };
  // One that did not start has no number.
  if (process.pid !== undefined) yieldCores(process.pid);
  process.unref();
  process.channel?.unref();
  process.stderr?.on('data', (chunk: Buffer) => {
    child.stderr = (child.stderr + chunk.toString()).slice(-4000);
  });
  (process.stderr as unknown as { unref?(): void } | null)?.unref?.();
  send(child, { file });
  return child;
}

export function send({ process }: Child, request: Request): void {
  // A child that is just gone is told by its exit event.
  process.send(request, () => {});
}

/** The program beside this file: as source, run through tsx, or as a bundle. */
export function defaultProgram(): string {
  const moduleUrl = import.meta.url;
  return fileURLToPath(new URL(moduleUrl.endsWith('.ts') ? './child.ts' : './child.js', moduleUrl));
}

/** The child needs none of our settings, least of all secrets; SQLite sorts in temporary files. */
const childEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['TMPDIR', 'SQLITE_TMPDIR', 'TEMP', 'TMP', 'SystemRoot'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const tsxLoader = (): string => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
