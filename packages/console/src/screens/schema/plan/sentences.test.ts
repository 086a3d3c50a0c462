import { afterEach, expect, it } from 'vitest';
import { chooseLanguage, loadAllText } from '../../../text/index.ts';
import { aUsage } from './plan.fixture.ts';
import { misfitText, usageText } from './sentences.ts';

afterEach(async () => {
  await chooseLanguage('en');
});

it('places and misfits are worded by their ids, in the reader’s language; unknown ones in the server’s words', async () => {
  await loadAllText();
  const place = aUsage({
    detail: "Row '_table/a' is for the field. After a drop it is for nothing.",
    sentence: { id: 'rowOfField', values: { component: '_table/a' } },
  });
  const misfit = { field: 'rank', records: 2, problem: 'tooLong', text: "'rank' would be too small for 2 records" };
  expect([usageText(place), misfitText(misfit)]).toEqual([place.detail, misfit.text]);
  await chooseLanguage('de');
  expect(usageText(place)).toBe('Zeile „_table/a“ gilt für das Feld. Nach dem Löschen gilt sie für nichts.');
  expect(misfitText(misfit)).toBe('„rank“ wäre zu klein für 2 Datensätze');
  expect(usageText(aUsage({ detail: 'Elsewhere.', sentence: { id: 'toString' as never, values: {} } }))).toBe(
    'Elsewhere.',
  );
  expect(misfitText({ ...misfit, problem: 'other' })).toBe(misfit.text);
});
