import { makeTable } from '@sluice/sql';
import { aTable } from '@sluice/sql/schema/table.fixture';
import { expect, it } from 'vitest';
import { hasFields } from './related-input.ts';

const description = aTable({ id: 'id' }, 'hub');
const related = Array.from({ length: 500 }, (_, n) => ({ alias: null, name: `spoke_by_${n}` }));
const table = makeTable({ ...description, description: { ...description.description, related: related as never } });

it('a record has more than its key where it has a field or a relation of the table', () => {
  expect(hasFields(table, { id: 1, other: 2 })).toBe(false);
  expect(hasFields(table, { id: 1, Spoke_By_499: [] })).toBe(true);
});

it('abuse: names that the table does not have are not compared with each of its relations', () => {
  const record = Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`unknown${n}`, 1]));
  expect(hasFields(table, record)).toBe(false);
});
