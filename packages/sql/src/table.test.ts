import { describe, expect, it } from 'vitest';
import { aTable } from './table.fixture.ts';
import { labelOf, makeTable, naturalOrder, pluralOf } from './table.ts';

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

describe('columns by name', () => {
  const table = aTable({ id: 'id', Name: 'string', ä: 'string', Ä: 'string' });
  it('matches as written first, then in any case', () => {
    expect(table.column('Ä')?.name).toBe('Ä');
    expect(table.column('ä')?.name).toBe('ä');
    expect(table.column('NAME')?.name).toBe('Name');
    expect(table.column('constructor')).toBeUndefined();
  });
  it('finds the key by real names', () => {
    const aliased = makeTable({ ...table, columns: table.columns.map((it) => ({ ...it, name: `${it.name}_alias` })) });
    expect(aliased.key.map((it) => it.name)).toEqual(['id_alias']);
  });
});
