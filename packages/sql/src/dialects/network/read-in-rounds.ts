// What a socket receives, on its way to the driver. Where there is more to read, Node reads a socket 32 times before it looks at
// any other, and reading one chunk can take milliseconds, or tens of them where it ends a record with a long text: then the
// socket waits for another round of the event loop.
import { pause } from '../../shares/index.ts';

/** Bytes from which a chunk, and what follows it, counts as long. */
const longChunk = 32 * 1024;
/** Bytes of a message from which a connection is broken off: no text in memory can be so long. */
const maxMessage = 512 * 1024 * 1024;

/** How a protocol says where a message ends. */
export interface Framing {
  /** Bytes at the beginning of a message, of which its length can be told. */
  headerLength: number;
  /** Bytes of the whole message that begins at `start`. */
  lengthAt(bytes: Buffer, start: number): number;
}

/** The socket of a connection. */
export interface MessageStream {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
  // biome-ignore lint/complexity/noBannedTypes: as Node has it
  listeners(event: 'data'): Function[];
  pause(): unknown;
  isPaused(): boolean;
  resume(): unknown;
  destroy(error: Error): unknown;
  readonly destroyed: boolean;
}

/** Puts itself between a socket and the listener to its data. Between two messages: the first byte that comes begins one. */
export function readInRounds(stream: MessageStream, framing: Framing): void {
  const [listener] = stream.listeners('data') as ((chunk: Buffer) => void)[];
  if (!listener) return;
  const limitMessages = messageLimit(framing);
  const waiting: Buffer[] = [];
  let isLong = false;
  const deliver = (chunk: Buffer) => {
    try {
      if (!stream.destroyed) limitMessages(chunk);
      if (!stream.destroyed) listener(chunk);
    } catch (error) {
      stream.destroy(error as Error);
    }
  };
  const deliverWaiting = async (round: Promise<unknown>) => {
    const isWanted = !stream.isPaused();
    stream.pause();
    await round;
    // First: the driver may want no more for now.
    if (isWanted) stream.resume();
    for (const chunk of waiting.splice(0)) deliver(chunk);
  };
  stream.off('data', listener);
  stream.on('data', (chunk) => {
    if (waiting.length > 0) {
      waiting.push(chunk);
      return;
    }
    const wasLong = isLong;
    isLong = chunk.length >= longChunk;
    const round = isLong || wasLong ? pause() : undefined;
    if (!round) return deliver(chunk);
    waiting.push(chunk);
    void deliverWaiting(round);
  });
}

/** Throws where a message is too long, before there is memory for it. */
function messageLimit({ headerLength, lengthAt }: Framing): (chunk: Buffer) => void {
  /** Bytes that are still to come of a message. */
  let remaining = 0;
  /** The beginning of a header. */
  let head: Buffer | undefined;
  return (chunk) => {
    const bytes = head ? Buffer.concat([head, chunk]) : chunk;
    let next = remaining;
    while (next + headerLength <= bytes.length) {
      const length = lengthAt(bytes, next);
      if (length > maxMessage) throw new Error(`Connection terminated: a message of ${length} bytes`);
      next += length;
    }
    remaining = Math.max(0, next - bytes.length);
    head = next < bytes.length ? bytes.subarray(next) : undefined;
  };
}
