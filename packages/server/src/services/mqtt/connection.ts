// The connection to a broker that a service shares among its calls (MQTT 5, of older brokers 3.1.1). One that only publishes has a
// client id of its own and closes when it is idle; one that listens has the id of the configuration, so that a broker ends the
// former one of that id: two processes never both listen for long.
import { randomBytes } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { Failure, fail } from '@sluice/contract';
import type { IClientOptions, MqttClient } from 'mqtt';
import { type BrokerMessage, type Listening, maxGenerations } from '../../messages/broker.ts';
import { matchesTopic } from '../../messages/topics.ts';
import { serverProblems, serverWords } from '../../storage/network.ts';
import { readAuthorities } from './authorities.ts';

export interface BrokerOptions {
  host: string;
  port: number;
  clientId: string;
  username: string;
  password: string;
  useTls: boolean;
  caPath: string;
}

export interface BrokerTimes {
  /** Milliseconds until a connection is there, and until the broker answers a packet. */
  connect: number;
  answer: number;
  /** After which a connection that only publishes is closed. */
  idle: number;
}

const usualTimes: BrokerTimes = { connect: 10_000, answer: 10_000, idle: 60_000 };

/** Bytes of a message. */
export const maxMessage = 256 * 1024;
/** Bytes of a packet: a message, its topic and what MQTT 5 says of it. */
const maxPacket = maxMessage + 16 * 1024;
/** Messages that are on their way to the broker at once. */
const maxPublishing = 64;
/** Of MQTT 5: tells how many calls of messages led to a message. */
const generationProperty = 'sluice-generation';

export interface BrokerConnection {
  /** Publishes, and waits until the broker has the message. */
  publish(topic: string, content: Uint8Array, generation: number): Promise<void>;
  listen(onMessage: (message: BrokerMessage) => void): Promise<Listening>;
  /** Connects and leaves it at that. */
  test(): Promise<void>;
  close(): Promise<void>;
}

interface Link {
  client: MqttClient;
  /** Whether filters have numbers that messages come with. */
  hasIdentifiers: boolean;
  isMqtt5: boolean;
  /** Resolves when it is gone. */
  closed: Promise<string>;
  /** Called then, too: what waits for an answer of the broker, for as long as it waits. */
  waiting: Set<(reason: string) => void>;
}

