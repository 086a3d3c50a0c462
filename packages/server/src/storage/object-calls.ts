// Calls of the servers of object storages: how long they may take. A server that answers nothing, or a byte now and then, holds
// no call for ever.
import { PassThrough, pipeline, Readable } from 'node:stream';
import { type Failure, fail } from '@sluice/contract';

/** Milliseconds. */
export const remoteLimits = {
  /** Until a connection is there. */
  connect: 10_000,
  /** Until a call that carries no file is answered. */
  answer: 60_000,
  /** Without a byte in either direction while a file is read or written. */
  idle: 60_000,
  /** Each of these spans of waiting must bring `leastBytes`. */
  pace: 300_000,
  leastBytes: 64 * 1024,
};

/** A failure that a server took too long. */
export const timeoutFailure = (milliseconds: number): Failure =>
  fail('file.timeout', { seconds: Math.ceil(milliseconds / 1000) });

/** Runs a call with a signal that aborts it when it takes too long. */
export async function withDeadline<T>(
  run: (signal: AbortSignal) => Promise<T>,
  milliseconds: number = remoteLimits.answer,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await run(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? timeoutFailure(milliseconds) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** A stream of a server that fails when the server pauses or trickles; a reader may be as slow as it likes. */
export function pacedStream(source: Readable, { idle, pace, leastBytes } = remoteLimits): Readable {
  const output = new PassThrough();
  const step = Math.min(1_000, idle / 4);
  let sinceByte = 0;
  let waited = 0;
  let bytes = 0;
  const timer = setInterval(() => {
    if (output.writableNeedDrain) return;
    sinceByte += step;
    waited += step;
    if (sinceByte >= idle) output.destroy(timeoutFailure(idle));
    else if (waited >= pace) {
      if (bytes < leastBytes) output.destroy(timeoutFailure(pace));
      waited = 0;
      bytes = 0;
    }
  }, step).unref();
  source.on('data', (chunk: Buffer) => {
    sinceByte = 0;
    bytes += chunk.length;
  });
  // Pauses the source again until the pipeline reads it.
  source.pause();
  pipeline(source, output, () => clearInterval(timer));
  return output;
}

/** The file of a caller on its way to a server; `signal` fires when the server takes no more of it, or gives no answer. */
export interface Upload {
  body: Readable;
  signal: AbortSignal;
  /** The error of the source, if that is what ended it: the caller went away, its body was too long. */
  sourceError(): unknown;
  end(): void;
}

export function watchUpload(source: Readable, idle: number = remoteLimits.idle): Upload {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  const disarm = () => clearTimeout(timer);
  const arm = () => {
    disarm();
    timer = setTimeout(() => controller.abort(), idle);
  };
  const chunks = async function* (): AsyncGenerator<Buffer> {
    disarm();
    try {
      for await (const chunk of source) {
        arm();
        yield chunk as Buffer;
        disarm();
      }
    } catch (error) {
      disarm();
      failure = error;
      throw error;
    }
    arm();
  };
  // Until the server asks for the first of it.
  arm();
  return {
    body: Readable.from(chunks(), { objectMode: false }),
    signal: controller.signal,
    sourceError: () => failure,
    end: disarm,
  };
}

/** Sends a file with `send`. A failure of the source is thrown as it is, since it is not the server's. */
export async function upload<T>(
  source: Readable,
  send: (upload: Upload) => Promise<T>,
  idle: number = remoteLimits.idle,
): Promise<T> {
  const watched = watchUpload(source, idle);
  try {
    return await send(watched);
  } catch (error) {
    throw watched.sourceError() ?? (watched.signal.aborted ? timeoutFailure(idle) : error);
  } finally {
    watched.end();
    watched.body.destroy();
  }
}
