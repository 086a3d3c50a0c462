import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeCell, unescapeCell } from './spreadsheet-cell.ts';

describe('a cell for a spreadsheet (docs/design.md, difference 12)', () => {
  it.each([
    ...['=1+1', '==', '=HYPERLINK("http://x","y")', "=cmd|' /C calc'!A0", '@SUM(A1)', '\t=1', '\r=1', '\t', '\r', '='],
    ...[
      '+cmd',
      '-cmd',
      '+',
      '-',
      '-1-1',
      '+1+1',
      '+1*A1',
      '-5%',
      '- 5',
      '-infinity',
      '+1e',
      '+49 89 =A1',
      '+.',
      '+(1)',
    ],
    ...['+1-800-555-HELP', '+1 800 555 0100 x', '+123 4567890 1234567890', `+${'1 '.repeat(16)}1`, '+1234567890\n=1'],
    ...["'", "''", "'=1", "'tis", "'1"],
  ])('is prefixed: %j', (text) => {
    expect(escapeCell(text)).toBe(`'${text}`);
    expect(unescapeCell(`'${text}`)).toBe(text);
  });

  it.each([
    ...['', 'plain', '1', 'a=1', ' =1', '5-3', 'ä@b', '\n', '\0=', '{"a":1}', '💥'],
    ...['-5', '+5', '-0.5', '-.5', '+1.', '-1e-7', '+1E+21', `-${'9'.repeat(300)}`],
    ...[
      '+49 (0)89 123-45',
      '+1-800-555-0100',
      '+1 (800) 555-0100',
      '+1.800.555.0100',
      '+(49) 89/1234',
      '+4915112345678',
    ],
  ])('is left as it is: %j', (text) => {
    expect(escapeCell(text)).toBe(text);
    expect(unescapeCell(text)).toBe(text);
  });

  it.each(["'tis", "'", "'1", "'-5"])('which this did not write keeps its apostrophe: %j', (text) => {
    expect(unescapeCell(text)).toBe(text);
  });

  it('begins with nothing that is run, and gives its text again, whatever that is', () => {
    const piece = fc.oneof(
      fc.constantFrom(...["'", '=', '+', '-', '@', '\t', '\r', '\n', '0', '9', '.', 'e', ' ', '(', ')', '/', 'A']),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    const texts = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const cell = escapeCell(text);
        if (/^[=@\t\r]/.test(cell)) throw new Error(`is run: ${JSON.stringify(cell)}`);
        // Whatever keeps its sign holds nothing a formula could do harm with.
        if (/^[+-]/.test(cell) && !/^[\d ().e/+-]*$/i.test(cell)) throw new Error(`is run: ${JSON.stringify(cell)}`);
        expect(unescapeCell(cell)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes a long text as any other', () => {
    for (const start of ['+', '-', '+1', `+${'1 '.repeat(8)}`, "'"]) {
      const text = start + '(1'.repeat(500_000);
      expect(unescapeCell(escapeCell(text)) === text).toBe(true);
    }
  });
});
