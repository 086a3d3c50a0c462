// People sign in by their accounts of X, once Twitter.
import { requireObject } from '../engines/oauth-network.ts';
import { textIn } from '../engines/oauth-people.ts';
import type { OauthFacts } from '../engines/oauth-provider.ts';
import { type OauthParts, providerType } from '../engines/oauth-type.ts';

const facts: OauthFacts = {
  authorize: 'https://x.com/i/oauth2/authorize',
  token: 'https://api.x.com/2/oauth2/token',
  user: 'https://api.x.com/2/users/me?user.fields=confirmed_email',
  scopes: 'users.read tweet.read users.email',
  takesProof: true,
  secretIn: 'header',
  readPerson({ data }) {
    const { id, name, username, confirmed_email } = requireObject(data);
    const email = textIn(confirmed_email);
    return {
      ...{ subject: textIn(id) ?? '', email, isEmailVerified: email !== undefined },
      name: textIn(name) ?? textIn(username),
    };
  },
};

/** Sign-in by this provider. */
export const twitter = (parts: OauthParts) =>
  providerType(parts, {
    name: 'oauth_twitter',
    label: 'Twitter OAuth',
    description: 'People sign in by their accounts of X, once Twitter.',
    facts,
  });
