// A bus over a server that carries messages, Redis or PostgreSQL. A change acts in every other process before it is
// acknowledged: each answers a notice once it has dropped what it cached. While the connection is away, this process
// drops everything twice a second, and says "anything may have changed" for the notices it could not send.
import { randomUUID } from 'node:crypto';
import { anything, type Bus, type BusLog, type Change, longest, shortened } from './bus.ts';
import { listenersHere } from './local.ts';

/** An open connection to the server. */
export interface Line {
  /** Sends to everyone on the channel; answers how many the server counts there, this process included. */
  send(channel: string, text: string): Promise<number>;
  /** Resolves when the server answers. */
  ping(): Promise<unknown>;
  /** Ends it at once, whatever is under way. */
  close(): void;
}

/** Opens a line that hears the channels; `lost` is called when it breaks later on. Rejects when there is none to be had. */
export type Connect = (on: {
  channels: string[];
  heard(text: string): void;
  lost(error: Error): void;
}) => Promise<Line>;

interface Parts {
  connect: Connect;
  /** What the instance is told apart by from others on the same server. */
  instance: string;
  /** How the log calls the server. */
  server: string;
  log: BusLog;
}

/** Milliseconds a change waits for processes that do not answer: dead ones the server still counts. */
const patience = 250;
/** Milliseconds between looks at the connection; while it is away, everything is dropped as often. */
const lookEvery = 500;
/** Looks in a row without an answer after which the connection counts as lost. */
const mostUnanswered = 3;

type Message = { from: string; number: number; change: Change } | { answers: number };

const channelOf = (id: string) => `sluice-changes-${id}`;

/** Opens the bus; rejects with the server's words when it can not be reached. */
export async function connectedBus({ connect, instance, server, log }: Parts): Promise<Bus> {
  const me = randomUUID();
  const { subscribe, tell } = listenersHere(log);
  /** Notices that wait for answers, by number; called at each. */
  const waiting = new Map<number, () => void>();
  let sent = 0;
  let line: Line | undefined;
  let isOpening = false;
  let isClosed = false;
  let unanswered = 0;
  /** Whether a notice did not get out, or may not have. */
  let owesNotice = false;

  async function heard(text: string): Promise<void> {
    const message = JSON.parse(text) as Message;
    if ('answers' in message) return waiting.get(message.answers)?.();
    // The sender counts itself too: its own notice comes back to it like any other, and changes nothing.
    if (message.from === me) return waiting.get(message.number)?.();
    await tell(message.change);
    await line?.send(channelOf(message.from), JSON.stringify({ answers: message.number } satisfies Message));
  }

  async function open(): Promise<void> {
    let opened: Line | undefined;
    let broken: Error | undefined;
    opened = await connect({
      channels: [channelOf(instance), channelOf(me)],
      heard: (text) => {
        // A notice that can't be read is still one; an answer that can't be sent costs the sender its patience.
        heard(text).catch(() => tell(anything));
      },
      lost: (error) => {
        broken ??= error;
        if (opened !== undefined && opened === line) lost(error);
      },
    });
    if (broken || isClosed) {
      opened.close();
      throw broken ?? new Error('closed');
    }
    unanswered = 0;
    line = opened;
  }

  function lost(error: Error): void {
    const broken = line;
    line = undefined;
    broken?.close();
    if (isClosed) return;
    log.warn(
      { reason: error.message },
      `The connection to ${server} was lost. Nothing is cached for longer than half a second until it is back.`,
    );
    void tell(anything);
    void openAgain();
  }

  async function openAgain(): Promise<void> {
    if (isOpening || isClosed) return;
    isOpening = true;
    try {
      await open();
    } catch {
      // The next look tries again.
      return;
    } finally {
      isOpening = false;
    }
    log.info({}, `The connection to ${server} is back.`);
    await tell(anything);
    await sendOwed();
  }

  async function sendOwed(): Promise<void> {
    if (!owesNotice) return;
    owesNotice = false;
    await send(anything).catch(() => {
      owesNotice = true;
    });
  }

  /** Sends a notice and waits until everyone who got it has dropped theirs, but not for ever. */
  async function send(change: Change): Promise<void> {
    if (!line) throw new Error('it is not connected');
    sent += 1;
    const number = sent;
    let answers = 0;
    let receivers = Number.POSITIVE_INFINITY;
    let finish = () => {};
    const answeredOrLate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    waiting.set(number, () => {
      answers += 1;
      if (answers >= receivers) finish();
    });
    const timer = setTimeout(finish, patience);
    try {
      const text = JSON.stringify({ from: me, number, change: shortened(change) } satisfies Message);
      const counted = line.send(channelOf(instance), text).then((count) => {
        receivers = count;
        if (answers >= receivers) finish();
      });
      await Promise.race([counted.then(() => answeredOrLate), answeredOrLate]);
      if (receivers === Number.POSITIVE_INFINITY) throw new Error('it does not answer');
    } finally {
      clearTimeout(timer);
      waiting.delete(number);
    }
  }

  function look(): void {
    if (!line) {
      void tell(anything);
      void openAgain();
      return;
    }
    // Counted in looks, not by a clock: after a long pause of this process the answer is there, only not read yet.
    if (unanswered >= mostUnanswered) {
      lost(new Error('it does not answer'));
      return;
    }
    unanswered += 1;
    const asked = line;
    asked.ping().then(
      () => {
        if (asked === line) unanswered = 0;
      },
      () => {},
    );
    void sendOwed();
  }

  await open();
  const looking = setInterval(look, lookEvery).unref();
  const renewing = setInterval(() => void tell(anything), longest).unref();

  return {
    subscribe,
    async publish(change) {
      await tell(change);
      try {
        await send(change);
      } catch (error) {
        if (!owesNotice)
          log.warn(
            { reason: (error as Error).message },
            `A change could not be told to other processes by ${server}; it is made up for when that answers again.`,
          );
        owesNotice = true;
      }
    },
    async close() {
      isClosed = true;
      clearInterval(looking);
      clearInterval(renewing);
      const open = line;
      line = undefined;
      open?.close();
    },
  };
}
