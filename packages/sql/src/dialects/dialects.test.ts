import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dialects } from './index.ts';

it('lists every folder', () => {
  const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
    .filter((folder) => folder.isDirectory())
    .map((folder) => folder.name)
    // What engines reached over a network share.
    .filter((name) => name !== 'network');
  expect(dialects.map((dialect) => dialect.name).toSorted()).toEqual(folders.toSorted());
});
