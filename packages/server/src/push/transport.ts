// What sends notifications to devices: a push service, spoken to by the folder of its type.

/** What a call sends; each transport takes what it knows. */
export type Notification = Readonly<Record<string, unknown>>;

/** What became of a notification at one device. */
export interface Delivery {
  token: string;
  /** Absent: the push service took it. */
  problem?: {
    text: string;
    /** The token is that of no device any more; since when, where the push service says it. */
    isDead: boolean;
    deadSince?: Date;
  };
}

export interface PushTransport {
  /** Refuses a notification that no device could get; throws failures of the catalogue. */
  check(notification: Notification): void;
  /** Refuses a token that none of its devices can have. */
  checkToken(token: string): void;
  /** Sends to every token. Throws where no device can be reached at all: the login is wrong, the push service away. */
  send(tokens: readonly string[], notification: Notification, signal: AbortSignal): Promise<Delivery[]>;
  close?(): Promise<void>;
}

/** Runs work for every item, so many at once; with the first failure none is begun any more. */
export async function inLanes<T, R>(items: readonly T[], lanes: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  let hasFailed = false;
  const lane = async () => {
    for (const [index, item] of rest) {
      if (hasFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  return results;
}
