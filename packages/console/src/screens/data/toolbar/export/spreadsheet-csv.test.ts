import { expect, it } from 'vitest';
import { forSpreadsheet } from './spreadsheet-csv.ts';

it.each([
  ['id,name\n1,=1+1\n', "id,name\n1,'=1+1\n"],
  ['"=HYPERLINK(""http://x"",""y"")",b', `"'=HYPERLINK(""http://x"",""y"")",b`],
  ['@SUM(A1),+cmd,-cmd\r\n', "'@SUM(A1),'+cmd,'-cmd\r\n"],
  ['-5,+1.5,-.5e3,-1-1', "-5,+1.5,-.5e3,'-1-1"],
  ['"\t=1","\r=1"', `"'\t=1","'\r=1"`],
  ['plain,"with, comma","two\n=lines"', 'plain,"with, comma","two\n=lines"'],
  ['a=1,,""\n,\n', 'a=1,,""\n,\n'],
])('%j', (csv, safe) => expect(forSpreadsheet(csv)).toBe(safe));

it('takes a megabyte in no time', () => {
  const started = performance.now();
  forSpreadsheet('1,"=x ""y""",-3\n'.repeat(70_000));
  forSpreadsheet('"'.repeat(1_000_000));
  expect(performance.now() - started).toBeLessThan(3000);
});
