import { expect, it } from 'vitest';
import { readInput } from './values.ts';

const listed = (params: string) => readInput(params, undefined, undefined as never, () => undefined).values;

it.each<[text: string, values: unknown[]]>([
  ['', []],
  [' ', []],
  ['1, 2', ['1', '2']],
  [`'a, ''b''' , "c ""d"""`, ["a, 'b'", 'c "d"']],
  ['null, NULL , nulls,', [null, null, 'nulls', '']],
  [`'a' b, "open, 'x`, ["'a' b", '"open', "'x"]],
  [`'', '''', ''' `, ['', "'", "'''"]],
])('a list of values as text: %s', (text, values) => {
  expect(listed(text)).toEqual(values);
});

it('abuse: of a list of millions no more are read than a routine could have, and a long text is one value', () => {
  for (const item of [',', '1,', "'',", "' ,"]) expect(listed(item.repeat(3_000_000))).toHaveLength(1001);
  expect(listed(`'${'x'.repeat(9_000_000)}'`)).toHaveLength(1);
  expect(listed(`'${"''".repeat(4_000_000)}'`)).toEqual(["'".repeat(4_000_000)]);
});
