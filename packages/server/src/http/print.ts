// The text of a body that is whole in memory, in the format the caller asks for. A long list is printed some records at a
// time, and other calls have their turn in between.
import { setImmediate } from 'node:timers/promises';
import type { MaybePromise } from '@sluice/contract';
import type { Rows } from '@sluice/sql';
import type { ReplyFormat } from '../call/formats/index.ts';
import { type FormattedBody, type RowStream, rowsOf } from '../call/reply.ts';

export type WholeBody = Exclude<FormattedBody, { rows: RowStream }>;

/** Characters of JSON text that are printed in another format at once. */
const shortText = 128 * 1024;
/** Records that are printed at once, and characters after which others have their turn. */
const recordsAtOnce = 25;
const charactersAtOnce = 128 * 1024;
/** Records of a list whose length nobody knows before it is printed. */
const shortList = 100;

export function printBody(body: WholeBody, format: ReplyFormat): MaybePromise<string> {
  if (!format.print && 'json' in body) return body.json;
  const value: unknown = 'json' in body ? JSON.parse(body.json) : body.value;
  const list = listOf(value);
  if (list) {
    const isLong = 'json' in body ? body.json.length > shortText : list.resource.length > shortList;
    // In XML the members of `meta` could differ: of a value they need not be those of its JSON.
    if (isLong && ('json' in body || !format.print || list.meta === undefined)) return printList(list, format);
  }
  return format.print ? format.print(value) : jsonText(body);
}

export const jsonText = (body: WholeBody): string =>
  'json' in body ? body.json : (JSON.stringify(body.value) ?? 'null');

interface RecordList {
  resource: Record<string, unknown>[];
  meta?: unknown;
}

/** The value as a list of records that has nothing beside them but `meta`. */
function listOf(value: unknown): RecordList | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const names = Object.keys(value);
  const hasNames = names[0] === 'resource' && (names.length === 1 || (names.length === 2 && names[1] === 'meta'));
  const { resource } = value as Partial<RecordList>;
  if (!hasNames || !Array.isArray(resource) || resource.length <= recordsAtOnce) return undefined;
  return resource.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
    ? (value as RecordList)
    : undefined;
}

async function printList({ resource, meta }: RecordList, format: ReplyFormat): Promise<string> {
  const rows: RowStream = {
    batches: batchesOf(resource),
    meta: async () => (meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`),
  };
  let text = '';
  let printedSince = 0;
  for await (const piece of format.stream(rows)) {
    text += piece;
    printedSince += piece.length;
    if (printedSince < charactersAtOnce) continue;
    printedSince = 0;
    await setImmediate();
  }
  return text;
}

async function* batchesOf(records: Record<string, unknown>[]): AsyncGenerator<Rows> {
  for (let start = 0; start < records.length; start += recordsAtOnce)
    yield rowsOf(records.slice(start, start + recordsAtOnce));
}
