import type { Column } from '../schema/index.ts';
import type { Write } from './write.ts';

/**
 * Stands among the values of a write for what an earlier step of its unit answered in a column: a key the database made,
 * most of all. That step has the column among its `returning`.
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

/** The place of the column among what the step answers. */
export function placeOf({ step, column }: FromStep, steps: readonly { write: Write }[]): number {
  const write = steps[step]?.write;
  const place = !write || write.kind === 'refuse' ? -1 : write.returning.indexOf(column);
  if (place < 0) throw new Error(`Step ${step} does not answer ${column.name}`);
  return place;
}
