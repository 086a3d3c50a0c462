/**
 * What is mostly at hand: then it is the value itself and nobody waits for it, else a promise of it. Waiting for each
 * of the steps of a short call costs more than the steps.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value at once if it is at hand. */
export const chain = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  value instanceof Promise ? value.then(next) : next(value);
