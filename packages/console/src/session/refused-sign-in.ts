import { createStore } from '../ui/store.ts';

interface RefusedSignIn {
  message: string;
  /** Whose session had ended; what they typed is kept for them. */
  person: number | undefined;
}

/** A sign-in of the overlay that failed: the login page says so, once (SES-063). */
export const refusedSignIn = createStore<RefusedSignIn | null>(null);
