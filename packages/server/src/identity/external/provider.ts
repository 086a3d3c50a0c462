// What a service type offers that people sign in by: the part of it that knows the provider. Whose account of this instance it is
// is decided by the other files of this folder, alike for all types.
import { createKey } from '../../call/typed-map.ts';

/** An account as the provider tells it. Only `subject` identifies it. */
export interface ProviderPerson {
  /** The id of the account, which the provider never gives to another one. */
  subject: string;
  email: string | undefined;
  /** The provider says that the address is that of this account. */
  isEmailVerified: boolean;
  /** The address only makes the one the person has here: somebody who came from elsewhere with it is another person. */
  joinsNobody?: true;
  name?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  /** Where it is no made-up one: what the address is made of that they get without one of their own. */
  account?: { name: string; domain: string | undefined } | undefined;
}

/** A sign-in that the provider confirmed. */
export interface ProviderSignIn {
  person: ProviderPerson;
  accessToken: string;
  idToken?: string | undefined;
}

/** What a sign-in through a browser began with; it is completed by who has it. */
export interface BrowserProof {
  state: string;
  /** Of PKCE. */
  verifier: string;
  nonce: string;
  /** What the provider confirmed, where the browser has one more step to make (assertions.ts). */
  confirmed?: unknown;
}

/** A provider that people sign in by with their browser, or by tokens that a native client got. Throws `provider.*`. */
export interface BrowserProvider {
  /** Where the browser is sent. */
  begin(proof: BrowserProof): string;
  /** What became of it, by the parameters that the browser came back with. */
  finish(parameters: URLSearchParams, proof: BrowserProof, signal: AbortSignal): Promise<ProviderSignIn>;
  /** Whose tokens these are, which have to be issued for this instance. */
  verify(tokens: ProviderTokens, signal: AbortSignal): Promise<ProviderSignIn>;
}

export interface ProviderTokens {
  accessToken: string;
  idToken: string | undefined;
}

/** What people get who sign in by a service. */
export interface ExternalRoles {
  default_role: string | number | null;
  app_role_map: { app_id: number; role_id: number }[] | null;
  /** There where groups give roles: the one that theirs give, in place of the default one. It follows the groups. */
  byGroups?: { role: number | undefined };
}

/** The service of a provider, and the column that names it at its people. */
export interface ExternalService {
  id: number;
  name: string;
  column: 'oauth_provider' | 'adldap' | 'saml';
  roles: ExternalRoles;
}

/** What a service provides that people sign in by with their browser. */
export const browserProvider = createKey<{ provider: BrowserProvider; service: ExternalService }>(
  'a provider that people sign in by',
);
