// Sources of replies that tell whether they were ended.
import { Readable } from 'node:stream';
import type { RowStream } from './reply.ts';

export interface Source {
  /** How many pieces were read of it. */
  readCount: number;
  isEnded: boolean;
}

/** Rows in batches of ten, `count` of them; a batch that would hold row `failing` fails. */
export function rowsOf(
  count: number,
  { failingRow }: { failingRow?: number } = {},
): { rows: RowStream; source: Source } {
  const source: Source = { readCount: 0, isEnded: false };
  const batches: AsyncIterator<Awaited<ReturnType<typeof batchOf>>> = {
    async next() {
      const first = source.readCount * 10;
      if (failingRow !== undefined && failingRow < first + 10) throw new Error('the database is gone');
      if (first >= count) return { done: true, value: undefined };
      source.readCount += 1;
      return { done: false, value: batchOf(first, Math.min(count, first + 10)) };
    },
    async return() {
      source.isEnded = true;
      return { done: true, value: undefined };
    },
  };
  const meta = async (total: number) => `,"meta":{"count":${total}}`;
  return { rows: { batches: { [Symbol.asyncIterator]: () => batches }, meta }, source };
}

function batchOf(from: number, to: number) {
  const list = Array.from({ length: to - from }, (_, index) => ({ id: from + index }));
  return { count: list.length, json: () => JSON.stringify(list), list: () => list, withKeys: () => [] };
}

/** Opens a stream of `count` chunks of `size` bytes, which fails instead of ending with `isFailing`. */
export function streamOf(
  count: number,
  size: number,
  { isFailing = false } = {},
): { open: () => Readable; source: Source & { openCount: number } } {
  const source = { readCount: 0, openCount: 0, isEnded: false };
  const open = () => {
    source.openCount += 1;
    return new Readable({
      read() {
        if (source.readCount < count) {
          source.readCount += 1;
          this.push(Buffer.alloc(size, 97 + (source.readCount % 26)));
        } else if (isFailing) this.destroy(new Error('the disk is gone'));
        else this.push(null);
      },
      destroy(error, done) {
        source.isEnded = true;
        done(error);
      },
    });
  };
  return { open, source };
}
