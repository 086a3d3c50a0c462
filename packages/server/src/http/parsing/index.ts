// Bodies of identified callers, parsed. Large ones of CSV, XML, forms and parts have a thread beside the one that answers calls, one
// at a time, callers by round robin. The thread is ended when a body takes too much time or memory.
import { Failure, fail, type MaybePromise } from '@sluice/contract';
import { acquireSlot, FairSlots, type Waiter } from '@sluice/sql';
import { unmarkNumbers } from '../../call/formats/exact-numbers.ts';
import { isMultipart } from '../../call/formats/multipart.ts';
import { createThread } from '../../service/thread.ts';
import { parseBytes } from './parse-bytes.ts';
import type { ParseRequest, ParseResult } from './worker.ts';

/** Bytes up to which a body is parsed by the thread that answers calls: JSON takes 0.25 s for 10 MB, the rest ten times that. */
const parsedInline = (contentType: string): number =>
  (/json/i.test(contentType) && !isMultipart(contentType) ? 10 * 1024 : 16) * 1024;

/** Milliseconds that the thread may take for one body, and that a body may wait for others. */
const parseTime = 10_000;
const waitTime = 30_000;
/** Milliseconds without work after which the thread ends. */
const idleTime = 30_000;
/** Megabytes the thread may take: enough for all that the bounds of a body allow, more only where bodies may be larger. */
const memoryFor = (bodyLimit: number): number => Math.max(256, Math.ceil((20 * bodyLimit) / 2 ** 20));

/** The sender of a body, and whether it still waits for an answer. */
export interface Sender {
  readonly callerKey: string;
  readonly signal: AbortSignal;
}

export interface BodyParser {
  /** A 400 where the body takes too much time or memory, a 503 where it waited too long. */
  parse(bytes: Buffer, contentType: string, isForSpreadsheet: boolean, sender: Sender): MaybePromise<unknown>;
  close(): Promise<void>;
}

/**
 * Bodies have at most `bodyLimit` bytes. How many wait is bounded by what bodies may have of memory. `onFailure` is called
 * when the thread fails while it has nothing to do.
 */
export function createBodyParser(
  bodyLimit: number,
  onFailure: (error: Error) => void,
  timeLimit = parseTime,
): BodyParser {
  const thread = createThread({
    filename: new URL(import.meta.url.endsWith('.ts') ? './from-source.mjs' : './parse.js', import.meta.url).href,
    name: 'parse',
    idleTimeout: idleTime,
    memory: memoryFor(bodyLimit),
  }).on('error', onFailure);
  const slots = new FairSlots<Waiter>({
    total: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingOfOne: Number.POSITIVE_INFINITY,
    failures: {
      full: () => fail('http.tooManyBodies'),
      ownFull: () => fail('http.tooManyOwnBodies'),
      late: () => fail('http.tooManyBodies'),
      gone: () => fail('http.bodyBroken'),
    },
  });

  async function parseInThread(request: ParseRequest, { callerKey, signal }: Sender): Promise<unknown> {
    const release = await acquireSlot(slots, callerKey, { signal, timeout: waitTime });
    try {
      const { bytes } = request;
      const isWhole = bytes.byteLength === bytes.buffer.byteLength;
      return readResult(
        await thread.run(request, {
          signal: AbortSignal.timeout(timeLimit),
          transferList: isWhole ? [bytes.buffer as ArrayBuffer] : [],
        }),
      );
    } catch (error) {
      throw isTooCostly(error as Error) ? fail('http.bodyTooCostly', undefined, { cause: error }) : error;
    } finally {
      release();
    }
  }

  return {
    parse: (bytes, contentType, isForSpreadsheet, sender) =>
      bytes.length <= parsedInline(contentType)
        ? parseBytes(bytes, contentType, isForSpreadsheet)
        : parseInThread({ bytes, contentType, isForSpreadsheet }, sender),
    close: () => thread.destroy(),
  };
}

const isTooCostly = ({ name, code }: Error & { code?: string }): boolean =>
  name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY';

function readResult(result: ParseResult): unknown {
  if ('value' in result) return result.hasMarks ? unmarkNumbers(result.value) : result.value;
  const { key, status, message, hint } = result.failure;
  throw new Failure(key, status, message, { hint });
}
