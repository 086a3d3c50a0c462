// Answers in pieces of 64 KB: what is written is released piece by piece, and a slow reader never holds a copy of the whole
// in the buffers of a connection.
import { Readable } from 'node:stream';
import { pause } from '@sluice/sql';
import { type Reservation, shortAnswer } from '../call/byte-budget.ts';
import { isHighSurrogate } from '../call/formats/short.ts';

/** Content as bytes, in pieces that share no memory with each other unless it was bytes before. */
export function cutIntoPieces(content: string | Uint8Array): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < content.length; ) {
    let end = start + shortAnswer;
    if (typeof content === 'string') {
      // The halves of a character stay together.
      if (isHighSurrogate(content.charCodeAt(end - 1))) end += 1;
      pieces.push(Buffer.from(content.slice(start, end)));
    } else pieces.push(Buffer.from(content.buffer, content.byteOffset + start, Math.min(end, content.length) - start));
    start = end;
  }
  return pieces;
}

export const sizeOf = (pieces: readonly Buffer[]): number => pieces.reduce((size, { length }) => size + length, 0);

/** Hands out pieces that are counted already, and releases each when the next one is asked for. */
export function streamPieces(pieces: Buffer[], memory: Reservation | undefined): Readable {
  let written = 0;
  return new Readable({
    highWaterMark: 1,
    read() {
      memory?.release(written);
      const piece = pieces.shift();
      written = piece?.length ?? 0;
      this.push(piece ?? null);
    },
  });
}

/** Cuts what a source hands out, and counts it until the next piece is asked for. */
export async function* countPieces(
  source: AsyncIterable<string | Uint8Array>,
  memory: Reservation | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const content of source) {
    const pieces = cutIntoPieces(content);
    memory?.add(sizeOf(pieces));
    for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
      yield piece;
      memory?.release(piece.length);
      await pause();
    }
  }
}
