import { expect, it } from 'vitest';
import { labelOf, naturalOrder, pluralOf } from './names.ts';

it.each([
  ['contact_info', 'Contact Info'],
  ['id', 'Id'],
  ['firstName', 'FirstName'],
  ['Order Items', 'Order Items'],
  ['élan', 'Élan'],
])('label of %s', (name, label) => expect(labelOf(name)).toBe(label));

it.each([
  ['Todo', 'Todos'],
  ['To do', 'To dos'],
  ['Group', 'Groups'],
  ['Types2', 'Types2s'],
  ['Types', 'Types'],
  ['Writers', 'Writers'],
  ['Contact Info', 'Contact Infos'],
  ['City', 'Cities'],
])('plural of %s (contract/database-schema.md §2)', (label, plural) => expect(pluralOf(label)).toBe(plural));

it('orders naturally without regard to case', () => {
  const names = ['t10', 'T2', 't1', 'Zebra', 'apple', 't02', '_x', 't2b'];
  expect(names.toSorted(naturalOrder)).toEqual(['_x', 'apple', 't1', 'T2', 't02', 't2b', 't10', 'Zebra']);
});
