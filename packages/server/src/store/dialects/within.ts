/** Thrown by `within`. */
export class TooLate extends Error {}

/**
 * What `promise` gives, or TooLate after so many milliseconds; 0 waits for ever. `late` gets what came after all. A
 * server that vanished without a word ends no call by itself for a quarter of an hour.
 */
export function within<T>(milliseconds: number, promise: Promise<T>, late: (value: T) => void = () => {}): Promise<T> {
  if (milliseconds === 0) return promise;
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new TooLate(`no answer within ${milliseconds} ms`));
    }, milliseconds);
    promise.then(
      (value) => {
        clearTimeout(timer);
        if (isLate) late(value);
        else resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
