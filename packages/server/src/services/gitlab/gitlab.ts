// The REST API of GitLab (https://docs.gitlab.com/api/repository_files/, https://docs.gitlab.com/api/repositories/).
import type { Failure } from '@sluice/contract';
import { type CodeHost, type Found, maxEntries, type NamedRecord, type Place } from '../../repositories/code-host.ts';
import { isRefusal, openHostApi, recordOf, recordsOf, textOf } from '../../repositories/host-api.ts';

export interface GitlabOptions {
  /** With or without the version of the API at its end. */
  base: string;
  /** Empty: the one of who the token is of. */
  namespace: string;
  token: string;
}

const pageLength = 100;

export function openGitlab({ base, namespace, token }: GitlabOptions): CodeHost {
  const api = openHostApi({
    base: /\/api\/v\d+$/.test(base) ? base : `${base}/api/v4`,
    headers: { 'private-token': token },
    secrets: [token],
  });
  let owner: string | undefined = namespace || undefined;
  let listing: string | undefined;

  async function ownerOf(signal: AbortSignal): Promise<string> {
    owner ??= textOf(recordOf(await api.json({ path: '/user', signal })), 'username');
    return owner;
  }

  return {
    async list({ page, perPage }, signal) {
      const account = encodeURIComponent(await ownerOf(signal));
      const read = async (path: string) => {
        const projects = await api.json({ path, query: { page, per_page: perPage }, signal });
        listing = path;
        return recordsOf(projects).map((record) => ({ record, name: textOf(record, 'path') }));
      };
      if (listing !== undefined) return read(listing);
      return orWhenMissing(read(`/groups/${account}/projects`), () => read(`/users/${account}/projects`));
    },
    async find({ repository, path, reference }: Place, wanted, signal): Promise<Found> {
      const project = `/projects/${encodeURIComponent(`${await ownerOf(signal)}/${repository}`)}/repository`;
      const readFolder = () => readEntries(project, path, reference, signal);
      if (path === '') return { entries: await readFolder() };
      const file = { path: `${project}/files/${encodeURIComponent(path)}`, query: { ref: reference }, signal };
      const found: Promise<Found> =
        wanted === 'bytes'
          ? api.bytes({ ...file, path: `${file.path}/raw`, accept: '*/*' }).then((bytes) => ({ bytes }))
          : api.json(file).then((description) => ({ description: recordOf(description) }));
      return orWhenMissing(found, async (missing) => {
        // There are no empty folders in git: one without entries is none.
        const entries = await orWhenMissing(readFolder(), async () => []);
        if (entries.length === 0) throw missing;
        return { entries };
      });
    },
  };

  async function readEntries(
    project: string,
    path: string,
    reference: string,
    signal: AbortSignal,
  ): Promise<NamedRecord[]> {
    const entries: NamedRecord[] = [];
    for (let page = 1; entries.length < maxEntries; page++) {
      const query = { ref: reference, per_page: pageLength, page, ...(path === '' ? {} : { path }) };
      const records = recordsOf(await api.json({ path: `${project}/tree`, query, signal }));
      entries.push(...records.map(entryOf));
      if (records.length < pageLength) break;
    }
    return entries.slice(0, maxEntries);
  }
}

/** The words of git for what lies in a folder. */
function entryOf(record: Record<string, unknown>): NamedRecord {
  const type = new Map<unknown, string>([
    ['tree', 'dir'],
    ['blob', 'file'],
  ]).get(record.type);
  return { record: type === undefined ? record : { ...record, type }, name: textOf(record, 'name') };
}

/** Another attempt where the host knows no such thing. */
async function orWhenMissing<T>(attempt: Promise<T>, other: (missing: Failure) => Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    if (isRefusal(error, 404)) return other(error);
    throw error;
  }
}
