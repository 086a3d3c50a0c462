// Notices by Redis: PUBLISH and SUBSCRIBE, for which a connection each is needed.
import type { Redis } from 'ioredis';
import { StartError } from '../../settings/start-error.ts';
import type { Connect } from './connected.ts';

/** Milliseconds until an attempt to connect counts as failed. */
const connectTimeout = 5_000;

/** `redis://…` or `rediss://…` as a person may read it: without user and password. Throws StartError on anything else. */
export function redisPlace(url: string): string {
  const isAddress = /^rediss?:\/\//i.test(url) && URL.canParse(url);
  // The rest may hold a password, so nothing of it is said.
  if (!isAddress) throw new StartError('SLUICE_REDIS_URL must be an address that begins with redis:// or rediss://.');
  const { hostname, port } = new URL(url);
  return `${hostname || 'localhost'}:${port || '6379'}`;
}

/** Opens lines to the Redis server of `url`; loads the client. */
export async function redisLines(url: string): Promise<Connect> {
  const { Redis } = await import('ioredis');
  return async ({ channels, heard, lost }) => {
    // Connecting again is the business of connected.ts, which knows what was missed in between.
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
      await Promise.all([connected(sender, lost), connected(listener, lost)]);
      listener.on('message', (_channel, text) => heard(text));
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

/** Connects; the client says only "Connection is closed." to who asked, and the reason beside it as an event. */
async function connected(redis: Redis, lost: (error: Error) => void): Promise<void> {
  let reason: Error | undefined;
  redis.on('error', (error: Error) => {
    reason = error;
  });
  redis.on('end', () => lost(withWords(reason ?? new Error('the connection was closed'))));
  try {
    await redis.connect();
  } catch (error) {
    throw withWords(reason ?? (error as Error));
  }
}

/** What Redis says to those it does not let in, and what that means. */
const refusals: [RegExp, string][] = [
  [/^NOAUTH/, 'it wants a password.'],
  [/^(WRONGPASS|ERR AUTH|ERR invalid password)/, 'the user name or the password is not right.'],
];

/**
 * The error in one line. Not the client's own: that has the command it failed at as a property, password included; and
 * where a name leads to several addresses the message is empty.
 */
function withWords({ message, code }: Error & { code?: string }): Error {
  const refusal = refusals.find(([words]) => words.test(message))?.[1];
  return new Error(refusal ?? (message.split('\n')[0] || code || 'no reason given'));
}
