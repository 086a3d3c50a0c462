// People sign in by their accounts of LinkedIn.
import { readClaims } from '../engines/oauth-people.ts';
import type { OauthFacts } from '../engines/oauth-provider.ts';
import { type OauthParts, providerType } from '../engines/oauth-type.ts';

const facts: OauthFacts = {
  authorize: 'https://www.linkedin.com/oauth/v2/authorization',
  token: 'https://www.linkedin.com/oauth/v2/accessToken',
  user: 'https://api.linkedin.com/v2/userinfo',
  issuer: 'https://www.linkedin.com/oauth',
  keys: 'https://www.linkedin.com/oauth/openid/jwks',
  scopes: 'openid profile email',
  // Clients with a secret are refused where they send one.
  takesProof: false,
  secretIn: 'body',
  readPerson: readClaims,
};

/** Sign-in by this provider. */
export const linkedin = (parts: OauthParts) =>
  providerType(parts, {
    name: 'oauth_linkedin',
    label: 'LinkedIn OAuth',
    description: 'People sign in by their accounts of LinkedIn.',
    facts,
  });
