import { expect, test } from 'vitest';
import { shortenedJson, truncate } from './shorten.ts';

test('cuts texts between characters, and leaves out what databases refuse', () => {
  expect(truncate('abc', 3)).toBe('abc');
  expect(truncate('abcd', 3)).toBe('abc');
  expect(truncate('ab😀', 3)).toBe('ab');
  expect(truncate('a\0b', 9)).toBe('a\uFFFDb');
  expect(truncate('a\uD83Db', 9)).toBe('a\uFFFDb');
});

test('keeps what is short as it is', () => {
  const fields = { a: 1, b: null, c: 'x'.repeat(2000), d: { e: ['f'] } };
  expect(JSON.parse(shortenedJson(fields))).toEqual(fields);
});

test('looks for long texts in objects, one step deep', () => {
  const long = 'x'.repeat(2_001);
  expect(JSON.parse(shortenedJson({ config: { host: 'h', text: long, list: [long] } }))).toEqual({
    config: {
      host: 'h',
      text: `${'x'.repeat(2_000)}… (cut, 2001 characters)`,
      list: `["${'x'.repeat(1_998)}… (cut, 2005 characters)`,
    },
  });
});

test.each([
  ['many long texts', Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`field_${at}`, 'ü'.repeat(9_000)]))],
  [
    'texts that grow as JSON',
    Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, '\u0001'.repeat(9_000)])),
  ],
  [
    'an object of many keys',
    { value: Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`key ${at}`, at])) },
  ],
  ['a list of many', { value: Array.from({ length: 90_000 }, (_, at) => at) }],
])('keeps %s below 16,000 bytes', (_name, fields) => {
  const text = shortenedJson(fields);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_000);
  expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(fields));
  expect(text).toContain('(cut, ');
});
