/** Thrown by `withTimeout`. */
export class TimeoutError extends Error {}

/**
 * The value of `promise`, or a TimeoutError after so many milliseconds; 0 waits for ever. `onLate` gets a value that came
 * after that. Without a limit, a call to a server that vanished would end after a quarter of an hour only.
 */
export function withTimeout<T>(
  milliseconds: number,
  promise: Promise<T>,
  onLate: (value: T) => void = () => {},
): Promise<T> {
  if (milliseconds === 0) return promise;
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new TimeoutError(`no answer within ${milliseconds} ms`));
    }, milliseconds);
    promise.then(
      (value) => {
        clearTimeout(timer);
        if (isLate) onLate(value);
        else resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
