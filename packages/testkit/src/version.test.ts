import { readFileSync } from 'node:fs';
import { sluiceVersion } from '@sluice/server/settings/version';
import { expect, it } from 'vitest';

it('the version the server tells is the one of every package.json', () => {
  const versions = [
    '',
    'packages/contract/',
    'packages/sql/',
    'packages/server/',
    'packages/console/',
    'packages/testkit/',
  ].map(
    (folder) => JSON.parse(readFileSync(new URL(`../../../${folder}package.json`, import.meta.url), 'utf8')).version,
  );
  expect(new Set(versions)).toEqual(new Set([sluiceVersion]));
});
