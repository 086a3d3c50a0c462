import { expect, it } from 'vitest';
import { foldType } from './fold-type.ts';

it.each([
  ['  VarChar ( 40 )', 'varchar ( 40 )'],
  ["ENUM('New',\n  'It''s  OLD')", "enum('New', 'It''s  OLD')"],
  ['"Mood"  [ ]', '"Mood" [ ]'],
  ["Set('A\\'B')", "set('A\\'B')"],
  ["ENUM('Open", "enum('Open"],
])('%s is compared as %s', (type, folded) => {
  expect(foldType(type)).toBe(folded);
});
