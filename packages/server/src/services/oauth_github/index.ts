// People sign in by their accounts of GitHub.
import { isRecord } from '../../call/payload.ts';
import { basicOf } from '../../fetch/open.ts';
import { textIn } from '../engines/oauth-people.ts';
import type { OauthFacts } from '../engines/oauth-provider.ts';
import { type OauthParts, providerType } from '../engines/oauth-type.ts';

const facts: OauthFacts = {
  authorize: 'https://github.com/login/oauth/authorize',
  token: 'https://github.com/login/oauth/access_token',
  user: 'https://api.github.com/user',
  scopes: 'read:user user:email',
  takesProof: true,
  secretIn: 'body',
  async readPerson(user, get) {
    // The address of the profile is one that a person shows: which are theirs is in the list alone.
    const addresses = await get('https://api.github.com/user/emails');
    const primary = (Array.isArray(addresses) ? addresses.filter(isRecord) : []).find(
      (entry) => entry.primary === true,
    );
    return {
      subject: textIn(user.id) ?? '',
      email: textIn(primary?.email),
      isEmailVerified: primary?.verified === true,
      name: textIn(user.name) ?? textIn(user.login),
    };
  },
  async isForClient(token, { clientId, clientSecret, fetch, signal }) {
    const response = await fetch(`https://api.github.com/applications/${encodeURIComponent(clientId)}/token`, {
      method: 'POST',
      headers: { authorization: basicOf(`${clientId}:${clientSecret}`), 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: token }),
      signal,
    });
    return response.status === 200;
  },
};

/** Sign-in by this provider. */
export const githubOauth = (parts: OauthParts) =>
  providerType(parts, {
    name: 'oauth_github',
    label: 'GitHub OAuth',
    description: 'People sign in by their accounts of GitHub.',
    facts,
  });
