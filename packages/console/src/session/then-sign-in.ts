import { useState } from 'react';
import { type Credentials, signIn } from '../api/session.ts';

/** For forms that make something and then sign in: after a sign-in that failed, the next try makes nothing again. */
export function useThenSignIn() {
  const [isMade, setMade] = useState(false);
  const run = async (make: () => Promise<void>, credentials: Credentials) => {
    if (!isMade) await make();
    setMade(true);
    await signIn(credentials);
  };
  return { isMade, run };
}
