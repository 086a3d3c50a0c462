// What a service type offers whose people sign in by a name and a password of their own there: a directory.
import { createKey } from '../../call/typed-map.ts';
import type { ExternalCall } from './index.ts';
import type { ExternalService, ProviderPerson } from './provider.ts';

/** A sign-in that the directory confirmed. */
export interface PasswordSignIn {
  person: ProviderPerson;
  /** Names of the groups they are in, those that count first; absent where groups give no roles. In the form of `groupName`. */
  groups?: readonly string[] | undefined;
}

export interface PasswordAttempt {
  /** As it is looked for: without invisible characters, in one form. */
  name: string;
  password: string;
  call: ExternalCall;
  /**
   * Counts the password as a guess at an entry of the directory, however its name was written, and makes it as soon as that may
   * be; answers what `check` does.
   */
  guess(entry: string, check: () => Promise<boolean>): Promise<boolean>;
}

export interface PasswordProvider {
  /** Whose name and password these are; undefined where they are nobody's. Throws `directory.*`. */
  check(attempt: PasswordAttempt): Promise<PasswordSignIn | undefined>;
  /** The name of a group as all its spellings are compared; undefined for what is none. */
  groupName(name: string): string | undefined;
}

/** What a service provides that people sign in by with a password of their own there. */
export const passwordProvider = createKey<{ provider: PasswordProvider; service: ExternalService }>(
  'a directory that people sign in by',
);
