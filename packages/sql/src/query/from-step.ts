import type { Column } from '../schema/index.ts';
import type { Write } from './write.ts';

/**
 * Stands among the values of a write for what an earlier step of its unit returned in a column: most often a key that
 * the database made. That step has the column among its `returning`.
 */
export class FromStep {
  /** Counts the steps of the unit from 0. */
  readonly step: number;
  readonly column: Column;

  constructor(step: number, column: Column) {
    this.step = step;
    this.column = column;
  }
}

/** The index of the column among what the step returns. */
export function returningIndex({ step, column }: FromStep, steps: readonly { write: Write }[]): number {
  const write = steps[step]?.write;
  const index = !write || write.kind === 'refuse' ? -1 : write.returning.indexOf(column);
  if (index < 0) throw new Error(`Step ${step} does not answer ${column.name}`);
  return index;
}
