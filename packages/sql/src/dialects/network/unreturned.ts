// What a write answers whose rows the database does not return: an account may write what it may not read, triggers, rules and
// policies may keep a row back.
import type { Row } from '../../query/index.ts';
import type { Answer } from './engine.ts';
import { sentRow } from './returning-emulation.ts';
import type { RealWrite } from './write.ts';

/** How much of the rows a write returns; each is tried where the one before was refused. */
export const returningLevels = ['all', 'key', 'none'] as const;
export type ReturningLevel = (typeof returningLevels)[number];

/** Ends a transaction in which a write may not return its rows; it is run again with the next level. */
export class ReturningRefused extends Error {}

/** The write as it returns its rows at that level. */
export function narrowReturning<W extends RealWrite>(write: W, level: ReturningLevel): W {
  if (level === 'all') return write;
  const { key } = write.table;
  return { ...write, returning: level === 'key' ? write.returning.filter((column) => key.includes(column)) : [] };
}

/** The answer of a write that returned less than it was to: with the key as far as it is known, and what was sent. */
export function completeRows(write: RealWrite, { count, json }: Answer, level: ReturningLevel): Answer {
  const returned = level === 'key' ? (JSON.parse(json) as Row[]) : Array.from({ length: count }, () => ({}));
  const sent = sentRow(write);
  return { count: returned.length, json: JSON.stringify(returned.map((row) => ({ ...sent, ...row }))) };
}
