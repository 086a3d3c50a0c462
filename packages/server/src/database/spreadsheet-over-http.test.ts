// CSV for spreadsheets, out of a table and in again, over real connections (docs/design.md, difference 12).
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { soakRounds, testSeed } from '@sluice/testkit/soak';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, fixture, onEachEngine } from './fixture/index.ts';

const formulas = ['=1+1', '@SUM(A1)', '\t=1', '\r=1', '+cmd', "-cmd|' /C calc'!A0", "'=1", "''", "'tis"];
const harmless = ['', 'plain', ' =1', '-5', '+1.5e3', '+49 (0)89 123-45', 'two\nlines', 'a "b", c;=1', 'x\r=1', 'null'];
/** Field names a database can have and a spreadsheet would run. */
const oddName = '=1+1';

/** Texts of what means something to spreadsheets and CSV, and of anything else that a database holds. */
const piece = fc.oneof(
  fc.constantFrom(...["'", '"', '=', '+', '-', '@', '\t', '\r', '\n', ',', ';', '0', '5', '.', '(', ' ', '\ufeff']),
  fc.string({ unit: 'grapheme', maxLength: 3 }).filter((text) => !text.includes('\0')),
);
const oddTexts = fc.array(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  { minLength: 300, maxLength: 300 },
);

await onEachEngine((engine) => {
  let db: Fixture;
  let platform: TestPlatform;
  const csv = { 'content-type': 'text/csv' };
  const text = async (path: string, headers = {}) => (await platform.ask('GET', path, { headers })).text;
  const readRows = async (table: string, fields = '*') =>
    (await platform.ask('GET', `sheet/_table/${table}?fields=${encodeURIComponent(fields)}`)).body.resource;
  const fill = async (table: string, resource: unknown[]) => {
    await platform.ask('DELETE', `sheet/_table/${table}?force=true`);
    expect((await platform.ask('POST', `sheet/_table/${table}`, { body: { resource } })).status).toBe(200);
  };
  const refill = async (table: string, body: string) => {
    expect((await platform.ask('DELETE', `sheet/_table/${table}?force=true`)).status).toBe(200);
    return platform.ask('POST', `sheet/_table/${table}?spreadsheet=true`, { headers: csv, body });
  };

  beforeAll(async () => {
    db = await fixture(engine);
    const quoted = engine === 'mysql' ? `\`${oddName}\`` : `"${oddName}"`;
    const type = engine === 'mysql' ? 'varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin' : 'varchar(200)';
    await db.sql(`CREATE TABLE cell (id integer PRIMARY KEY, ${quoted} ${type});
      CREATE TABLE lone (word ${type} PRIMARY KEY)`);
    platform = await startPlatform();
    await platform.create('service', {
      ...{ name: 'sheet', label: 'Sheet', type: db.type, is_active: true },
      config: { ...db.config, max_records: 5000 },
    });
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  it('abuse: a cell a spreadsheet would run is a text in the export for spreadsheets, names of fields included', async () => {
    await fill(
      'cell',
      [...formulas, ...harmless].map((value, id) => ({ id, [oddName]: value })),
    );
    const wanted = [...formulas.map((value) => `'${value}`), ...harmless];
    for (const [path, headers] of [
      ['file=cell.csv', {}],
      ['fields=*', { accept: 'text/csv' }],
      ['limit=1000&accept=text/csv', {}],
    ] as const) {
      const whole = await text(`sheet/_table/cell?${path}&spreadsheet=true`, headers);
      expect(parse(whole)).toEqual([['id', "'=1+1"], ...wanted.map((value, id) => [String(id), value])]);
      // A line ends nowhere but between records, for readers that take other characters for an end too.
      expect(whole).toContain('"x\r=1"');
      expect(whole).toContain('"a ""b"", c;=1"');
    }
  });

  it('the export for anything else, and in any other format, is what is stored', async () => {
    const values = [...formulas, ...harmless];
    await fill(
      'cell',
      values.map((value, id) => ({ id, [oddName]: value })),
    );
    for (const query of ['file=cell.csv', 'file=cell.csv&spreadsheet=false', 'accept=text/csv&spreadsheet='])
      expect(parse(await text(`sheet/_table/cell?${query}`))).toEqual([
        ['id', oddName],
        ...values.map((value, id) => [String(id), value]),
      ]);
    for (const format of ['json', 'xml'])
      expect(await text(`sheet/_table/cell?file=cell.${format}&spreadsheet=true`)).toBe(
        await text(`sheet/_table/cell?file=cell.${format}`),
      );
  });

  it('an import takes prefixes off only when told to', async () => {
    const body = "id,'=1+1\n1,'=1\n2,'tis\n3,''tis\n";
    expect((await refill('cell', body)).status).toBe(200);
    expect((await readRows('cell')).map((row: Record<string, string>) => row[oddName])).toEqual(['=1', "'tis", "'tis"]);
    await platform.ask('DELETE', 'sheet/_table/cell?force=true');
    const asItIs = await platform.ask('POST', 'sheet/_table/cell', { headers: csv, body: "id,=1+1\n1,'=1\n2,''tis\n" });
    expect(asItIs.status).toBe(200);
    expect((await readRows('cell')).map((row: Record<string, string>) => row[oddName])).toEqual(["'=1", "''tis"]);
  });

  if (engine === 'sqlite')
    // What a database says of a refused record is answered as it is; in SQLite a trigger can say anything.
    it('abuse: an error as CSV has no cell either that is run', async () => {
      await db.sql(`CREATE TABLE strict (id integer PRIMARY KEY, n integer); INSERT INTO strict VALUES (1, 1);
      CREATE TRIGGER refusing BEFORE UPDATE ON strict BEGIN SELECT RAISE(ABORT, '=1+1'); END`);
      const refused = async (more: string) => {
        const path = `sheet/_table/strict/1?accept=text/csv${more}`;
        return parse((await platform.ask('PATCH', path, { body: { n: 2 } })).text)[1];
      };
      expect(await refused('')).toContain('=1+1');
      expect(await refused('&spreadsheet=true')).toContain("'=1+1");
    });

  it('abuse: whatever texts a table holds, its export for spreadsheets makes the same table again', async () => {
    await fc.assert(
      fc.asyncProperty(oddTexts, async (texts) => {
        await fill(
          'cell',
          texts.map((value, id) => ({ id, [oddName]: value })),
        );
        const before = await readRows('cell');
        expect(before.map((row: Record<string, string>) => row[oddName])).toEqual(texts);
        const streamed = await text('sheet/_table/cell?file=cell.csv&spreadsheet=true');
        expect(await text('sheet/_table/cell?limit=500&accept=text/csv&spreadsheet=true')).toBe(streamed);
        for (const [, cell] of parse(streamed)) expect(cell).not.toMatch(/^[=@\t\r]|^[+-].*[^\d ().e/+-]/is);
        expect((await refill('cell', streamed)).status).toBe(200);
        expect(await readRows('cell')).toEqual(before);
        // Alone in its line, an empty text too. MariaDB takes keys for equal that differ in blanks at the end.
        const words = [...new Map(['', ...texts].map((word) => [word.replace(/ +$/, ''), { word }])).values()];
        await fill('lone', words);
        const storedRows = await readRows('lone');
        expect((await refill('lone', await text('sheet/_table/lone?file=lone.csv&spreadsheet=true'))).status).toBe(200);
        expect(await readRows('lone')).toEqual(storedRows);
      }),
      { numRuns: soakRounds(3, 1000), seed: testSeed, endOnFailure: true },
    );
  });
});
