import { describe, expect, it } from 'vitest';
import { fittingColumns } from './fitting-columns.ts';

const columns = [
  { name: 'id', card: null, opens: false, width: 72 },
  { name: 'name', card: 'title', opens: true, width: 160 },
  { name: 'label', card: 'line', opens: false, width: 200 },
  { name: 'description', card: null, opens: false, width: 180 },
  { name: 'active', card: 'edge', opens: false, width: 104 },
] as const;
const namesIn = (available: number) => fittingColumns(columns, ({ width }) => width, available).map(({ name }) => name);

describe('the columns there is room for', () => {
  it('are all where the width is not known, and where they fit', () => {
    expect(namesIn(0)).toHaveLength(5);
    expect(namesIn(716)).toHaveLength(5);
  });

  it('are without those a card does without, from the right', () => {
    expect(namesIn(715)).toEqual(['id', 'name', 'label', 'active']);
    expect(namesIn(535)).toEqual(['name', 'label', 'active']);
    expect(namesIn(100)).toEqual(['name', 'label', 'active']);
  });
});
