// Calls to the API of a code host: bounded in bytes and time, at one origin, with its refusals in its own words. The host is one
// that an administrator chose, so it may be in a private network (docs/design.md, difference 4); where it redirects to is not.
import { isUtf8 } from 'node:buffer';
import { Failure, fail } from '@sluice/contract';
import { parseJson } from '../call/formats/json.ts';
import { isRecord } from '../call/payload.ts';
import { createSendOutside, type FetchWords, type OutsideResponse, parseWebAddress } from '../fetch/open.ts';
import { serverWords } from '../storage/network.ts';

/** Bytes of JSON that are read, and of a file. */
const maxJson = 4 * 1024 * 1024;
export const maxFile = 10 * 1024 * 1024;
/** Bytes of a refusal. */
const maxRefusal = 16 * 1024;
/** Redirects that are followed, within the origin: renamed repositories answer with one. */
const maxRedirects = 3;

export interface HostOptions {
  /** Where the API is, without a slash at the end. */
  base: string;
  headers: Readonly<Record<string, string>>;
  /** What no message may hold. */
  secrets: readonly string[];
}

export interface HostCall {
  /** Below the base, with a leading slash, escaped. */
  path: string;
  query?: Readonly<Record<string, string | number>>;
  accept?: string;
  signal: AbortSignal;
}

export interface HostApi {
  /** The JSON of an answer. Throws `repository.refused` with the status and words of the host where it is no success. */
  json(call: HostCall): Promise<unknown>;
  /** The bytes of an answer. */
  bytes(call: HostCall): Promise<Uint8Array>;
}

const words: FetchWords = {
  failed: (problem, cause) => fail('repository.unreachable', { problem }, { cause }),
  tooLarge: (limit) => fail('repository.tooLarge', { limit }),
};
const send = createSendOutside(
  { privateTargets: true, connectTimeout: 10_000, idleTimeout: 15_000, totalTimeout: 60_000 },
  words,
);

export function openHostApi({ base, headers, secrets }: HostOptions): HostApi {
  async function call({ path, query = {}, accept, signal }: HostCall): Promise<OutsideResponse> {
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const first = new URL(`${base}${path}${parameters.size > 0 ? `?${parameters}` : ''}`);
    const sent = { accept: 'application/json', ...headers, ...(accept === undefined ? {} : { accept }) };
    let url = first;
    for (let redirects = 0; ; redirects++) {
      const request = { verb: 'GET', address: url.href, headers: new Map(Object.entries(sent)) };
      const response = await send({ ...request, maxRedirects: 0, signal });
      const { status, headers: answered } = response;
      if (status >= 200 && status < 300) return response;
      if (status >= 400) throw await refusalOf(response, secrets);
      response.discard();
      const target = targetOf(answered.location, url);
      // A token, and answers of other servers, are for nobody else.
      if (target?.origin !== first.origin || redirects >= maxRedirects)
        throw fail('repository.oddAnswer', { problem: `it has the status ${status}` });
      url = target;
    }
  }

  return {
    async json(request) {
      const { bytes } = await call(request);
      return parseAnswer(await bytes(maxJson));
    },
    async bytes(request) {
      const { bytes } = await call(request);
      return bytes(maxFile);
    },
  };
}

function targetOf(location: string | undefined, from: URL): URL | undefined {
  try {
    return location === undefined ? undefined : parseWebAddress(location, from);
  } catch {
    return undefined;
  }
}

function parseAnswer(bytes: Buffer): unknown {
  try {
    if (isUtf8(bytes)) return parseJson(bytes.toString());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  throw fail('repository.oddAnswer', { problem: 'it is no JSON' });
}

/** What a host refuses, with its status and its words: those of its JSON, or its text; a page has none. */
async function refusalOf({ status, headers, bytes }: OutsideResponse, secrets: readonly string[]): Promise<Failure> {
  const text = (await bytes(maxRefusal).catch(() => Buffer.alloc(0))).toString();
  const isPage = /html|xml/i.test(headers['content-type'] ?? '') || text.trimStart().startsWith('<');
  const said = (wordsOf(text) ?? (isPage ? '' : text)).trim();
  const isSecret = secrets.some((secret) => said.includes(secret));
  if (said === '' || isSecret) return fail('repository.refusedSilently', { status }, { status });
  return fail('repository.refused', { text: serverWords(said) }, { status });
}

/** `message` (GitHub, GitLab), `error.message` (Bitbucket), `error_description` and `error` (OAuth). */
function wordsOf(text: string): string | undefined {
  try {
    const value = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const { message, error, error_description } = value;
    const inner = isRecord(error) ? error.message : error;
    return [message, error_description, inner].find((part) => typeof part === 'string') ?? '';
  } catch {
    return undefined;
  }
}

/** A list of objects; throws `repository.oddAnswer` where it is none. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value) || !value.every(isRecord))
    throw fail('repository.oddAnswer', { problem: 'it is no list of objects' });
  return value;
}

/** A text of an answer. */
export function textOf(record: Record<string, unknown>, field: string): string {
  const value = record[field];
  if (typeof value !== 'string') throw fail('repository.oddAnswer', { problem: `it has no text as ${field}` });
  return value;
}

/** An object. */
export function recordOf(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw fail('repository.oddAnswer', { problem: 'it is no object' });
  return value;
}

/** Whether a host refused a call: for any reason, or with this status. */
export const isRefusal = (error: unknown, status?: number): error is Failure =>
  error instanceof Failure &&
  error.key.startsWith('repository.refused') &&
  (status === undefined || error.status === status);
