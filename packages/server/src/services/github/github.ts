// The REST API of GitHub (https://docs.github.com/en/rest/repos/contents).
import { fail } from '@sluice/contract';
import { type CodeHost, type Found, maxEntries, type NamedRecord, type Place } from '../../repositories/code-host.ts';
import { type Account, basicAuthorization, checkToken, secretsOf, trimmed } from '../../repositories/config.ts';
import { isRefusal, openHostApi, recordOf, recordsOf, textOf } from '../../repositories/host-api.ts';
import { encodeParts } from '../../repositories/names.ts';

export interface GithubOptions extends Account {
  vendor: string;
  base: string;
}

/** A file of up to a megabyte comes with its description; a larger one has to be read by itself. */
const rawType = 'application/vnd.github.raw+json';

export function openGithub({ vendor, base, ...account }: GithubOptions): CodeHost {
  const authorization = authorizationOf(account);
  const api = openHostApi({
    base,
    secrets: secretsOf(account),
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(authorization === undefined ? {} : { authorization }),
    },
  });
  const owner = encodeURIComponent(vendor);
  let listing: { path: string; query: Record<string, string> } | undefined;

  /** Where the repositories of the account are listed: private ones only for organizations and for who signs in. */
  async function findListing(signal: AbortSignal): Promise<NonNullable<typeof listing>> {
    const { type } = recordOf(await api.json({ path: `/users/${owner}`, signal }));
    if (type === 'Organization') return { path: `/orgs/${owner}/repos`, query: {} };
    const isOwn = authorization !== undefined && (await loginOf(signal)) === vendor.toLowerCase();
    return isOwn
      ? { path: '/user/repos', query: { affiliation: 'owner' } }
      : { path: `/users/${owner}/repos`, query: {} };
  }

  /** Who signs in; nobody where a token is that of an app. */
  async function loginOf(signal: AbortSignal): Promise<string | undefined> {
    try {
      return textOf(recordOf(await api.json({ path: '/user', signal })), 'login').toLowerCase();
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  return {
    async list({ page, perPage }, signal) {
      listing ??= await findListing(signal);
      const query = { ...listing.query, page, per_page: perPage };
      return recordsOf(await api.json({ path: listing.path, query, signal })).map(named);
    },
    async find({ repository, path, reference }: Place, wanted, signal): Promise<Found> {
      const below = path === '' ? '' : `/${encodeParts(path)}`;
      const call = {
        path: `/repos/${owner}/${encodeURIComponent(repository)}/contents${below}`,
        query: { ref: reference },
        signal,
      };
      const value = await api.json(call);
      if (Array.isArray(value)) return { entries: recordsOf(value).slice(0, maxEntries).map(named) };
      const description = recordOf(value);
      if (wanted === 'description') return { description };
      const { content, encoding } = description;
      if (encoding === 'base64' && typeof content === 'string') return { bytes: Buffer.from(content, 'base64') };
      if (encoding !== 'none') throw fail('repository.oddAnswer', { problem: 'it is no file' });
      return { bytes: await api.bytes({ ...call, accept: rawType }) };
    },
  };
}

const named = (record: Record<string, unknown>): NamedRecord => ({ record, name: textOf(record, 'name') });

function authorizationOf({ username, password, token }: Account): string | undefined {
  checkToken(token);
  if (trimmed(token) !== '') return `Bearer ${trimmed(token)}`;
  return trimmed(username) === '' ? undefined : basicAuthorization(trimmed(username), password ?? '');
}
