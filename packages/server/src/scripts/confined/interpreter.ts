// Finds the interpreter of a language on this machine.
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where interpreters usually are; a confined process can read all of it. */
const usualFolders = ['/usr/bin', '/usr/local/bin', '/bin'];
/** Milliseconds in which one has to answer. */
const answerTime = 10_000;

export interface InterpreterSearch<T> {
  /** What its program may be called, the best first. */
  names: readonly string[];
  /** Arguments that make it print JSON about itself. */
  args: readonly string[];
  /** What can be used of an answer; undefined where this one is of no use. `command` is the file that answered. */
  read(answer: unknown, command: string): T | undefined;
}

/** The first that can be used: in the usual folders, then in those of PATH. */
export async function findInterpreter<T>({ names, args, read }: InterpreterSearch<T>): Promise<T | undefined> {
  const folders = [...usualFolders, ...(process.env.PATH ?? '').split(delimiter).filter(isAbsolute)];
  const commands = new Set(folders.flatMap((folder) => names.map((name) => join(folder, name))));
  for (const command of commands) {
    if (!isExecutable(command)) continue;
    const answer = await ask(command, args);
    const found = answer === undefined ? undefined : read(answer, command);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Undefined where it gives no answer. It has none of our settings, least of all secrets. */
function ask(command: string, args: readonly string[]): Promise<unknown> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { timeout: answerTime, env: { PATH: process.env.PATH, LANG: 'C.UTF-8' } },
      (error, printed) => {
        try {
          resolve(error ? undefined : JSON.parse(printed));
        } catch {
          resolve(undefined);
        }
      },
    );
  });
}
