import { describe, expect, it } from 'vitest';
import { queryOf } from '../call/address.ts';
import { formatFor, negotiate } from '../call/formats/index.ts';
import { printBody } from './print.ts';

const records = Array.from({ length: 3000 }, (_, id) => ({ id, name: `<"Ö"> & ,${'x'.repeat(100)}`, none: null }));
const call = { query: queryOf(new Map([['spreadsheet', 'true']])) };
const json = negotiate('application/json')!;
const formats = [json, negotiate('text/csv')!, negotiate('application/xml')!, formatFor(call, negotiate('text/csv')!)];

describe('a long list that is whole', () => {
  it.each([{ resource: records }, { resource: records, meta: { count: 3000, next: null } }])(
    'has the text it has when it is printed at once',
    async (value) => {
      for (const format of formats) {
        const atOnce = format.print ? format.print(value) : JSON.stringify(value);
        for (const body of [{ value }, { json: JSON.stringify(value) }])
          expect((await printBody(body, format)) === atOnce).toBe(true);
      }
    },
  );

  it('is printed at once where it is no list of records', () => {
    for (const value of [null, 'text', { resource: [1, 2] }, { resource: records, more: 1 }, records])
      for (const format of formats)
        expect(printBody({ value }, format)).toBe(format.print ? format.print(value) : JSON.stringify(value));
  });

  it('abuse: leaves the thread to others while it is printed', async () => {
    let turns = 0;
    let isOver = false;
    const takeTurns = () => {
      turns++;
      if (!isOver) setImmediate(takeTurns);
    };
    setImmediate(takeTurns);
    await printBody({ json: JSON.stringify({ resource: [...records, ...records] }) }, formats[1]!);
    isOver = true;
    expect(turns).toBeGreaterThan(3);
  });
});
