import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Delimiter, delimiters, guessDelimiter, parseDelimited } from './delimited.ts';
import { JsonShapeError } from './json-records.ts';
import { NoDataError, readSheet, type Sheet } from './read-data.ts';
import { runAtOnce, runInSlices } from './slices.ts';

const rowsOf = (text: string, delimiter: Delimiter = ',') => runAtOnce(parseDelimited(text, delimiter));
const read = (text: string, format?: Sheet['format']) => runAtOnce(readSheet(text, format));

const quote = (cell: string, delimiter: Delimiter): string =>
  cell.includes('"') || cell.includes('\n') || cell.includes('\r') || cell.includes(delimiter)
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;

describe('delimited text', () => {
  it.each<[string, string[][]]>([
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a\n\n\nb\n', [['a'], ['b']]],
    [',\n', [['', '']]],
    [
      '"a,b","c ""d"""\n"e\nf",',
      [
        ['a,b', 'c "d"'],
        ['e\nf', ''],
      ],
    ],
    ['a"b,5" pipe', [['a"b', '5" pipe']]],
    [
      '"never closed,1\nb,2',
      [
        ['"never closed', '1'],
        ['b', '2'],
      ],
    ],
    ['"a"b,c', [['"a"b', 'c']]],
    ['', []],
  ])('%j', (text, rows) => {
    expect(rowsOf(text)).toEqual(rows);
  });

  it('reads back what was written, whatever is in it', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '|', '\n', '\r', ' ', '0') });
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }),
        fc.constantFrom(...delimiters),
        fc.constantFrom('\n', '\r\n'),
        (rows, delimiter, lineEnd) => {
          const text = rows.map((row) => row.map((field) => quote(field, delimiter)).join(delimiter)).join(lineEnd);
          expect(rowsOf(text, delimiter)).toEqual(rows);
        },
      ),
    );
  });

  it.each<[string, Delimiter]>([
    ['a,b,c\n1,2,3', ','],
    ['a;b\n1,5;2,5\n3,5;4,5', ';'],
    ['a\tb\n1\t2', '\t'],
    ['a|b|c\n1|2|3', '|'],
    ['name;note\nAda;"one, two, three"\nBob;none', ';'],
    ['only\none', ','],
    ['title,when\n"a; b; c",1\nd,2', ','],
  ])('the delimiter of %j is %j', (text, delimiter) => {
    expect(guessDelimiter(text)).toBe(delimiter);
  });

  it('takes a byte order mark away, fills short rows and counts them', () => {
    const sheet = read('\uFEFFa,b,c\n1,2\n1,2,3\n1,2,3,4');
    expect(sheet.rows).toEqual([
      ['a', 'b', 'c', null],
      ['1', '2', null, null],
      ['1', '2', '3', null],
      ['1', '2', '3', '4'],
    ]);
    expect(sheet).toMatchObject({ format: ',', names: null, columnCount: 4, unevenRows: 2 });
  });

  it('finds nothing in an empty text', () => {
    expect(() => read(' \n ')).toThrow(NoDataError);
    expect(() => read('[]')).toThrow(NoDataError);
    expect(() => read('[{}]')).toThrow(NoDataError);
  });
});

describe('JSON', () => {
  it('reads a list of objects, whichever keys each has', () => {
    const sheet = read('[{"a":1,"b":"x"},{"b":null,"c":true},{"d":{"e":[1]}}]');
    expect(sheet.names).toEqual(['a', 'b', 'c', 'd']);
    expect(sheet.rows).toEqual([
      ['1', 'x', null, null],
      [null, null, 'true', null],
      [null, null, null, '{"e":[1]}'],
    ]);
    expect(sheet.kinds!.map((kinds) => [...kinds])).toEqual([['number'], ['text'], ['boolean'], ['object']]);
  });

  it('reads what a list call answers, one object, and an object on each line', () => {
    expect(read('{"resource":[{"a":1},{"a":2}]}').rows).toEqual([['1'], ['2']]);
    expect(read('{"a":1}').rows).toEqual([['1']]);
    expect(read('{"a":1}\n\n{"a":2}\r\n{"a":3}\n').rows).toEqual([['1'], ['2'], ['3']]);
  });

  it('keeps every digit of a long number, and a text that looks like one', () => {
    const [row] = read(
      '[{"a":12345678901234567890,"b":"12345678901234567890","c":[9007199254740993],"d":0.1234567890123456789}]',
    ).rows;
    expect(row).toEqual([
      '12345678901234567890',
      '12345678901234567890',
      '[9007199254740993]',
      '0.1234567890123456789',
    ]);
    const { kinds } = read('[{"a":12345678901234567890,"b":"12345678901234567890"}]');
    expect(kinds!.map((kind) => [...kind])).toEqual([['number'], ['text']]);
  });

  it('keeps values of any JSON as they are', () => {
    const records = fc.array(fc.record({ a: fc.jsonValue(), b: fc.jsonValue() }), { minLength: 1 });
    fc.assert(
      fc.property(records, (list) => {
        const { rows } = read(JSON.stringify(list), 'json');
        const values = rows.map(([a]) => a);
        const expected = list.map(({ a }) => (a === null ? null : typeof a === 'string' ? a : JSON.stringify(a)));
        expect(values).toEqual(expected);
      }),
    );
  });

  it('refuses what is no list of objects, and says where', () => {
    expect(() => read('[{"a":1},2]')).toThrow(expect.objectContaining({ record: 2 }));
    expect(() => read('[1]')).toThrow(JsonShapeError);
    expect(() => read('[{"a":}]')).toThrow(SyntaxError);
  });
});

describe('slices', () => {
  it('come to the same as all at once, and end when they are aborted', async () => {
    const text = Array.from({ length: 5000 }, (_, index) => `${index},x${index}`).join('\n');
    expect(await runInSlices(readSheet(text))).toEqual(read(text));
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(runInSlices(readSheet(text), controller.signal)).rejects.toThrow('enough');
  });
});
