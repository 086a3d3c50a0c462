import { expect, it } from 'vitest';
import { splitList } from './list-query.ts';

it.each([
  ['', []],
  [' , ,\t', []],
  ['a', ['a']],
  [' a b , c,,d\n', ['a b', 'c', 'd']],
  ['ü,\u00a0ß\u00a0', ['ü', 'ß']],
])('%j is the list %j', (text, parts) => expect(splitList(text)).toEqual(parts));

it('abuse: a list is read one part further than it may be long', () => {
  expect(splitList('a,b,c,d,e', 3)).toEqual(['a', 'b', 'c', 'd']);
  expect(splitList(','.repeat(1000), 3)).toEqual([]);
});
