import { expect, it } from 'vitest';
import { changedPaths } from './changed-paths.ts';

it('finds the paths whose values differ, also deep in what was replaced as a whole', () => {
  const before = { name: 'db', config: { host: 'a', port: 1, options: { ssl: true } }, rows: [{ name: 'x' }] };
  const after = {
    name: 'db',
    config: { host: 'b', port: 1, options: { ssl: true }, user: 'me' },
    rows: [{ name: 'y' }],
  };
  const paths = ['name', 'config.host', 'config.port', 'config.options', 'config.user', 'rows.0.name', 'rows.1.name'];
  expect(changedPaths(paths, before, after)).toEqual(['config.host', 'config.user', 'rows.0.name']);
  expect(changedPaths(paths, before, before)).toEqual([]);
});

it('leaves what the form does not know, whatever a server calls it', () => {
  expect(changedPaths(['unknown', 'constructor.name', '__proto__', ''], { a: 1 }, { a: 2 })).toEqual([]);
});
