// People sign in by their accounts of Bitbucket.
import { isRecord } from '../../call/payload.ts';
import { requireObject } from '../engines/oauth-network.ts';
import { textIn } from '../engines/oauth-people.ts';
import type { OauthFacts } from '../engines/oauth-provider.ts';
import { type OauthParts, providerType } from '../engines/oauth-type.ts';

const facts: OauthFacts = {
  authorize: 'https://bitbucket.org/site/oauth2/authorize',
  token: 'https://bitbucket.org/site/oauth2/access_token',
  user: 'https://api.bitbucket.org/2.0/user',
  scopes: 'account email',
  takesProof: false,
  secretIn: 'header',
  async readPerson(user, get) {
    const { values } = requireObject(await get('https://api.bitbucket.org/2.0/user/emails'));
    const primary = (Array.isArray(values) ? values.filter(isRecord) : []).find((entry) => entry.is_primary === true);
    return {
      subject: textIn(user.uuid) ?? '',
      email: textIn(primary?.email),
      isEmailVerified: primary?.is_confirmed === true,
      name: textIn(user.display_name),
    };
  },
};

/** Sign-in by this provider. */
export const bitbucketOauth = (parts: OauthParts) =>
  providerType(parts, {
    name: 'oauth_bitbucket',
    label: 'Bitbucket OAuth',
    description: 'People sign in by their accounts of Bitbucket.',
    facts,
  });
