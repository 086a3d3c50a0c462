// A bus over a server that carries messages, Redis or PostgreSQL. A change takes effect in every other process before it is
// acknowledged: each answers a notice once it has dropped what it cached. While the connection is away, this process
// drops everything twice a second, and once it is back sends `allChanged` in place of the notices it could not send.
import { randomUUID } from 'node:crypto';
import { allChanged, type Bus, type BusLog, type Change, limitSize, maxCacheAge } from './bus.ts';
import { createListeners } from './local.ts';

/** An open connection to the server. */
export interface BusConnection {
  /** Sends to everyone on the channel; returns how many receivers the server counts, this process included. */
  send(channel: string, text: string): Promise<number>;
  /** Resolves when the server answers. */
  ping(): Promise<unknown>;
  /** Closes it at once, whatever is under way. */
  close(): void;
}

/** Opens a connection that listens to the channels; `onLoss` is called when it breaks later. Rejects when it cannot connect. */
export type Connect = (on: {
  channels: string[];
  onMessage(text: string): void;
  onLoss(error: Error): void;
}) => Promise<BusConnection>;

interface Parts {
  connect: Connect;
  /** Distinguishes the instance from others on the same server. */
  instance: string;
  /** The name of the server in the log. */
  server: string;
  log: BusLog;
}

/** Milliseconds a change waits for processes that do not answer: dead ones that the server still counts. */
const answerTimeout = 250;
/** Milliseconds between checks of the connection; while it is away, everything is dropped as often. */
const checkInterval = 500;
/** Unanswered pings in a row after which the connection counts as lost. */
const maxUnansweredPings = 3;

type Message = { from: string; number: number; change: Change } | { answers: number };

const channelOf = (id: string) => `sluice-changes-${id}`;

/** Opens the bus; rejects with the server's words when it cannot be reached. */
export async function openConnectedBus({ connect, instance, server, log }: Parts): Promise<Bus> {
  const processId = randomUUID();
  const { subscribe, notify } = createListeners(log);
  /** Notices that wait for answers, by number; the function is called at each answer. */
  const pendingAnswers = new Map<number, () => void>();
  let sentCount = 0;
  let line: BusConnection | undefined;
  let isOpening = false;
  let isClosed = false;
  let unansweredPings = 0;
  /** Whether a notice was not sent, or may not have been. */
  let hasMissedNotice = false;

  async function receive(text: string): Promise<void> {
    const message = JSON.parse(text) as Message;
    if ('answers' in message) return pendingAnswers.get(message.answers)?.();
    // The sender counts as a receiver: its own notice comes back to it like any other, and changes nothing.
    if (message.from === processId) return pendingAnswers.get(message.number)?.();
    await notify(message.change);
    await line?.send(channelOf(message.from), JSON.stringify({ answers: message.number } satisfies Message));
  }

  async function openLine(): Promise<void> {
    let opened: BusConnection | undefined;
    let broken: Error | undefined;
    opened = await connect({
      channels: [channelOf(instance), channelOf(processId)],
      onMessage: (text) => {
        // An unreadable notice still says that something changed; an answer that cannot be sent makes the sender wait.
        receive(text).catch(() => notify(allChanged));
      },
      onLoss: (error) => {
        broken ??= error;
        if (opened !== undefined && opened === line) handleLoss(error);
      },
    });
    if (broken || isClosed) {
      opened.close();
      throw broken ?? new Error('closed');
    }
    unansweredPings = 0;
    line = opened;
  }

  function handleLoss(error: Error): void {
    const broken = line;
    line = undefined;
    broken?.close();
    if (isClosed) return;
    log.warn(
      { reason: error.message },
      `The connection to ${server} was lost. Nothing is cached for longer than half a second until it is back.`,
    );
    void notify(allChanged);
    void reopen();
  }

  async function reopen(): Promise<void> {
    if (isOpening || isClosed) return;
    isOpening = true;
    try {
      await openLine();
    } catch {
      // The next check tries again.
      return;
    } finally {
      isOpening = false;
    }
    log.info({}, `The connection to ${server} is back.`);
    await notify(allChanged);
    await sendMissedNotice();
  }

  async function sendMissedNotice(): Promise<void> {
    if (!hasMissedNotice) return;
    hasMissedNotice = false;
    await send(allChanged).catch(() => {
      hasMissedNotice = true;
    });
  }

  /** Sends a notice and waits until every receiver has dropped its cache, at most for `answerTimeout`. */
  async function send(change: Change): Promise<void> {
    if (!line) throw new Error('it is not connected');
    sentCount += 1;
    const number = sentCount;
    let answers = 0;
    let receivers = Number.POSITIVE_INFINITY;
    let finish = () => {};
    const answeredOrTimedOut = new Promise<void>((resolve) => {
      finish = resolve;
    });
    pendingAnswers.set(number, () => {
      answers += 1;
      if (answers >= receivers) finish();
    });
    const timer = setTimeout(finish, answerTimeout);
    try {
      const text = JSON.stringify({ from: processId, number, change: limitSize(change) } satisfies Message);
      const published = line.send(channelOf(instance), text).then((count) => {
        receivers = count;
        if (answers >= receivers) finish();
      });
      await Promise.race([published.then(() => answeredOrTimedOut), answeredOrTimedOut]);
      if (receivers === Number.POSITIVE_INFINITY) throw new Error('it does not answer');
    } finally {
      clearTimeout(timer);
      pendingAnswers.delete(number);
    }
  }

  function checkLine(): void {
    if (!line) {
      void notify(allChanged);
      void reopen();
      return;
    }
    // Counted in pings, not by a clock: after a long pause of this process the answer has come, but is not read yet.
    if (unansweredPings >= maxUnansweredPings) {
      handleLoss(new Error('it does not answer'));
      return;
    }
    unansweredPings += 1;
    const pingedLine = line;
    pingedLine.ping().then(
      () => {
        if (pingedLine === line) unansweredPings = 0;
      },
      () => {},
    );
    void sendMissedNotice();
  }

  await openLine();
  const checkTimer = setInterval(checkLine, checkInterval).unref();
  const dropTimer = setInterval(() => void notify(allChanged), maxCacheAge).unref();

  return {
    subscribe,
    async publish(change) {
      await notify(change);
      try {
        await send(change);
      } catch (error) {
        if (!hasMissedNotice)
          log.warn(
            { reason: (error as Error).message },
            `A change could not be told to other processes by ${server}; it is made up for when that answers again.`,
          );
        hasMissedNotice = true;
      }
    },
    async close() {
      isClosed = true;
      clearInterval(checkTimer);
      clearInterval(dropTimer);
      const current = line;
      line = undefined;
      current?.close();
    },
  };
}
