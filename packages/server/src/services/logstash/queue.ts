// What waits for a server, in memory: bounded, sent one after the other beside all calls. What is too much is dropped and counted.
import type { Transport } from './transport.ts';

export interface LogQueue {
  /** Takes a message and returns at once. */
  add(message: Buffer): void;
  /** Sends what waits, within a moment, and ends. */
  close(): Promise<void>;
}

export interface LogQueueOptions {
  transport: Transport;
  /** A message that says how many were dropped, once the server is there again. */
  dropped(count: number): Buffer;
  log: { warn(details: object, message: string): void };
  maxMessages?: number;
  maxBytes?: number;
  /** Milliseconds after a failure, which double up to `longestPause`. */
  firstPause?: number;
}

const longestPause = 30_000;
/** Milliseconds that are left for what waits when the service closes, and between two lines in the log. */
const closeTime = 1_000;
const warnInterval = 60_000;

export function createLogQueue({
  transport,
  dropped,
  log,
  maxMessages = 1_000,
  maxBytes = 8 * 1024 * 1024,
  firstPause = 1_000,
}: LogQueueOptions): LogQueue {
  const waiting: Buffer[] = [];
  let bytes = 0;
  let lost = 0;
  let sending: Promise<void> | undefined;
  let isClosed = false;
  let warnedAt = 0;
  let wake: (() => void) | undefined;

  const rest = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  function warn(error: unknown): void {
    if (Date.now() - warnedAt < warnInterval) return;
    warnedAt = Date.now();
    log.warn({ err: error, waiting: waiting.length, dropped: lost }, 'The log server does not take messages.');
  }

  async function sendAll(): Promise<void> {
    let pause = firstPause;
    for (let next = waiting[0]; next; next = waiting[0]) {
      try {
        await transport.send(next);
        waiting.shift();
        bytes -= next.length;
        pause = firstPause;
        if (lost > 0) {
          const count = lost;
          lost = 0;
          await transport.send(dropped(count)).catch(() => {
            lost += count;
          });
        }
      } catch (error) {
        warn(error);
        if (isClosed) return;
        await rest(pause);
        pause = Math.min(2 * pause, longestPause);
      }
    }
  }

  function start(): void {
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
  }

  return {
    add(message) {
      if (isClosed) return;
      if (waiting.length >= maxMessages || bytes + message.length > maxBytes) {
        lost += 1;
        warn(undefined);
        return;
      }
      waiting.push(message);
      bytes += message.length;
      start();
    },
    async close() {
      isClosed = true;
      wake?.();
      await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, closeTime).unref())]);
      waiting.length = 0;
      transport.close();
    },
  };
}
