// People sign in by their accounts of Salesforce.
import { getJson, requireObject } from '../engines/oauth-network.ts';
import { readClaims } from '../engines/oauth-people.ts';
import type { OauthFacts } from '../engines/oauth-provider.ts';
import { type OauthParts, providerType } from '../engines/oauth-type.ts';

const facts: OauthFacts = {
  authorize: 'https://login.salesforce.com/services/oauth2/authorize',
  token: 'https://login.salesforce.com/services/oauth2/token',
  user: 'https://login.salesforce.com/services/oauth2/userinfo',
  // Id tokens name the domain of each organization as their issuer, so that none is known.
  scopes: 'openid email profile',
  takesProof: true,
  secretIn: 'body',
  readPerson: readClaims,
  async isForClient(token, { clientId, clientSecret, fetch, signal }) {
    const form = new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const options = { method: 'POST', headers, body: form, signal };
    const answer = await getJson(fetch, 'https://login.salesforce.com/services/oauth2/introspect', options);
    const { active, client_id } = requireObject(answer);
    return active === true && client_id === clientId;
  },
};

/** Sign-in by this provider. */
export const salesforce = (parts: OauthParts) =>
  providerType(parts, {
    name: 'oauth_salesforce',
    label: 'Salesforce OAuth',
    description: 'People sign in by their accounts of Salesforce.',
    facts,
  });
