// What a socket receives, on its way to the driver: a message of many bytes (a record with a long text) is collected in memory of
// its size and handed on whole, in a turn of its own. The driver would copy it each time it doubles, and reading it takes the
// thread of all calls for tens of milliseconds: however many connections receive such messages at once, others come in between.
// Small messages are handed on as they come, but no more of them in a round of the event loop than a chunk or two: where there is
// more to read, Node reads a socket 32 times before it looks at any other.
import { setImmediate, setTimeout } from 'node:timers/promises';
import { takeTurn } from '../../shares/index.ts';

/** Bytes from which a message is read in a turn of its own. */
const largeMessage = 256 * 1024;
/** Bytes from which a chunk of small messages counts as long: one of 64 KB takes milliseconds to read and to print. */
const longChunk = 32 * 1024;
/** Bytes from which a connection is broken off: no text in memory can be so long. */
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

/** Stands between a socket and the listeners of its data. Between two messages: the first byte that comes begins one. */
export function separateLargeMessages(stream: MessageStream, framing: Framing): void {
  const [listener] = stream.listeners('data') as ((chunk: Buffer) => void)[];
  if (!listener) return;
  stream.off('data', listener);
  const messages = new MessageSeparator(stream, framing, listener);
  stream.on('data', (chunk) => messages.receive(chunk));
}

/** The turns of all connections. */
let lastTurn: Promise<unknown> = Promise.resolve();

/** Runs when all other connections have been served once; as long as it took, the thread is for others, who send such answers. */
function inTurn(run: () => void): Promise<void> {
  const turn = lastTurn.then(async () => {
    await takeTurn();
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  lastTurn = turn.then((time) => setTimeout(time));
  return turn.then(() => {});
}

/** Whether a long chunk was handed on in this round. */
let isRoundTaken = false;

/** Takes this round for a long chunk; false where it is taken. */
function takeRound(): boolean {
  if (isRoundTaken) return false;
  isRoundTaken = true;
  void setImmediate().then(() => (isRoundTaken = false));
  return true;
}

class MessageSeparator {
  private readonly stream: MessageStream;
  private readonly framing: Framing;
  private readonly listener: (bytes: Buffer) => void;
  /** Bytes that are still to come of a message whose beginning was handed on. */
  private remaining = 0;
  /** The beginning of a header. */
  private head: Buffer | undefined;
  private large: { bytes: Buffer; filled: number } | undefined;
  /** What arrived while a large message waits for its turn. */
  private waiting: Buffer[] | undefined;

  constructor(stream: MessageStream, framing: Framing, listener: (bytes: Buffer) => void) {
    this.stream = stream;
    this.framing = framing;
    this.listener = listener;
  }

  receive(chunk: Buffer): void {
    if (this.waiting) this.waiting.push(chunk);
    else if (this.large) this.fill(this.large, chunk);
    else if (chunk.length < longChunk || takeRound()) this.separate(chunk);
    else void this.takeNextRound(chunk);
  }

  private async takeNextRound(chunk: Buffer): Promise<void> {
    this.waiting = [];
    const isWanted = !this.stream.isPaused();
    this.stream.pause();
    await takeTurn();
    if (isWanted) this.stream.resume();
    const chunks = this.waiting;
    this.waiting = undefined;
    this.separate(chunk);
    for (const one of chunks) this.receive(one);
  }

  private separate(received: Buffer): void {
    const chunk = this.head ? Buffer.concat([this.head, received]) : received;
    this.head = undefined;
    const { framing } = this;
    let next = this.remaining;
    while (next + framing.headerLength <= chunk.length) {
      const length = framing.lengthAt(chunk, next);
      if (length >= largeMessage) {
        this.begin(chunk, next, length);
        return;
      }
      next += length;
    }
    this.remaining = Math.max(0, next - chunk.length);
    const isCut = next < chunk.length;
    if (isCut) this.head = chunk.subarray(next);
    if (next > 0) this.deliver(isCut ? chunk.subarray(0, next) : chunk);
  }

  private begin(chunk: Buffer, start: number, length: number): void {
    if (start > 0) this.deliver(chunk.subarray(0, start));
    if (length > maxMessage) {
      this.waiting = [];
      this.stream.destroy(new Error(`Connection terminated: a message of ${length} bytes`));
      return;
    }
    this.remaining = 0;
    this.large = { bytes: Buffer.allocUnsafeSlow(length), filled: 0 };
    this.fill(this.large, chunk.subarray(start));
  }

  private fill(large: { bytes: Buffer; filled: number }, chunk: Buffer): void {
    const copied = chunk.copy(large.bytes, large.filled);
    large.filled += copied;
    if (large.filled === large.bytes.length) void this.takeTurns(large.bytes, chunk.subarray(copied));
  }

  /** Hands on a large message in one turn, and in another what follows it, which may end the answer that it belongs to. */
  private async takeTurns(message: Buffer, rest: Buffer): Promise<void> {
    this.large = undefined;
    this.waiting = [rest];
    let isWanted = !this.stream.isPaused();
    this.stream.pause();
    await inTurn(() => {
      if (isWanted) this.stream.resume();
      this.deliver(message);
      // The reader of the message may have paused the stream.
      isWanted = !this.stream.isPaused();
      this.stream.pause();
    });
    await inTurn(() => {
      if (isWanted) this.stream.resume();
      const chunks = this.waiting ?? [];
      this.waiting = undefined;
      for (const chunk of chunks) this.receive(chunk);
    });
  }

  private deliver(bytes: Buffer): void {
    try {
      if (!this.stream.destroyed) this.listener(bytes);
    } catch (error) {
      this.stream.destroy(error as Error);
    }
  }
}
