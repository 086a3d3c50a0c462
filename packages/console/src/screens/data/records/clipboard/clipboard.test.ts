import { describe, expect, it } from 'vitest';
import { fromClipboard, parseDelimited, toTsv } from './clipboard.ts';

const awkward = [
  ['a', 'with\ttab', 'with "quotes"'],
  ['two\nlines', 'two\r\nlines', ''],
  ['"', '""', '"a'],
];

describe('cells as text', () => {
  it('are separated by tabs, and quoted where they must be', () => {
    expect(
      toTsv([
        ['a', 'b'],
        ['1', ''],
      ]),
    ).toBe('a\tb\n1\t');
    expect(toTsv([['say "hi"', 'two\nlines']])).toBe('"say ""hi"""\t"two\nlines"');
  });

  it('survive a round trip, whatever they contain', () => {
    expect(fromClipboard(toTsv(awkward))).toEqual(awkward);
  });
});

describe('a text from a spreadsheet', () => {
  it.each([
    [
      'a\tb\r\n1\t2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a\tb\n1\t\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['"two\nlines"\tx', [['two\nlines', 'x']]],
    ['only', [['only']]],
    ['', [['']]],
    ['a\n\nb', [['a'], [''], ['b']]],
    // A quote that is never closed, or in the middle of a word, is a letter.
    ['"open\tb', [['"open', 'b']]],
    ['"5 ""\tb', [['"5 ""', 'b']]],
    ['say "hi"\tb', [['say "hi"', 'b']]],
    ['"a"b\tc', [['"a"b', 'c']]],
  ])('%j', (text, cells) => expect(fromClipboard(text)).toEqual(cells));

  it('may be CSV: several lines with the same number of commas', () => {
    expect(fromClipboard('a,b\n1,"x, ""y"""\n')).toEqual([
      ['a', 'b'],
      ['1', 'x, "y"'],
    ]);
    expect(fromClipboard('"a\nb",c\n1,2')).toEqual([
      ['a\nb', 'c'],
      ['1', '2'],
    ]);
  });

  it('of one line, or of lines that differ, keeps its commas', () => {
    expect(fromClipboard('Hello, world')).toEqual([['Hello, world']]);
    expect(fromClipboard('Dear Ann,\nas, I, said\nBye')).toEqual([['Dear Ann,'], ['as, I, said'], ['Bye']]);
  });

  it('of a megabyte of unclosed quotes is read in no time', () => {
    expect(parseDelimited('"a\n'.repeat(330_000), '\t').length).toBeGreaterThan(0);
  });
});
