import { randomInt } from 'node:crypto';

/**
 * How many rounds a test with made-up inputs goes: `short` in the normal run, `long` where `SLUICE_SOAK` is set.
 */
export function soakRounds(short: number, long: number): number {
  return process.env.SLUICE_SOAK ? long : short;
}

/** The cases a test goes through: `few` in the normal run, `more` as well where `SLUICE_SOAK` is set. */
export function soakCases<Case>(few: readonly Case[], more: readonly Case[]): Case[] {
  return process.env.SLUICE_SOAK ? [...few, ...more] : [...few];
}

/**
 * What made-up inputs are drawn from. The normal run makes the same ones each time, so that a failure is one of the
 * change at hand; a soak makes new ones. A `named` seed, a whole number, tries those of a failure again.
 */
export const seedOf = (named?: string): number => Number(named || soakRounds(20_261_122, randomInt(2 ** 31)));

/** The seed of this run; `SLUICE_TEST_SEED` names one. */
export const testSeed = seedOf(process.env.SLUICE_TEST_SEED);
