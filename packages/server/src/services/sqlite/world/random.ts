// Random numbers that are the same on every machine, and so is the sample data.

export interface Random {
  /** A fraction from 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Like `pick`, the first ones far more often than the last. */
  favour<T>(from: readonly T[]): T;
}

/** The generator "mulberry32"; the same seed gives the same sequence. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const whole = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1));
  return {
    fraction,
    whole,
    chance: (probability) => fraction() < probability,
    pick: (from) => from[Math.floor(fraction() * from.length)]!,
    favour: (from) => from[Math.floor(fraction() * fraction() * from.length)]!,
  };
}
