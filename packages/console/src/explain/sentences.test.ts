import { type Explanation, tellInEnglish } from '@sluice/contract';
import { afterEach, expect, it } from 'vitest';
import { chooseLanguage, loadAllText } from '../text/index.ts';
import { reasonTexts, recordText } from './sentences.ts';

const told: Explanation['told'] = [
  { id: 'user', values: { name: 'Max', email: 'max@example.com' } },
  {
    id: 'exact',
    rows: {
      listed: [{ number: 7, service: 'shop', component: '_table/a', verb_mask: 1, requestor_mask: 1 }],
      more: 2,
    },
  },
  { id: 'allowed', values: { verb: 'GET' }, target: { service: 'shop', component: '' } },
];
const explanation = { told, reasons: told!.map(tellInEnglish) } as Explanation;

afterEach(async () => {
  await chooseLanguage('en');
});

it('reasons are worded by their ids, in the reader’s language', async () => {
  await loadAllText();
  expect(reasonTexts(explanation)).toEqual([
    'The caller is "Max" (max@example.com), a user.',
    "Rows for exactly this component decide: row 7 ('_table/a' of 'shop': GET) and 2 more.",
    "GET on the service 'shop' is allowed.",
  ]);
  await chooseLanguage('de');
  expect(reasonTexts(explanation)).toEqual([
    'Es ruft „Max“ (max@example.com), Benutzer.',
    "Zeilen für genau diese Komponente entscheiden: Zeile 7 („_table/a“ von 'shop': GET) und 2 weitere.",
    'GET auf den Dienst „shop“ ist erlaubt.',
  ]);
  expect(recordText({ passes: true, text: 'It passes.', id: 'recordPasses' })).toBe(
    'Der Datensatz kommt durch den Datensatzfilter.',
  );
});

it('what has no id, or one of a newer server, keeps the words of the server', async () => {
  await loadAllText();
  await chooseLanguage('de');
  const { reasons } = explanation;
  expect(reasonTexts({ ...explanation, told: [] })).toEqual(reasons);
  expect(reasonTexts({ ...explanation, told: [{ id: 'constructor' as never }] })).toEqual(reasons);
  expect(recordText({ passes: true, text: 'It passes.' })).toBe('It passes.');
});
