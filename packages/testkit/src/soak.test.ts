import { afterEach, expect, it, vi } from 'vitest';
import { seedOf, soakCases, soakRounds } from './soak.ts';

afterEach(() => void vi.unstubAllEnvs());

it('goes the short form, and the long one in a soak', () => {
  vi.stubEnv('SLUICE_SOAK', '');
  expect(soakRounds(1, 2)).toBe(1);
  vi.stubEnv('SLUICE_SOAK', '1');
  expect(soakRounds(1, 2)).toBe(2);
});

it('goes through few cases, and all of them in a soak', () => {
  vi.stubEnv('SLUICE_SOAK', '');
  expect(soakCases(['a'], ['b', 'c'])).toEqual(['a']);
  vi.stubEnv('SLUICE_SOAK', '1');
  expect(soakCases(['a'], ['b', 'c'])).toEqual(['a', 'b', 'c']);
});

it('draws the same inputs in every run, new ones in a soak, and those of a seed that is named', () => {
  vi.stubEnv('SLUICE_SOAK', '');
  expect(seedOf()).toBe(seedOf(''));
  expect(seedOf('7')).toBe(7);
  vi.stubEnv('SLUICE_SOAK', '1');
  expect(seedOf()).not.toBe(seedOf());
  expect(seedOf('7')).toBe(7);
});
