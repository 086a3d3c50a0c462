import { fail } from '@sluice/contract';
import { countRounds } from '@sluice/testkit/rounds';
import { describe, expect, it } from 'vitest';
import { queryOf } from '../call/address.ts';
import { formatFor, negotiate, type ReplyFormat } from '../call/formats/index.ts';
import { printBody, type WholeBody } from './print.ts';

const records = Array.from({ length: 3000 }, (_, id) => ({ id, name: `<"Ö"> & ,${'x'.repeat(100)}`, none: null }));
const call = { query: queryOf(new Map([['spreadsheet', 'true']])) };
const json = negotiate('application/json')!;
const formats = [json, negotiate('text/csv')!, negotiate('application/xml')!, formatFor(call, negotiate('text/csv')!)];

const textOf = async (body: WholeBody, format: ReplyFormat) => {
  const printed = await printBody(body, format);
  return typeof printed === 'string' ? printed : Buffer.concat(printed).toString();
};

/** Texts that grow where they are written, and halves of characters that could be torn apart. */
const long = `\ud800${'🦆<"&\n,'.repeat(40_000)}\u0001`;
const values: [string, unknown][] = [
  ['a list of records', { resource: records }],
  ['a list with more', { resource: records, meta: { count: 3000, next: null } }],
  ['a bare list', records],
  ['a list of texts', { resource: Array.from({ length: 9000 }, (_, at) => `text ${at}`) }],
  ['a text', long],
  ['a record of long texts', { id: 1, long, none: undefined, empty: [], nothing: {}, last: long }],
  ['records within a record', { id: 1, rows: records, others: [[records], []], at: new Date(0), call: () => 1 }],
  [
    'a list of such',
    {
      resource: [
        { id: 1, '': null, rows: records, name: '=1' },
        { id: 2, name: long },
      ],
    },
  ],
];

describe('a long value that is whole', () => {
  it.each(values)('has the text it has when it is printed at once: %s', async (_, value) => {
    const json = JSON.stringify(value);
    for (const format of formats) {
      const print = format.print ?? JSON.stringify;
      expect((await textOf({ value }, format)) === Buffer.from(print(value)).toString()).toBe(true);
      expect((await textOf({ json }, format)) === Buffer.from(print(JSON.parse(json))).toString()).toBe(true);
    }
  });

  it('is printed at once where it is short', () => {
    for (const value of [null, 'text', { resource: [1, 2] }, { resource: [], more: 1 }, []])
      for (const format of formats)
        expect(printBody({ value }, format)).toBe(format.print ? format.print(value) : JSON.stringify(value));
  });

  it('has the text of its items, in the formats that have no printer of their own', async () => {
    const items = records.slice(0, 1500).map(({ id, name }) => ({ id, name, list: [id, [{ id }]], none: null }));
    const one = async (format: ReplyFormat, item: object) => textOf({ value: { resource: [item] } }, format);
    const [xml, csv] = [negotiate('application/xml')!, negotiate('text/csv')!];
    const [opening, closing] = ['<?xml version="1.0" ?>\n<dfapi>', '</dfapi>\n'];
    const elements = await Promise.all(items.map((item) => one(xml, item)));
    const inner = elements.map((text) => text.slice(opening.length, -closing.length)).join('');
    expect(await textOf({ value: { resource: items } }, xml)).toBe(`${opening}${inner}${closing}`);
    const lines = await Promise.all(items.map(async (item) => (await one(csv, item)).split('\n')[1]));
    expect(await textOf({ value: { resource: items } }, csv)).toBe(`id,name,list,none\n${lines.join('\n')}\n`);
  });

  it.each(values.slice(0, 4))('abuse: is printed in pieces of which none is long: %s', (_, value) => {
    for (const format of formats) {
      let longest = 0;
      for (const piece of format.pieces(value)) longest = Math.max(longest, piece.length);
      // What is short may grow as it is printed.
      expect(longest).toBeLessThan(5 * 64 * 1024);
    }
  });

  it('abuse: has other calls in between', async () => {
    const resource = Array.from({ length: 30 }, () => records).flat();
    for (const format of formats) {
      const rounds = countRounds();
      await printBody({ value: { resource } }, format);
      rounds.stop();
      expect(rounds.current).toBeGreaterThan(1);
    }
  });

  it('abuse: counts as it is printed, and is printed no further where it is refused', async () => {
    let taken = 0;
    const take = (bytes: number) => {
      taken += bytes;
      if (taken > 200_000) throw fail('http.noMemory');
    };
    const memory = { bytes: 0, take, add() {}, release() {}, end() {} };
    const printed = printBody({ value: { resource: records } }, json, () => memory);
    await expect(printed).rejects.toMatchObject({ key: 'http.noMemory' });
    expect(taken).toBeLessThan(400_000);
  });
});
