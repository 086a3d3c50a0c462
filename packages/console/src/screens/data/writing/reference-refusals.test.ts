import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { aField, anId, aRelation, aSchema } from '../testing.tsx';
import { missingReferenceErrors, stillUsedText } from './reference-refusals.ts';

const refusal = (code: string | number, message: string) =>
  new ApiError({
    status: 400,
    code: 1000,
    message: 'Batch Error',
    context: { error: [1], resource: [{ id: 1 }, { code, message, context: null, status_code: 400 }] },
  });
const reference = (name: string, ref_table: string) =>
  aField(name, { type: 'reference', is_foreign_key: true, ref_table, ref_field: 'id' });
const schema = aSchema([anId(), reference('owner_id', 'people'), reference('team_id', 'team'), aField('name')], {
  constraints: {
    thing_team_id_fkey: { constraint_name: 'thing_team_id_fkey', column_name: 'team_id' },
  },
  related: [aRelation('item_by_thing_id', { ref_table: 'item' }), aRelation('note_by_thing_id', { ref_table: 'note' })],
});
const [sqlite, pgsql, mysql] = [
  refusal(787, 'FOREIGN KEY constraint failed'),
  refusal('23503', 'insert or update on table "thing" violates foreign key constraint "thing_team_id_fkey"'),
  refusal(
    1452,
    'Cannot add or update a child row: a foreign key constraint fails (`a`.`thing`, CONSTRAINT `x` FOREIGN KEY (`team_id`) REFERENCES `team` (`id`))',
  ),
];

describe('a reference to nothing', () => {
  const both = { id: 1, owner_id: 8, team_id: 9 };
  it.each([
    [
      'the only one that was sent',
      sqlite,
      { id: 1, owner_id: 8, team_id: null },
      { owner_id: 'No record of people has this id.' },
    ],
    ['one of several', sqlite, both, { '': 'One of these refers to no record: owner_id, team_id.' }],
    ['that of a constraint', pgsql, both, { team_id: 'No record of team has this id.' }],
    ['that of named columns', mysql, both, { team_id: 'No record of team has this id.' }],
    ['none that was sent', sqlite, { id: 1, name: 'x' }, undefined],
    ['another refusal', refusal(2067, 'UNIQUE constraint failed: thing.name'), both, undefined],
  ])('%s', (_what, error, record, errors) => {
    expect(missingReferenceErrors(error, 1, schema, record)).toEqual(errors);
  });
});

it('names the tables that refer to a record, as far as the database says which', () => {
  const used = (error: ApiError) => stillUsedText(error, 1, schema)?.replace(/ \(.*/, '');
  expect(used(sqlite)).toBe('Still used: records of item, note refer to it.');
  const message = 'update or delete on table "thing" violates foreign key constraint "x" on table "note"';
  expect(used(refusal('23503', message))).toBe('Still used: records of note refer to it.');
  expect(used(refusal(1451, 'Cannot delete: a foreign key constraint fails (`a`.`item`, CONSTRAINT …'))).toBe(
    'Still used: records of item refer to it.',
  );
  expect(used(refusal(2067, 'UNIQUE constraint failed: thing.name'))).toBeUndefined();
});
