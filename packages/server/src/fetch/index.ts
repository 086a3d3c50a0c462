// Files from elsewhere, fetched for callers by http and https; open.ts decides which addresses may be reached.
import type { Readable } from 'node:stream';
import { fail } from '@sluice/contract';
import { createKey } from '../call/typed-map.ts';
import { createSendOutside, decodeAddressPart, type FetchSettings, type FetchWords, parseWebAddress } from './open.ts';

export type { FetchSettings } from './open.ts';

export interface FetchOptions {
  /** Most bytes of the content, decompressed. */
  limit: number;
  /** Ends the fetch, at any time. */
  signal?: AbortSignal;
}

export interface Fetched {
  /** The content. Fails with `fetch.failed` where it ends early; destroying it closes the connection. */
  content: Readable;
  /** As the other server says; null where it does not. */
  contentType: string | null;
}

/** Opens the content of an address of a caller. Throws failures of the catalogue (`fetch.*`) alone. */
export type Fetch = (address: string, options: FetchOptions) => Promise<Fetched>;

/** What fetches for callers. */
export const fetcher = createKey<Fetch>('what fetches addresses for callers');

const maxRedirects = 5;

const words: FetchWords = {
  failed: (problem, cause) => fail('fetch.failed', { problem }, { cause }),
  tooLarge: (limit) => fail('fetch.tooLarge', { limit }),
};

export function createFetch(settings: FetchSettings): Fetch {
  const send = createSendOutside(settings, words);
  return async (address, { limit, signal }) => {
    const request = { verb: 'GET', address, headers: new Map<string, string>(), maxRedirects };
    const { status, headers, content, discard } = await send({ ...request, ...(signal ? { signal } : {}) });
    if (status === 200) return { content: content(limit), contentType: headers['content-type'] ?? null };
    discard();
    if (status === 404 || status === 410) throw fail('fetch.notFound');
    if (status >= 300 && status < 400 && headers.location)
      throw words.failed(`the server redirects more than ${maxRedirects} times`);
    throw words.failed(`the server answered with status ${status}`);
  };
}

/** The name of the file that an address ends in; empty where it ends in a slash. */
export function fileNameOf(address: string): string {
  const { pathname } = parseWebAddress(address);
  return decodeAddressPart(pathname.slice(pathname.lastIndexOf('/') + 1));
}
