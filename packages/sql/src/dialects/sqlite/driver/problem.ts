import { sqliteCode } from './sqlite.ts';

export interface Problem {
  code: number;
  text: string;
}

/** The problem behind an error of the driver or of the file system; other errors are bugs and go on. */
export function problemOf(error: unknown): Problem {
  const code = sqliteCode(error);
  if (code !== undefined) return { code, text: (error as Error).message };
  const { syscall, code: word } = error as { syscall?: unknown; code?: unknown };
  // The text of such an error holds the whole path.
  if (typeof syscall === 'string') return { code: 14, text: `${syscall} answered ${word}` };
  throw error;
}

/** Whether somebody else holds the lock. */
export const isBusy = (problem: Problem): boolean => (problem.code & 0xff) === 5;
