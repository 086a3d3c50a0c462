// Files of a code-hosting service, asked for by the browser: without key, token or cookie of ours (X-032, SCR-028).
import { text } from '../../text/index.ts';

/** A file that an address on the web names. */
export interface HostedFile {
  owner: string;
  repository: string;
  branch: string;
  path: string;
}

export interface HostCredentials {
  user: string;
  password: string;
}

/** Bytes of a file that are taken in. */
const maxFileSize = 1024 * 1024;

/**
 * `https://host/{owner}/{repository}/blob/{branch}/{path}`, or the address of the raw file,
 * `https://raw.host/{owner}/{repository}/{branch}/{path}` (OPEN-052); null for any other.
 */
export function parseHostedFile(address: string): HostedFile | null {
  if (!URL.canParse(address.trim())) return null;
  const { protocol, hostname, pathname } = new URL(address.trim());
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  const parts = decodeParts(pathname);
  if (!parts) return null;
  const [owner, repository, ...rest] = parts;
  const isPage = rest[0] === 'blob' || rest[0] === 'raw';
  if (!isPage && !hostname.startsWith('raw.')) return null;
  const below = isPage ? rest.slice(1) : rest;
  const [branch, ...path] = below[0] === 'refs' && below[1] === 'heads' ? below.slice(2) : below;
  return owner && repository && branch && path.length > 0 ? { owner, repository, branch, path: path.join('/') } : null;
}

function decodeParts(pathname: string): string[] | null {
  try {
    return pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Why a file of the host could not be had; its message is for people. */
export class HostError extends Error {
  /** 0 where the host does not answer. */
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Whether everybody may read the repository of a file. */
export async function isPublicRepository(host: string, file: HostedFile, signal: AbortSignal): Promise<boolean> {
  const response = await askHost(`${host}/${repositoryPath(file)}`, null, signal);
  if (response.status === 404) throw new HostError(404, text('fields:host.noRepository'));
  if (!response.ok) throw await refusal(response);
  return ((await response.json()) as { private?: unknown }).private !== true;
}

/** The text of a file. Throws a `HostError`. */
export async function readHostedFile(
  host: string,
  file: HostedFile,
  credentials: HostCredentials | null,
  signal: AbortSignal,
): Promise<string> {
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  const address = `${host}/${repositoryPath(file)}/contents/${path}?ref=${encodeURIComponent(file.branch)}`;
  const response = await askHost(address, credentials, signal);
  if (response.status === 401) throw new HostError(401, text('fields:host.notAuthenticated'));
  if (response.status === 404) throw new HostError(404, text('fields:host.noFile'));
  if (!response.ok) throw await refusal(response);
  const { content, encoding, size } = (await response.json()) as {
    content?: unknown;
    encoding?: unknown;
    size?: unknown;
  };
  if (Number(size) > maxFileSize) throw new HostError(200, text('fields:file.tooLarge', { size: '1 MiB' }));
  if (typeof content !== 'string' || encoding !== 'base64') throw new HostError(200, text('fields:file.unreadable'));
  return decodeBase64(content);
}

const repositoryPath = ({ owner, repository }: HostedFile) =>
  `repos/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}`;

async function askHost(address: string, credentials: HostCredentials | null, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/vnd.github+json' };
  if (credentials) headers.Authorization = `Basic ${encodeBase64(`${credentials.user}:${credentials.password}`)}`;
  try {
    return await fetch(address, {
      headers,
      signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new HostError(0, text('fields:host.unreachable', { host: new URL(address).host }));
  }
}

/** What the host itself says, such as how long it wants to be left alone. */
async function refusal(response: Response): Promise<HostError> {
  const body = (await response.json().catch(() => null)) as { message?: unknown } | null;
  const message = typeof body?.message === 'string' ? body.message.slice(0, 300) : `HTTP ${response.status}`;
  return new HostError(response.status, text('fields:host.refused', { message }));
}

/** Base64 of a text, and back; the bytes are UTF-8. */
const encodeBase64 = (plain: string) => btoa(String.fromCharCode(...new TextEncoder().encode(plain)));

function decodeBase64(encoded: string): string {
  try {
    const bytes = Uint8Array.from(atob(encoded.replace(/\s/g, '')), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    throw new HostError(200, text('fields:file.unreadable'));
  }
}
