/** The outcome of `work`, or a failure after so many milliseconds; the work goes on. */
export async function withinTime<T>(
  milliseconds: number,
  work: Promise<T>,
  late: () => Error = () => new Error('it takes too long'),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
