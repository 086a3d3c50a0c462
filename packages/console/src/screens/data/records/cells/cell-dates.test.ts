import { expect, it } from 'vitest';
import { fromPickerValue, pickerKind, toPickerValue } from './cell-dates.ts';

it.each([
  ['date', '2024-02-29', 'date'],
  ['date', null, 'date'],
  ['datetime', '2024-02-29 13:05:00', 'datetime-local'],
  ['timestamp', '2024-02-29T13:05', 'datetime-local'],
  ['time', '13:05:09', 'time'],
  // What the input would cut off is edited as a text.
  ['datetime', '2024-02-29 13:05:00.123', null],
  ['timestamp', '2024-02-29 13:05:00+02', null],
  ['datetimetz', '2024-02-29 13:05:00', null],
  ['date', '29.2.2024', null],
  ['string', '2024-02-29', null],
] as const)('%s %j is edited by %j', (type, draft, kind) => expect(pickerKind(type, draft)).toBe(kind));

it.each([
  ['2024-02-29 13:05:00', '2024-02-29T14:00', '2024-02-29 14:00:00'],
  ['2024-02-29T13:05:00', '2024-02-29T14:00:07', '2024-02-29T14:00:07'],
  [null, '2024-02-29T14:00', '2024-02-29 14:00:00'],
  ['2024-02-29 13:05:00', '', null],
])('a date and time %j chosen as %j is %j', (before, value, after) => {
  expect(fromPickerValue('datetime-local', value, before)).toBe(after);
});

it('survives a round trip unchanged', () => {
  expect(fromPickerValue('datetime-local', toPickerValue('2024-02-29 13:05:00'), '2024-02-29 13:05:00')).toBe(
    '2024-02-29 13:05:00',
  );
  expect(fromPickerValue('date', toPickerValue('2024-02-29'), null)).toBe('2024-02-29');
  expect(toPickerValue(null)).toBe('');
});
