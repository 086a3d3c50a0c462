// Notices by Redis: PUBLISH and SUBSCRIBE, which need a connection each.
import type { Redis } from 'ioredis';
import { StartError } from '../../settings/start-error.ts';
import type { Connect } from './connected.ts';

/** Milliseconds until an attempt to connect counts as failed. */
const connectTimeout = 5_000;

/** `redis://…` or `rediss://…` as a person may read it: without user and password. Throws StartError on anything else. */
export function redisAddress(url: string): string {
  const isAddress = /^rediss?:\/\//i.test(url) && URL.canParse(url);
  // The rest may hold a password, so the message shows nothing of it.
  if (!isAddress) throw new StartError('SLUICE_REDIS_URL must be an address that begins with redis:// or rediss://.');
  const { hostname, port } = new URL(url);
  return `${hostname || 'localhost'}:${port || '6379'}`;
}

/** Connects to the Redis server of `url`; loads the client. */
export async function connectRedis(url: string): Promise<Connect> {
  const { Redis } = await import('ioredis');
  return async ({ channels, onMessage, onLoss }) => {
    // connected.ts reconnects, since it knows what was missed in between.
    const options = {
      lazyConnect: true,
      enableOfflineQueue: false,
      // A server that still loads its data carries messages already.
      enableReadyCheck: false,
      retryStrategy: null,
      connectTimeout,
      connectionName: channels[0] ?? '',
    };
    const sender = new Redis(url, options);
    const listener = new Redis(url, options);
    const close = () => {
      sender.disconnect();
      listener.disconnect();
    };
    try {
      await Promise.all([connectClient(sender, onLoss), connectClient(listener, onLoss)]);
      listener.on('message', (_channel, text) => onMessage(text));
      await listener.subscribe(...channels);
    } catch (error) {
      close();
      throw error;
    }
    return {
      send: (channel, text) => sender.publish(channel, text),
      ping: () => Promise.all([sender.ping(), listener.ping()]),
      close,
    };
  };
}

/** Connects. The client rejects with "Connection is closed." only; the reason comes as an event. */
async function connectClient(redis: Redis, onLoss: (error: Error) => void): Promise<void> {
  let reason: Error | undefined;
  redis.on('error', (error: Error) => {
    reason = error;
  });
  redis.on('end', () => onLoss(readableError(reason ?? new Error('the connection was closed'))));
  try {
    await redis.connect();
  } catch (error) {
    throw readableError(reason ?? (error as Error));
  }
}

/** How Redis refuses a connection, and what that means. */
const refusalTexts: [RegExp, string][] = [
  [/^NOAUTH/, 'it wants a password.'],
  [/^(WRONGPASS|ERR AUTH|ERR invalid password)/, 'the user name or the password is not right.'],
];

/**
 * The error in one line. Not the client's own: that has the command it failed at as a property, password included; and
 * where a name leads to several addresses the message is empty.
 */
function readableError({ message, code }: Error & { code?: string }): Error {
  const refusal = refusalTexts.find(([pattern]) => pattern.test(message))?.[1];
  return new Error(refusal ?? (message.split('\n')[0] || code || 'no reason given'));
}
