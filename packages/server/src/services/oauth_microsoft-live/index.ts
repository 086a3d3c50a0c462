// People sign in by their personal accounts of Microsoft.
import { readUnverified } from '../engines/oauth-people.ts';
import type { OauthFacts } from '../engines/oauth-provider.ts';
import { type OauthParts, providerType } from '../engines/oauth-type.ts';

const facts: OauthFacts = {
  authorize: 'https://login.microsoftonline.com/consumers/oauth2/v2.0/authorize',
  token: 'https://login.microsoftonline.com/consumers/oauth2/v2.0/token',
  user: 'https://graph.microsoft.com/oidc/userinfo',
  // The tenant of all personal accounts.
  issuer: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  keys: 'https://login.microsoftonline.com/consumers/discovery/v2.0/keys',
  scopes: 'openid email profile',
  takesProof: true,
  secretIn: 'body',
  readPerson: readUnverified,
};

/** Sign-in by this provider. */
export const microsoftLive = (parts: OauthParts) =>
  providerType(parts, {
    name: 'oauth_microsoft-live',
    label: 'Microsoft Live OAuth',
    description: 'People sign in by their personal accounts of Microsoft.',
    facts,
  });
