import { describe, expect, it } from 'vitest';
import { aTable } from './table.fixture.ts';
import { makeTable } from './table.ts';

describe('columns by name', () => {
  const table = aTable({ id: 'id', Name: 'string', ä: 'string', Ä: 'string' });
  it('matches as written first, then in any case', () => {
    expect(table.column('Ä')?.name).toBe('Ä');
    expect(table.column('ä')?.name).toBe('ä');
    expect(table.column('NAME')?.name).toBe('Name');
    expect(table.column('constructor')).toBeUndefined();
  });
  it('finds the key by real names', () => {
    const aliased = makeTable({
      ...table,
      columns: table.columns.map((column) => ({ ...column, name: `${column.name}_alias` })),
    });
    expect(aliased.key.map((column) => column.name)).toEqual(['id_alias']);
  });
});
