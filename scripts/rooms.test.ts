import { describe, expect, it } from 'vitest';
import { findCircles, findClimbs, findSiblings, findWordImports } from './rooms.mjs';

describe('circles', () => {
  it.each<[string, [string, string][], number]>([
    [
      'none where imports go one way',
      [
        ['a/x.ts', 'b/y.ts'],
        ['a/x.ts', 'a/z.ts'],
        ['b/y.ts', 'c.ts'],
      ],
      0,
    ],
    [
      'between two files',
      [
        ['a/x.ts', 'a/y.ts'],
        ['a/y.ts', 'a/x.ts'],
      ],
      1,
    ],
    [
      'between rooms, by other files of them',
      [
        ['a/x.ts', 'b/y.ts'],
        ['b/z.ts', 'a/w.ts'],
      ],
      1,
    ],
    [
      'between rooms inside a room',
      [
        ['a/b/x.ts', 'a/c/y.ts'],
        ['a/c/z.ts', 'a/b/w.ts'],
      ],
      1,
    ],
    [
      'between a room and a file beside it',
      [
        ['a/b/x.ts', 'a/index.ts'],
        ['a/index.ts', 'a/b/y.ts'],
      ],
      1,
    ],
    [
      'over three rooms',
      [
        ['a/x.ts', 'b/x.ts'],
        ['b/x.ts', 'c/x.ts'],
        ['c/x.ts', 'a/x.ts'],
      ],
      1,
    ],
    [
      'in two folders',
      [
        ['a/x.ts', 'a/y.ts'],
        ['a/y.ts', 'a/x.ts'],
        ['b/x.ts', 'b/y.ts'],
        ['b/y.ts', 'b/x.ts'],
      ],
      2,
    ],
  ])('%s', (_, imports, count) => {
    expect(findCircles(imports)).toHaveLength(count);
  });

  it('are printed with the imports that make them', () => {
    const [circle] = findCircles([
      ['a/x.ts', 'b/y.ts'],
      ['b/z.ts', 'a/w.ts'],
      ['b/z.ts', 'c/v.ts'],
    ]);
    expect(circle?.split('\n').map((line) => line.trim())).toEqual([
      expect.stringMatching(/^src: (a, b|b, a) import each other$/),
      expect.any(String),
      expect.any(String),
    ]);
    expect(circle).toContain('a/x.ts → b/y.ts');
    expect(circle).toContain('b/z.ts → a/w.ts');
  });
});

describe('the order of rooms', () => {
  it('lets a room import from those before it', () => {
    expect(
      findClimbs(
        [
          ['b/x.ts', 'a/y.ts'],
          ['main.ts', 'b/x.ts'],
        ],
        ['a', 'b', 'main.ts'],
      ),
    ).toEqual([]);
  });

  it('finds an import upwards, and a room nobody listed', () => {
    const faults = findClimbs(
      [
        ['a/y.ts', 'b/x.ts'],
        ['c/z.ts', 'a/y.ts'],
      ],
      ['a', 'b'],
    );
    expect(faults).toEqual([
      expect.stringContaining('c is not in the order'),
      expect.stringContaining('a/y.ts imports b/x.ts'),
    ]);
  });
});

describe('entries of a registry', () => {
  it('import what they share, and nothing of each other', () => {
    const faults = findSiblings([
      ['screens/roles/list.tsx', 'screens/apps/list.tsx'],
      ['screens/roles/rows/list.tsx', 'screens/roles/row.tsx'],
      ['screens/index.ts', 'screens/apps/index.tsx'],
      ['services/pgsql/index.ts', 'services/engines/pgsql-type.ts'],
      ['services/pgsql/index.ts', 'services/mysql/index.ts'],
    ]);
    expect(faults).toEqual([
      expect.stringContaining('screens/roles/list.tsx imports screens/apps/list.tsx'),
      expect.stringContaining('services/pgsql/index.ts imports services/mysql/index.ts'),
    ]);
  });
});

it('words of service types import other words only', () => {
  const faults = findWordImports([
    ['services/pgsql/words.de.ts', 'services/engines/words.de.ts'],
    ['services/pgsql/words.de.ts', 'services/pgsql/index.ts'],
    ['services/pgsql/index.ts', 'services/engines/fields.ts'],
  ]);
  expect(faults).toEqual([expect.stringContaining('services/pgsql/words.de.ts imports services/pgsql/index.ts')]);
});
