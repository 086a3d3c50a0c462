import type { Failure } from '@sluice/contract';

/** What waits as a promise. */
export interface Waiter {
  admit(): void;
  reject(error: Error): void;
}

/** A queue as far as one who waits needs it. */
export interface WaitingRoom {
  /** Throws when nobody may wait. */
  join(waiter: Waiter): void;
  leave(waiter: Waiter): void;
  /** The failure of a caller that disconnected. */
  goneFailure(): Failure;
}

/** What ends a wait: nothing when absent. */
export interface WaitLimits {
  /** The caller goes away. */
  signal?: AbortSignal | undefined;
  /** So many milliseconds pass. */
  deadline?: { timeout: number; failure(): Failure } | undefined;
}

/** Waits to be admitted, and leaves the room when the caller goes away or the time is over. */
export async function waitInTurn(room: WaitingRoom, { signal, deadline }: WaitLimits): Promise<void> {
  if (signal?.aborted) throw room.goneFailure();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  try {
    await new Promise<void>((admit, reject) => {
      const waiter: Waiter = { admit, reject };
      room.join(waiter);
      const giveUp = (failure: Failure) => {
        room.leave(waiter);
        reject(failure);
      };
      onAbort = () => giveUp(room.goneFailure());
      signal?.addEventListener('abort', onAbort, { once: true });
      if (deadline) timer = setTimeout(() => giveUp(deadline.failure()), deadline.timeout);
    });
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }
}