export function openConnection(options: BrokerOptions, times: BrokerTimes = usualTimes): BrokerConnection {
  /** What is connected, or about to be; the one that listens goes before. */
  let publisher: Promise<Link> | undefined;
  let listener: Promise<Link> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let publishing = 0;
  /** Older brokers speak 3.1.1 alone. */
  let version: 4 | 5 = 5;
  let isClosed = false;
  const secrets = [options.password];

  async function connect(clientId: string): Promise<Link> {
    if (isClosed) throw unreachable('the service was changed');
    try {
      return await attempt(clientId, version);
    } catch (error) {
      if (version === 4 || !(error instanceof OldBroker)) throw error;
      const link = await attempt(clientId, 4);
      version = 4;
      return link;
    }
  }

  async function attempt(clientId: string, protocolVersion: 4 | 5): Promise<Link> {
    const { MqttClient } = await import('mqtt');
    const authorities = options.useTls ? await readAuthorities(options.caPath) : undefined;
    const settings: IClientOptions = {
      ...{ protocolVersion, protocolId: 'MQTT', clientId, clean: true, keepalive: 60 },
      // The timer below comes first.
      ...{ connectTimeout: times.connect + 1_000, reconnectPeriod: 0, resubscribe: false, queueQoSZero: false },
      ...(options.username ? { username: options.username, password: options.password } : {}),
      ...(protocolVersion === 5 ? { properties: { maximumPacketSize: maxPacket, receiveMaximum: 100 } } : {}),
    };
    let isReached = false;
    let problem: Error | undefined;
    const client = new MqttClient(() => {
      const { host, port } = options;
      const servername = isIP(host) === 0 ? { servername: host } : {};
      const socket: Socket = options.useTls
        ? connectTls({ host, port, ...servername, ...(authorities ? { ca: authorities } : {}) })
        : connectTcp({ host, port });
      socket.once(options.useTls ? 'secureConnect' : 'connect', () => {
        isReached = true;
      });
      socket.on('error', (error) => {
        problem ??= error;
      });
      boundPackets(socket);
      return socket as Duplex as never;
    }, settings);
    client.on('error', (error) => {
      problem ??= error;
    });
    const waiting: Link['waiting'] = new Set();
    const closed = new Promise<string>((resolve) => {
      client.once('close', () => {
        const reason = problem ? wordsOf(problem, secrets) : 'the broker closed the connection';
        for (const fail of waiting) fail(reason);
        resolve(reason);
      });
    });
    return new Promise<Link>((resolve, reject) => {
      const timer = setTimeout(() => {
        problem ??= Object.assign(new Error('it took too long'), { code: 'ETIMEDOUT' });
        client.end(true);
        reject(failureOf(problem, secrets));
      }, times.connect);
      client.once('connect', ({ properties }) => {
        clearTimeout(timer);
        const isMqtt5 = protocolVersion === 5;
        const hasIdentifiers = isMqtt5 && properties?.subscriptionIdentifiersAvailable !== false;
        resolve({ client, hasIdentifiers, isMqtt5, closed, waiting });
      });
      void closed.then(() => {
        clearTimeout(timer);
        client.end(true);
        const { code } = (problem ?? {}) as { code?: unknown };
        // Some refuse the version, some just close.
        const isOld = code === 1 || code === 132 || (isReached && problem === undefined);
        reject(isOld && protocolVersion === 5 ? new OldBroker() : failureOf(problem, secrets));
      });
    });
  }

  const forgetWhenClosed = (link: Promise<Link>, forget: () => void): void =>
    void link.then(({ closed }) => closed.then(forget), forget);

  function linkToPublish(): Promise<Link> {
    if (listener) return listener;
    if (!publisher) {
      const opening = connect(`${options.clientId}-${randomBytes(4).toString('hex')}`);
      publisher = opening;
      forgetWhenClosed(opening, () => {
        if (publisher === opening) publisher = undefined;
      });
    }
    return publisher;
  }

  async function endPublisher(): Promise<void> {
    clearTimeout(idle);
    const ending = publisher;
    publisher = undefined;
    await end(ending);
  }

  /** Ends one once what is under way is over, or at once. */
  async function end(link: Promise<Link> | undefined): Promise<void> {
    const open = await link?.catch(() => undefined);
    open?.client.end(true);
  }

  /** Fails when the broker does not answer, or is gone before it does. */
  async function answered<T>(link: Link, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(fail('message.timeout'));
        link.client.end(true);
      }, times.answer);
    });
    let leave = (_reason: string): void => {};
    const gone = new Promise<never>((_, reject) => {
      leave = (reason) => reject(unreachable(reason));
      if (link.client.disconnecting || !link.client.connected) leave('the connection was closed');
      link.waiting.add(leave);
    });
    try {
      return await Promise.race([work, late, gone]);
    } catch (error) {
      throw error instanceof Failure ? error : failureOf(error as Error, secrets);
    } finally {
      clearTimeout(timer);
      link.waiting.delete(leave);
    }
  }

  /** Answers why the broker refuses; throws where the connection is gone, or it does not answer. */
  async function subscribe(link: Link, filter: string, number: number): Promise<string | undefined> {
    const { client, hasIdentifiers } = link;
    const properties = hasIdentifiers ? { properties: { subscriptionIdentifier: number } } : {};
    const refusal = (error: Error) => ({ refusal: serverWords(error.message, secrets) });
    const subscribing = client.subscribeAsync(filter, { qos: 1, ...properties }).catch((error: Error) => {
      if (!client.connected) throw error;
      return refusal(error);
    });
    const granted = await answered(link, subscribing);
    if ('refusal' in granted) return granted.refusal;
    // Of MQTT 3.1.1 (§3.9.3).
    return granted.some(({ qos }) => qos >= 128) ? 'the broker refuses the topic' : undefined;
  }

  return {
    async publish(topic, content, generation) {
      if (publishing >= maxPublishing) throw fail('message.busy');
      publishing += 1;
      clearTimeout(idle);
      try {
        const link = await linkToPublish();
        const properties = { userProperties: { [generationProperty]: String(generation) } };
        const isPassedOn = link.isMqtt5 && generation > 0;
        await answered(
          link,
          link.client.publishAsync(topic, Buffer.from(content), { qos: 1, ...(isPassedOn ? { properties } : {}) }),
        );
      } finally {
        publishing -= 1;
        if (publishing === 0) idle = setTimeout(() => void endPublisher(), times.idle).unref();
      }
    },

    async listen(onMessage) {
      await end(listener);
      const opening = connect(options.clientId);
      listener = opening;
      forgetWhenClosed(opening, () => {
        if (listener === opening) listener = undefined;
      });
      const link = await opening;
      const { client, hasIdentifiers } = link;
      if (publishing === 0) void endPublisher();
      /** By their number, which is never used twice. */
      const filters = new Map<number, string>();
      let last = 0;
      client.on('message', (topic, content, { retain, properties }) => {
        // What the broker had kept is no message that arrives.
        if (retain) return;
        const numbers = [properties?.subscriptionIdentifier ?? []].flat();
        const found = hasIdentifiers
          ? numbers.flatMap((number) => filters.get(number) ?? [])
          : [...filters.values()].filter((filter) => matchesTopic(filter, topic));
        const generation = readGeneration(properties?.userProperties?.[generationProperty]);
        onMessage({ topic, content, generation, filters: found });
      });
      let pending: string | undefined;
      return {
        get pending() {
          return pending;
        },
        async setFilters(wanted) {
          const refused = new Map<string, string>();
          const known = [...filters.values()];
          const gone = [...filters].filter(([, filter]) => !wanted.includes(filter));
          for (const [number, filter] of gone) {
            filters.delete(number);
            await answered(link, client.unsubscribeAsync(filter));
          }
          for (const filter of wanted) {
            if (known.includes(filter)) continue;
            last += 1;
            filters.set(last, filter);
            pending = filter;
            const problem = await subscribe(link, filter, last);
            pending = undefined;
            if (problem === undefined) continue;
            filters.delete(last);
            refused.set(filter, problem);
          }
          return refused;
        },
        closed: link.closed,
        async close() {
          client.end(true);
          await link.closed;
        },
      };
    },

    async test() {
      const link = await connect(`${options.clientId}-${randomBytes(4).toString('hex')}`);
      link.client.end();
    },

    async close() {
      isClosed = true;
      await Promise.all([endPublisher(), end(listener)]);
    },
  };
}

