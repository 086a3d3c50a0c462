// The answer to PROPFIND, read entry by entry: a long listing is never in memory as a whole, and an entry that makes no
// sense is left out without harm to the others.
import type { Readable } from 'node:stream';
import { fail } from '@sluice/contract';
import { pause } from '@sluice/sql';

/** What a server says of a file or folder. */
export interface DavEntry {
  /** Path of its address, decoded, without a slash at its end. */
  path: string;
  properties: Record<string, unknown>;
}

/** Characters of one entry at most. */
const maxEntry = 256 * 1024;
/** Entries that are parsed before others get their turn. */
const batchLength = 10;
const entryEnd = /<\/(?:[\w.-]+:)?response\s*>/gi;
const rootStart = /<(?:[\w.-]+:)?multistatus\b[^>]*>/i;

export async function* readMultistatus(body: Readable, base: URL): AsyncGenerator<DavEntry> {
  const { parseXML } = await import('webdav');
  /** Each by itself: the parser forgives a tag that is not closed, at the cost of what comes after. */
  const parse = async (entry: string): Promise<DavEntry[]> => {
    try {
      const { multistatus } = await parseXML(`<multistatus>${entry}</multistatus>`);
      return multistatus.response.flatMap(({ href, propstat }) => entryOf(String(href), propstat, base));
    } catch {
      return [];
    }
  };
  let text = '';
  let isInside = false;
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk as Buffer, { stream: true });
    if (!isInside) {
      const root = rootStart.exec(text);
      if (root) {
        isInside = true;
        text = text.slice(root.index + root[0].length);
      }
    }
    const entries: string[] = [];
    let from = 0;
    if (isInside)
      for (const end of text.matchAll(entryEnd)) {
        entries.push(text.slice(from, end.index + end[0].length));
        from = end.index + end[0].length;
      }
    text = text.slice(from);
    if (text.length > maxEntry) throw notMultistatus();
    for (let at = 0; at < entries.length; at += batchLength) {
      for (const entry of entries.slice(at, at + batchLength)) yield* await parse(entry);
      await pause();
    }
  }
  if (!isInside) throw notMultistatus();
}

const notMultistatus = () => fail('file.storageFailed', { text: 'its listing cannot be read' });

function entryOf(href: string, propstat: { prop?: unknown } | undefined, base: URL): DavEntry[] {
  try {
    const path = decodeURIComponent(new URL(href, base).pathname).replace(/\/+$/, '');
    const properties = typeof propstat?.prop === 'object' && propstat.prop !== null ? propstat.prop : {};
    return [{ path, properties: properties as Record<string, unknown> }];
  } catch {
    return [];
  }
}
