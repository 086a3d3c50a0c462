import { Failure } from '@sluice/contract';

/** The failure that work ends with; an error of another kind is thrown on, and so is success. */
export async function failureOf(action: unknown): Promise<Failure> {
  try {
    await action;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}
