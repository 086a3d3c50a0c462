// People sign in by their accounts of Google.
import { readClaims } from '../engines/oauth-people.ts';
import type { OauthFacts } from '../engines/oauth-provider.ts';
import { type OauthParts, providerType } from '../engines/oauth-type.ts';

const facts: OauthFacts = {
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  user: 'https://openidconnect.googleapis.com/v1/userinfo',
  issuer: 'https://accounts.google.com',
  keys: 'https://www.googleapis.com/oauth2/v3/certs',
  scopes: 'openid email profile',
  takesProof: true,
  secretIn: 'body',
  readPerson: readClaims,
};

/** Sign-in by this provider. */
export const google = (parts: OauthParts) =>
  providerType(parts, {
    name: 'oauth_google',
    label: 'Google OAuth',
    description: 'People sign in by their accounts of Google.',
    facts,
  });
