/**
 * How many rounds a test with made-up inputs goes: `short` in the normal run, `long` where `SLUICE_SOAK` is set.
 */
export function soakRounds(short: number, long: number): number {
  return process.env.SLUICE_SOAK ? long : short;
}
