// People sign in by their accounts of Facebook.
import { getJson, requireObject } from '../engines/oauth-network.ts';
import { readUnverified } from '../engines/oauth-people.ts';
import type { OauthFacts } from '../engines/oauth-provider.ts';
import { type OauthParts, providerType } from '../engines/oauth-type.ts';

const facts: OauthFacts = {
  authorize: 'https://www.facebook.com/v23.0/dialog/oauth',
  token: 'https://graph.facebook.com/v23.0/oauth/access_token',
  user: 'https://graph.facebook.com/v23.0/me?fields=id,name,first_name,last_name,email',
  scopes: 'email public_profile',
  takesProof: true,
  secretIn: 'body',
  readPerson: readUnverified,
  async isForClient(token, { clientId, clientSecret, fetch, signal }) {
    const query = new URLSearchParams({ input_token: token, access_token: `${clientId}|${clientSecret}` });
    const answer = await getJson(fetch, `https://graph.facebook.com/debug_token?${query}`, { signal });
    const { data } = requireObject(answer);
    const { app_id, is_valid } = requireObject(data);
    return is_valid === true && app_id === clientId;
  },
};

/** Sign-in by this provider. */
export const facebook = (parts: OauthParts) =>
  providerType(parts, {
    name: 'oauth_facebook',
    label: 'Facebook OAuth',
    description: 'People sign in by their accounts of Facebook.',
    facts,
  });
