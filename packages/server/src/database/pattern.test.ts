import { describe, expect, it } from 'vitest';
import { matches, readPattern } from './pattern.ts';

const stored = (text: string) => Buffer.from(text).toString('base64');
const fits = (pattern: string, text: string) => matches(readPattern(stored(pattern))!, text);

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
    expect(matches(readPattern('/^a+$/')!, 'aa')).toBe(true);
  });

  it.each<[unknown]>([
    [undefined],
    [5],
    [''],
    ['abc'],
    [stored('abc')],
    [stored('/(/')],
    [stored('/a/x')],
    [stored('/a/g')],
    [stored('/(?P<year>\\d)/')],
    [stored('/a++/')],
    [stored('/[[:alpha:]]/')],
    [stored('/\\Aa/m')],
    [stored('/\\Qa\\E/')],
  ])('is not %j', (text) => expect(readPattern(text)).toBeUndefined());

  it.each([['/^(a|a|a|a|a)*$/'], [`/^${'(a|a|a|a)'.repeat(20)}$/`], [`/^${'a*'.repeat(20)}$/`], ['/^((a?){9}){9}$/']])(
    'that takes for ever for a short text is stopped, too: %s',
    (pattern) => {
      const from = performance.now();
      expect(fits(pattern, `${'a'.repeat(19)}b`)).toBe(false);
      expect(performance.now() - from).toBeLessThan(500);
    },
  );

  it('that takes for ever is stopped, and what is as long is not tried again', () => {
    const pattern = readPattern(stored('/^(a+)+$/'))!;
    const text = `${'a'.repeat(40)}b`;
    const from = performance.now();
    for (let length = 41; length > 20; length -= 1) expect(matches(pattern, text.slice(-length))).toBe(false);
    expect(performance.now() - from).toBeLessThan(1_000);
    expect(matches(pattern, 'aaa')).toBe(true);
    expect(matches(readPattern(stored('/^(a+)+$/'))!, 'a'.repeat(40))).toBe(true);
  });
});
