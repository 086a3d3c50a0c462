// Attachments in every form the contract has (contract/services-other.md §4). Nothing else is one: no path of this machine, no
// `data:`, no object that a mail library would read in its own way.
import { Failure, fail } from '@sluice/contract';
import type { Reservation } from '../call/byte-budget.ts';
import type { Call } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';
import { chunksOf, type Reply } from '../call/reply.ts';
import { fetcher, fileNameOf } from '../fetch/index.ts';
import type { ServiceContext } from '../service/service.ts';
import { oneLine } from './address.ts';
import { attachmentType } from './compose.ts';
import type { Attachment } from './transport.ts';

export const maxAttachments = 20;
/** Bytes of all attachments of an email. */
export const maxAttachmentBytes = 10 * 1024 * 1024;

/** Where an attachment is. */
type Source = { url: string } | { service: string; path: string };

/** The attachments of one email as they come in: bounded by themselves, and in memory beside those of others. */
export class AttachmentList {
  readonly items: Attachment[] = [];
  private readonly memory: Reservation;
  private bytes = 0;
  private count = 0;

  constructor(memory: Reservation) {
    this.memory = memory;
  }

  /** Reads one to its end. */
  async add(name: string, type: string | null | undefined, content: AsyncIterable<Uint8Array>): Promise<void> {
    this.require(1);
    this.count += 1;
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) {
      this.bytes += chunk.length;
      if (this.bytes > maxAttachmentBytes) throw fail('mail.attachmentsTooLarge', { limit: maxAttachmentBytes });
      this.memory.take(chunk.length);
      chunks.push(chunk);
    }
    this.items.push({ name: fileName(name), type: attachmentType(type), content: Buffer.concat(chunks) });
  }

  /** Throws where there is no room for so many more. */
  require(count: number): void {
    if (this.count + count > maxAttachments) throw fail('mail.tooManyAttachments', { limit: maxAttachments });
  }
}

/** The last part of a path, as a name for a header. */
const fileName = (path: string): string =>
  oneLine(path.split(/[/\\]/).at(-1) ?? '')
    .replace(/\p{Surrogate}/gu, '')
    .slice(0, 255) || 'attachment';

/** The sources that `attachment` and `import_url` name; `fill` puts values into texts. */
export function readSources(attachment: unknown, importUrl: unknown, fill: (text: string) => string): Source[] {
  const sources = [attachment, importUrl].flatMap((input) => {
    if (input === undefined || input === null || input === '') return [];
    if (typeof input === 'string') return fill(input).split(',').map(readUrl);
    return [input].flat().map((item) => readSource(item, fill));
  });
  if (sources.length > maxAttachments) throw fail('mail.tooManyAttachments', { limit: maxAttachments });
  return sources;
}

function readSource(item: unknown, fill: (text: string) => string): Source {
  if (typeof item === 'string') return readUrl(fill(item));
  if (!isRecord(item) || typeof item.service !== 'string' || typeof item.path !== 'string')
    throw fail('mail.badAttachment');
  return { service: fill(item.service).trim(), path: fill(item.path) };
}

function readUrl(text: string): Source {
  const url = text.trim();
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw fail('mail.badAttachment');
  return { url };
}

/** Reads the sources into the list, one after the other, with the rights of the caller. */
export async function loadSources(
  sources: Source[],
  list: AttachmentList,
  call: Call,
  context: Pick<ServiceContext, 'call' | 'require'>,
): Promise<void> {
  list.require(sources.length);
  for (const source of sources) {
    if ('url' in source) await addFetched(source.url, list, call, context);
    else await addStored(source, list, call, context);
  }
}

/** What an address of a caller leads to: of public networks alone (fetch/). */
async function addFetched(
  url: string,
  list: AttachmentList,
  call: Call,
  context: Pick<ServiceContext, 'require'>,
): Promise<void> {
  try {
    const options = { limit: maxAttachmentBytes, signal: call.signal };
    const { content, contentType } = await context.require(fetcher)(url, options);
    await list.add(fileNameOf(url), contentType, content);
  } catch (error) {
    if (!(error instanceof Failure) || error.key.startsWith('mail.')) throw error;
    throw fail('mail.attachmentUrl', { problem: error.message }, { cause: error });
  }
}

/** A file of a service, by a call in the name of the caller: without GET on it there is none. */
async function addStored(
  { service, path }: { service: string; path: string },
  list: AttachmentList,
  call: Call,
  context: Pick<ServiceContext, 'call'>,
): Promise<void> {
  const name = path.replace(/^\/+/, '');
  const reply = await Promise.resolve()
    .then(() => context.call(call, { verb: 'GET', service, path: name, requestor: call.caller.requestor }))
    .catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      throw fail('mail.attachmentFile', { problem: error.message }, { cause: error });
    });
  const content = await contentOf(reply);
  await list.add(name, content.type, content.chunks);
}

async function contentOf({ body }: Reply): Promise<{ type?: string; chunks: AsyncIterable<Uint8Array> }> {
  if ('open' in body) return { type: body.type, chunks: chunksOf(await body.open(), body.size) };
  if ('bytes' in body) return { type: body.type, chunks: once(body.bytes) };
  if ('text' in body) return { type: body.type, chunks: once(Buffer.from(body.text)) };
  throw fail('mail.attachmentFile', { problem: 'It must be a file.' });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
