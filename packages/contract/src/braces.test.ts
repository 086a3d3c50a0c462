import { expect, it } from 'vitest';
import { fillBraces, namesInBraces } from './braces.ts';

const values = new Map([
  ['a', '1'],
  ['b', '{a}'],
  ['', 'never'],
  ['n'.repeat(255), 'long'],
  ['n'.repeat(256), 'too long'],
]);
const fill = (text: string) => fillBraces(text, (name) => values.get(name));

it.each([
  ['', ''],
  ['a', 'a'],
  ['{a}', '1'],
  ['<{a}{a}>{b}', '<11>{a}'],
  ['{x}{a}{x}', '{x}1{x}'],
  ['{}', '{}'],
  ['{', '{'],
  ['{a', '{a'],
  ['a}', 'a}'],
  ['{{a}}', '{1}'],
  ['{x{a}', '{x1'],
  ['{a}}', '1}'],
  ['{"a":{"b":1}}', '{"a":{"b":1}}'],
  [`{${'n'.repeat(255)}}`, 'long'],
  [`{${'n'.repeat(256)}}`, `{${'n'.repeat(256)}}`],
  [`{${'n'.repeat(300)}{a}`, `{${'n'.repeat(300)}1`],
])('%o becomes %o', (text, filled) => expect(fill(text)).toBe(filled));

it('asks for each name as it was written, once where it stands', () => {
  const names: string[] = [];
  fillBraces('{ a }{a}{a}', (name) => {
    names.push(name);
    return undefined;
  });
  expect(names).toEqual([' a ', 'a', 'a']);
});

it('tells the names in a text', () => {
  expect(namesInBraces('{ a } {"b":{c}} {} {d')).toEqual(['a', 'c']);
});
