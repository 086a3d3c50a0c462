import { expect, it } from 'vitest';
import { aField, aSchema } from '../testing.tsx';
import { pairedColumns, splitColumns } from './relation-columns.ts';

const schema = aSchema([aField('a'), aField('b'), aField('last, first')]);

it.each([
  ['one column', 'a', ['a']],
  ['several', 'a,b', ['a', 'b']],
  ['a name with a comma', 'last, first', ['last, first']],
  ['none', null, []],
])('a list of %s is split by the names of its table', (_what, list, columns) =>
  expect(splitColumns(list, schema)).toEqual(columns),
);

it.each([
  ['one', 'x', ['a'], ['x']],
  ['one whose name has a comma', 'x, y', ['a'], ['x, y']],
  ['several', 'x,y', ['a', 'b'], ['x', 'y']],
  ['too few', 'x', ['a', 'b'], null],
  ['too many', 'x,y,z', ['a', 'b'], null],
  ['none', null, ['a'], null],
])('the other side has as many columns: %s', (_what, list, columns, paired) =>
  expect(pairedColumns(list, columns)).toEqual(paired),
);
