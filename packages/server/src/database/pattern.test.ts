import { describe, expect, it } from 'vitest';
import { matchesPattern, readPattern } from './pattern.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');
const fits = (pattern: string, text: string) => matchesPattern(readPattern(encode(pattern))!, text);

describe('a pattern', () => {
  it.each<[string, string, boolean]>([
    ['/^[a-z]+$/', 'abc', true],
    ['/^[a-z]+$/', 'aBc', false],
    ['/^[a-z]+$/i', 'aBc', true],
    ['#^a/b$#', 'a/b', true],
    ['~^\\Aä\\d{2}\\z~u', 'ä12', true],
    ['/^\\d{3}\\-\\d{3}\\@[\\w\\-\\.]+$/', '123-456@a-b.c', true],
    ['/^😀.$/', '😀😀', true],
    ['/^a.b$/s', 'a\nb', true],
    ['/^b$/m', 'a\nb', true],
    ['/é/D', 'café', true],
  ])('%s of %j: %s', (pattern, text, expected) => {
    expect(fits(pattern, text)).toBe(expected);
  });

  it('is put to texts of any length', () => {
    const text = `${'x'.repeat(10_000)}y`;
    expect([fits('/^x+y$/', text), fits('/^x+$/', text), fits('/y$/', text)]).toEqual([true, false, true]);
  });

  it('may stand as it is', () => {
    expect(matchesPattern(readPattern('/^a+$/')!, 'aa')).toBe(true);
  });

  it.each<[unknown]>([
    [undefined],
    [5],
    [''],
    ['abc'],
    [encode('abc')],
    [encode('/(/')],
    [encode('/a/x')],
    [encode('/a/g')],
    [encode('/(?P<year>\\d)/')],
    [encode('/a++/')],
    [encode('/[[:alpha:]]/')],
    [encode('/\\Aa/m')],
    [encode('/\\Qa\\E/')],
  ])('is not %j', (text) => expect(readPattern(text)).toBeUndefined());

  it.each([['/^(a|a|a|a|a)*$/'], [`/^${'(a|a|a|a)'.repeat(20)}$/`], [`/^${'a*'.repeat(20)}$/`], ['/^((a?){9}){9}$/']])(
    'that takes for ever for a short text is stopped, too: %s',
    (pattern) => {
      expect(fits(pattern, `${'a'.repeat(19)}b`)).toBe(false);
    },
  );

  it('that takes for ever is stopped, and what is as long is not tried again', () => {
    const pattern = readPattern(encode('/^(a+)+$/'))!;
    const text = `${'a'.repeat(40)}b`;
    for (let length = 41; length > 20; length -= 1) expect(matchesPattern(pattern, text.slice(-length))).toBe(false);
    expect(matchesPattern(pattern, 'aaa')).toBe(true);
    expect(matchesPattern(readPattern(encode('/^(a+)+$/'))!, 'a'.repeat(40))).toBe(true);
  });
});
