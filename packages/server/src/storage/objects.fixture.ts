// Listings of several pages without thousands of objects, for servers that take their time with each.
import { afterAll, beforeAll } from 'vitest';
import { objectLimits } from './objects.ts';

/** Has every test of the file get pages of 40 objects; answers how many files the longest listing then needs. */
export function shortPages(): { manyFiles: number } {
  const { page } = objectLimits;
  beforeAll(() => {
    objectLimits.page = 40;
  });
  afterAll(() => {
    objectLimits.page = page;
  });
  return { manyFiles: 100 };
}