/** The broker does not speak MQTT 5. */
class OldBroker extends Error {}

/** What anybody may have sent: a number within the bounds, or the last of them. */
function readGeneration(value: unknown): number {
  const text = Array.isArray(value) ? value.at(-1) : value;
  if (text === undefined) return 0;
  return /^\d{1,3}$/.test(String(text)) ? Math.min(Number(text), maxGenerations) : maxGenerations;
}

/** Closes a connection whose next packet says that it is longer than one may be: the library would gather it in memory. */
function boundPackets(socket: Socket): void {
  /** Bytes until the next packet begins; below that, its length is being read. */
  let left = 0;
  let header: { length: number; factor: number; bytes: number } | undefined;
  socket.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const step = Math.min(left, chunk.length - at);
        left -= step;
        at += step;
        continue;
      }
      const byte = chunk[at] as number;
      at += 1;
      // The first byte is the kind of the packet, up to four of its length follow (MQTT 5.0 §2.1.4).
      if (!header) {
        header = { length: 0, factor: 1, bytes: 0 };
        continue;
      }
      header.length += (byte & 127) * header.factor;
      header.factor *= 128;
      header.bytes += 1;
      if ((byte & 128) !== 0 && header.bytes < 4) continue;
      if ((byte & 128) !== 0 || header.length > maxPacket) {
        socket.destroy(new Error('the broker sent a packet that is too long'));
        return;
      }
      left = header.length;
      header = undefined;
    }
  });
}

const unreachable = (problem: string, cause?: unknown) => fail('message.unreachable', { problem }, { cause });

/** Codes by which brokers refuse who connects: of MQTT 3.1.1, and of MQTT 5. */
const loginCodes = new Set<unknown>([4, 5, 134, 135, 138, 140]);

const problems = new Map([
  ...serverProblems,
  ['EPIPE', 'it broke the connection off'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate is not trusted'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['EPROTO', 'it speaks no TLS there'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it speaks no TLS there'],
]);

function failureOf(error: Error | undefined, secrets: string[]): Failure {
  const { code } = (error ?? {}) as { code?: unknown };
  if (error instanceof Failure) return error;
  if (loginCodes.has(code)) return fail('message.loginRefused', { text: serverWords(error?.message ?? '', secrets) });
  if (typeof code === 'number') return fail('message.refused', { text: serverWords(error?.message ?? '', secrets) });
  return unreachable(error ? wordsOf(error, secrets) : 'it closed the connection', error);
}

const wordsOf = (error: Error, secrets: string[]): string =>
  problems.get((error as NodeJS.ErrnoException).code) ?? serverWords(error.message, secrets);
