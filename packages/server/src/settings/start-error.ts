/** Why the program cannot start, in one line a person can act on; main prints it and exits with 1. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StartError';
  }
}
