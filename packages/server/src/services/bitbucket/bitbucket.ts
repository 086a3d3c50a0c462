// The REST API of Bitbucket Cloud (https://developer.atlassian.com/cloud/bitbucket/rest/api-group-source/).
import { fail } from '@sluice/contract';
import { type CodeHost, type Found, maxEntries, type NamedRecord, type Place } from '../../repositories/code-host.ts';
import { type Account, basicAuthorization, checkToken, secretsOf, trimmed } from '../../repositories/config.ts';
import { isRefusal, openHostApi, recordOf, recordsOf, textOf } from '../../repositories/host-api.ts';
import { encodeParts, nameOf } from '../../repositories/names.ts';

export interface BitbucketOptions extends Account {
  vendor: string;
  base: string;
}

const pageLength = 100;

export function openBitbucket({ vendor, base, ...account }: BitbucketOptions): CodeHost {
  const authorization = authorizationOf(account);
  const api = openHostApi({
    base,
    headers: authorization === undefined ? {} : { authorization },
    secrets: secretsOf(account),
  });
  const workspace = `/repositories/${encodeURIComponent(vendor)}`;

  /** The id of the commit that a name with slashes stands for: an address of a place takes no such names. */
  async function commitOf(repository: string, reference: string, signal: AbortSignal): Promise<string> {
    if (!reference.includes('/')) return reference;
    const read = async (kind: 'branches' | 'tags') => {
      const path = `${repository}/refs/${kind}/${encodeParts(reference)}`;
      return textOf(recordOf(recordOf(await api.json({ path, signal })).target), 'hash');
    };
    try {
      return await read('branches');
    } catch (error) {
      if (!isRefusal(error, 404)) throw error;
      return read('tags');
    }
  }

  async function readEntries(folder: string, signal: AbortSignal): Promise<NamedRecord[]> {
    const entries: NamedRecord[] = [];
    let page: string | undefined;
    do {
      const query = { pagelen: pageLength, ...(page === undefined ? {} : { page }) };
      const answer = recordOf(await api.json({ path: folder, query, signal }));
      const records = recordsOf(answer.values);
      entries.push(...records.map((record) => ({ record: entryOf(record), name: nameOf(textOf(record, 'path')) })));
      page = records.length > 0 ? nextPage(answer.next) : undefined;
    } while (page !== undefined && entries.length < maxEntries);
    return entries.slice(0, maxEntries);
  }

  return {
    async list({ page, perPage }, signal) {
      const answer = recordOf(await api.json({ path: workspace, query: { page, pagelen: perPage }, signal }));
      return recordsOf(answer.values).map((record) => ({ record, name: textOf(record, 'slug') }));
    },
    async find({ repository, path, reference }: Place, wanted, signal): Promise<Found> {
      const address = `${workspace}/${encodeURIComponent(repository)}`;
      const commit = encodeURIComponent(await commitOf(address, reference, signal));
      const source = `${address}/src/${commit}/${encodeParts(path)}`;
      if (path === '') return { entries: await readEntries(source, signal) };
      const meta = recordOf(await api.json({ path: source, query: { format: 'meta' }, signal }));
      if (meta.type === 'commit_directory') return { entries: await readEntries(`${source}/`, signal) };
      if (meta.type !== 'commit_file')
        throw fail('repository.oddAnswer', { problem: 'it is neither a file nor a folder' });
      const bytes = await api.bytes({ path: source, accept: '*/*', signal });
      if (wanted === 'bytes') return { bytes };
      const content = Buffer.from(bytes).toString('base64');
      return { description: { ...entryOf(meta), content, encoding: 'base64', size: bytes.length } };
    },
  };
}

/** An entry as the contract has it; `node` is the commit. */
function entryOf(record: Record<string, unknown>): Record<string, unknown> {
  const path = textOf(record, 'path');
  const type = record.type === 'commit_directory' ? 'dir' : 'file';
  return { name: nameOf(path), path, type, node: textOf(recordOf(record.commit), 'hash') };
}

/** What the address of the next page says of it. The address itself is not called: it may be anywhere. */
function nextPage(next: unknown): string | undefined {
  if (typeof next !== 'string' || !URL.canParse(next)) return undefined;
  return new URL(next).searchParams.get('page') ?? undefined;
}

function authorizationOf({ username, password, token }: Account): string | undefined {
  checkToken(token);
  const [user, secret] = [trimmed(username), trimmed(token)];
  if (user !== '') return basicAuthorization(user, password || secret);
  return secret === '' ? undefined : `Bearer ${secret}`;
}
