/** Counts rounds of the event loop from now on, until `stop`. */
export function countRounds(): { current: number; stop(): void } {
  const rounds = { current: 0, stop: () => clearImmediate(next) };
  const count = () => {
    rounds.current += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  return rounds;
}
