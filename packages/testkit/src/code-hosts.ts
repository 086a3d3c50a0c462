// Code hosts of the tests in this process: they answer as the documentation of GitHub (REST, contents), GitLab (v4, files and
// tree) and Bitbucket Cloud (2.0, src) says, from repositories in memory. No real host can be had on a test machine.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CodeHostName = 'github' | 'gitlab' | 'bitbucket';

/** The files of repositories by name, branch or tag, and path. */
export type Repositories = Record<string, Record<string, Record<string, string | Buffer>>>;

export interface CodeHostServer {
  /** Where its API is, as a configuration names it. */
  base: string;
  /** The calls it got, oldest first. */
  requests: { path: string; authorization: string | undefined }[];
  /** Answers the next calls in place of the host; undefined: the host answers again. */
  override: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  stop(): Promise<void>;
}

export const codeHostAccount = { vendor: 'acme', token: 'a-secret-token' };
/** Bytes of a file that GitHub puts into a description. */
const maxInline = 1024 * 1024;

interface Answer {
  status?: number;
  json?: unknown;
  bytes?: Buffer;
}
interface Place {
  url: URL;
  parts: string[];
  accept: string;
  repositories: Repositories;
}

export async function startCodeHost(host: CodeHostName, repositories: Repositories): Promise<CodeHostServer> {
  const { prefix, answer, refusal } = hosts[host];
  const server = createServer((request, response) => {
    const { headers } = request;
    const authorization = headers.authorization ?? (headers['private-token'] as string | undefined);
    const url = new URL(request.url ?? '', 'http://host');
    known.requests.push({ path: request.url ?? '', authorization });
    if (known.override) return known.override(request, response);
    const isKnown = authorization?.includes(codeHostAccount.token) || decodedBasic(authorization) === 'ada:pw';
    const parts = url.pathname.slice(prefix.length).split('/').slice(1).map(decodeURIComponent);
    const {
      status = 200,
      json,
      bytes,
    } = authorization !== undefined && !isKnown
      ? { status: 401, json: refusal('Bad credentials') }
      : (answer({ url, parts, accept: headers.accept ?? '', repositories }) ?? {
          ...{ status: 404, json: refusal('Not Found') },
        });
    const body = bytes ?? Buffer.from(JSON.stringify(json));
    const type = bytes ? 'application/octet-stream' : 'application/json; charset=utf-8';
    response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const known: CodeHostServer = {
    base: `${origin}${host === 'gitlab' ? '' : prefix}`,
    requests: [],
    override: undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return known;
}

const decodedBasic = (authorization = '') => Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();

interface Entry {
  name: string;
  path: string;
  isFolder: boolean;
}

/** What lies directly in a folder; undefined where there is no such folder. */
function entriesOf(files: Record<string, string | Buffer>, folder: string): Entry[] | undefined {
  const start = folder === '' ? '' : `${folder}/`;
  const below = Object.keys(files).filter((path) => path.startsWith(start));
  if (below.length === 0) return undefined;
  const names = [...new Set(below.map((path) => path.slice(start.length).split('/')[0] as string))].sort();
  return names.map((name) => ({ name, path: `${start}${name}`, isFolder: !Object.hasOwn(files, `${start}${name}`) }));
}

const fileOf = (files: Record<string, string | Buffer>, path: string): Buffer | undefined =>
  Object.hasOwn(files, path) ? Buffer.from(files[path] as string) : undefined;
const filesOf = (repositories: Repositories, name = '', reference: string | null = '') =>
  Object.hasOwn(repositories, name) ? repositories[name]?.[reference ?? ''] : undefined;
const hashOf = (text: string | Buffer) => createHash('sha1').update(text).digest('hex');
const pageOf = <T>(list: T[], url: URL, size = 'per_page'): T[] => {
  const [page, length] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get(size) ?? 20)];
  return list.slice((page - 1) * length, page * length);
};
/** Base64 in lines, as GitHub sends it. */
const inLines = (bytes: Buffer) => bytes.toString('base64').replace(/.{60}/g, '$&\n');

function github({ url, parts, accept, repositories }: Place): Answer | undefined {
  const [area, owner, repository, what, ...path] = parts;
  const { vendor } = codeHostAccount;
  if (area === 'user' && parts.length === 1) return { json: { login: 'ada', type: 'User' } };
  if (area === 'users' && owner === vendor && !repository) return { json: { login: vendor, type: 'Organization' } };
  if (area === 'users' && owner === 'ada' && !repository) return { json: { login: 'ada', type: 'User' } };
  const list = () => ({
    json: pageOf(
      Object.keys(repositories).map((name, id) => ({ id, name, full_name: `${vendor}/${name}`, private: true })),
      url,
    ),
  });
  if (area === 'orgs' && owner === vendor && repository === 'repos') return list();
  if (area === 'user' && owner === 'repos') return list();
  const files = filesOf(repositories, repository, url.searchParams.get('ref'));
  if (area !== 'repos' || owner?.toLowerCase() !== vendor || what !== 'contents' || !files) return undefined;
  const place = path.join('/');
  const bytes = fileOf(files, place);
  const entry = (at: string, isFolder: boolean, size: number) => ({
    ...{ name: at.split('/').at(-1), path: at, sha: hashOf(at), size, type: isFolder ? 'dir' : 'file' },
    url: `${url.origin}/repos/${vendor}/${repository}/contents/${at}`,
  });
  if (bytes && accept.includes('raw')) return { bytes };
  if (bytes) {
    const isInline = bytes.length <= maxInline;
    const content = { content: isInline ? inLines(bytes) : '', encoding: isInline ? 'base64' : 'none' };
    return { json: { ...entry(place, false, bytes.length), ...content } };
  }
  const entries = entriesOf(files, place);
  return entries && { json: entries.map(({ path: at, isFolder }) => entry(at, isFolder, 1)) };
}

function gitlab({ url, parts, repositories }: Place): Answer | undefined {
  const [area, id = '', kind, what, file, raw] = parts;
  const { vendor } = codeHostAccount;
  if (area === 'user') return { json: { username: vendor } };
  if (area === 'groups') return undefined;
  if (area === 'users' && id === vendor && kind === 'projects')
    return {
      json: pageOf(
        Object.keys(repositories).map((path, number) => ({ id: number, name: path.toUpperCase(), path })),
        url,
      ),
    };
  if (area !== 'projects' || kind !== 'repository' || !id.startsWith(`${vendor}/`)) return undefined;
  const files = filesOf(repositories, id.slice(vendor.length + 1), url.searchParams.get('ref'));
  if (!files) return { status: 404, json: { message: '404 Project Not Found' } };
  if (what === 'tree') {
    const entries = entriesOf(files, url.searchParams.get('path') ?? '');
    if (!entries) return { status: 404, json: { message: '404 Tree Not Found' } };
    const tree = entries.map(({ name, path, isFolder }) => ({
      ...{ id: hashOf(path), name, type: isFolder ? 'tree' : 'blob', path, mode: isFolder ? '040000' : '100644' },
    }));
    return { json: pageOf(tree, url) };
  }
  const bytes = what === 'files' && file !== undefined ? fileOf(files, file) : undefined;
  if (!bytes || file === undefined) return { status: 404, json: { message: '404 File Not Found' } };
  if (raw === 'raw') return { bytes };
  const named = { file_name: file.split('/').at(-1), file_path: file, size: bytes.length, encoding: 'base64' };
  return { json: { ...named, content: bytes.toString('base64'), ref: url.searchParams.get('ref') } };
}

function bitbucket({ url, parts, repositories }: Place): Answer | undefined {
  const [area, workspace, repository, what, ...rest] = parts;
  const { vendor } = codeHostAccount;
  if (area !== 'repositories' || workspace !== vendor) return undefined;
  if (repository === undefined) {
    const values = Object.keys(repositories).map((slug) => ({ type: 'repository', slug, name: slug.toUpperCase() }));
    return { json: { pagelen: 10, values: pageOf(values, url, 'pagelen') } };
  }
  const branches = Object.hasOwn(repositories, repository) ? repositories[repository] : undefined;
  if (!branches) return undefined;
  if (what === 'refs') {
    const [kind, ...name] = rest;
    const reference = name.join('/');
    if (kind !== 'branches' || !Object.hasOwn(branches, reference)) return undefined;
    return { json: { type: 'branch', name: reference, target: { hash: hashOf(reference) } } };
  }
  const [commit = '', ...path] = rest;
  const reference = Object.keys(branches).find((name) => name === commit || hashOf(name) === commit);
  if (what !== 'src' || reference === undefined) return undefined;
  const files = branches[reference] as Record<string, string | Buffer>;
  const place = path.join('/').replace(/\/$/, '');
  const described = (at: string, isFolder: boolean) => ({
    ...{
      path: at,
      type: isFolder ? 'commit_directory' : 'commit_file',
      commit: { type: 'commit', hash: hashOf(reference) },
    },
  });
  const bytes = fileOf(files, place);
  const entries = entriesOf(files, place);
  if (!bytes && !entries) return undefined;
  if (url.searchParams.get('format') === 'meta') return { json: described(place, !bytes) };
  if (bytes) return { bytes };
  const all = (entries ?? []).map((entry) => described(entry.path, entry.isFolder));
  const length = Number(url.searchParams.get('pagelen') ?? 10);
  const page = Number(url.searchParams.get('page') ?? 1);
  const hasMore = all.length > page * length;
  // The address is that of the host as it is known outside; what of it counts is the page.
  const next = hasMore ? { next: `https://api.bitbucket.org${url.pathname}?page=${page + 1}` } : {};
  return { json: { pagelen: length, values: all.slice((page - 1) * length, page * length), ...next } };
}

const hosts: Record<
  CodeHostName,
  { prefix: string; answer: (place: Place) => Answer | undefined; refusal: (text: string) => object }
> = {
  github: { prefix: '/api/v3', answer: github, refusal: (message) => ({ message, documentation_url: 'https://x' }) },
  gitlab: { prefix: '/api/v4', answer: gitlab, refusal: (text) => ({ message: text }) },
  bitbucket: { prefix: '/2.0', answer: bitbucket, refusal: (message) => ({ type: 'error', error: { message } }) },
};
