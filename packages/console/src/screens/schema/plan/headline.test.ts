import type { PlannedTable } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import type { SchemaWrite } from '../address/write.ts';
import { headlineOf } from './headline.ts';
import { aPlannedTable, aUsage } from './plan.fixture.ts';

const patch: SchemaWrite = { verb: 'PATCH', path: '_schema/thing' };
const drop: SchemaWrite = { verb: 'DELETE', path: '_schema/thing' };
const planned = (...tables: Partial<PlannedTable>[]) =>
  ({ kind: 'planned', tables: tables.map(aPlannedTable) }) as const;

const misfit = { field: 'rank', records: 3, problem: 'tooLong', text: "'rank' would be too small for 3 records" };
const loss = { field: 'note', records: 1200 };
const steps = ['alter table thing add a', 'alter table thing add b'];

describe('the headline of a plan', () => {
  it.each<[string, string, Partial<PlannedTable>[], SchemaWrite]>([
    [
      'a misfit before a loss',
      'refused: This would be refused: 3 records do not fit “rank”',
      [{ misfits: [misfit], losses: [loss], statements: steps }],
      patch,
    ],
    [
      'values that are there twice',
      'refused: This would be refused: 1 value of “rank” is there more than once',
      [{ misfits: [{ ...misfit, problem: 'duplicate', records: 1 }] }],
      patch,
    ],
    [
      'several misfits',
      'refused: This would be refused: records do not fit in 2 places',
      [{ misfits: [misfit] }, { misfits: [misfit] }],
      patch,
    ],
    ['lost values', 'loss: Would lose 1,200 values of “note”', [{ losses: [loss], statements: steps }], patch],
    ['values of several fields', 'loss: Would lose the values of 2 fields', [{ losses: [loss, loss] }], patch],
    [
      'lost records',
      'loss: Would lose all 7 records of “thing”',
      [{ losses: [{ field: null, records: 7 }], used_by: [aUsage()] }],
      drop,
    ],
    [
      'records of several tables',
      'loss: Would lose all records of 2 tables, 9 in all',
      [{ losses: [{ field: null, records: 7 }] }, { losses: [{ field: null, records: 2 }] }],
      drop,
    ],
    [
      'nothing lost, but somebody has to look',
      'warning: 1 place that names it stays as it is: have a look at it',
      [{ losses: [{ field: null, records: 0 }], used_by: [aUsage()], statements: ['drop table thing'] }],
      drop,
    ],
    [
      'what follows a rename is no warning',
      'calm: Changes the database in one step',
      [{ used_by: [aUsage()], statements: ['alter table thing rename to item'] }],
      patch,
    ],
    [
      'steps in a transaction',
      'calm: Changes the database in 2 steps, undone whole if one fails',
      [{ statements: steps }],
      patch,
    ],
    [
      'steps that are taken back',
      'calm: Changes the database in 2 steps, taken back one by one if one fails',
      [{ statements: steps, undo: 'counterSteps' }],
      patch,
    ],
    [
      'steps that are not',
      'warning: Changes the database in 2 steps; if one fails, those before it stay',
      [{ statements: steps, undo: 'none' }],
      patch,
    ],
    [
      'one step that is not',
      'calm: Changes the database in one step',
      [{ statements: ['drop table thing'], undo: 'none' }],
      drop,
    ],
    [
      'several tables',
      'calm: Changes 2 tables in 3 steps',
      [{ statements: steps }, {}, { name: 'other', statements: ['create index i'] }],
      patch,
    ],
    [
      'only what is said of a table',
      'calm: Changes only what Sluice says of the table, nothing in the database',
      [{}],
      patch,
    ],
    ['nothing', 'calm: Nothing changes', [], patch],
  ])('%s', (_, expected, tables, write) => {
    const { tone, text } = headlineOf(planned(...tables), write);
    expect(`${tone}: ${text}`).toBe(expected);
  });

  it('says the refusal of the write itself', () => {
    expect(headlineOf({ kind: 'refused', messages: ['The name is taken.', 'Another one.'] }, patch)).toEqual({
      tone: 'refused',
      text: 'This would be refused: The name is taken.',
    });
  });
});
