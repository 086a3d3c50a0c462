import { type Failure, fail } from '@sluice/contract';
import type { Misfit, MisfitProblem } from './editor.ts';

const words: Record<MisfitProblem, (records: number) => string> = {
  noValue: (records) => `needs a value, which ${countOf(records, 'record')} would not have`,
  tooLong: (records) => `would be too small for ${countOf(records, 'record')}`,
  wrongType: (records) => `would not be able to hold the value of ${countOf(records, 'record')}`,
  duplicate: (records) => `has ${countOf(records, 'value')} more than once`,
  noTarget: (records) => `references nothing that exists in ${countOf(records, 'record')}`,
};

const countOf = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** A sentence without its end: `'name' has 2 values more than once`. */
export const misfitText = ({ field, records, problem }: Misfit): string => `'${field}' ${words[problem](records)}`;

/** Why a change is refused because of what the table holds. */
export const misfitFailure = (table: string, misfits: readonly Misfit[]): Failure =>
  fail('schema.misfit', { table, problems: misfits.map(misfitText).join('; ') });
