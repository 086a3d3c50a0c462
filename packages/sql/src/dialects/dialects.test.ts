import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dialects } from './index.ts';

it('lists every folder', () => {
  const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
    .filter((it) => it.isDirectory())
    .map((it) => it.name)
    // What engines reached over a network share.
    .filter((it) => it !== 'network');
  expect(dialects.map((it) => it.name).toSorted()).toEqual(folders.toSorted());
});
