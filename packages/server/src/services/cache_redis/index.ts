// A cache in Redis. The calls are the same for every cache (server/src/caches).
import { configField as field } from '@sluice/contract';
import { cacheType, prefixOf, ttlField } from '../../caches/index.ts';
import { checkHost, hostAddress, refuseField } from '../../storage/remote-config.ts';
import type { Store } from '../../store/index.ts';
import { openRedisValues } from './redis-values.ts';

const usualPort = 6379;

/** A cache of a Redis server; `store` has what tells this instance from others there. */
export const cacheRedis = (store: Pick<Store, 'db'>) =>
  cacheType({
    name: 'cache_redis',
    label: 'Redis',
    description: 'Cache on a Redis server.',
    config: {
      host: field.string({
        label: 'Host',
        description: 'Name or address of the Redis server.',
        default: '127.0.0.1',
        required: true,
        destination: true,
      }),
      port: field.integer({
        label: 'Port',
        description: 'Blank: 6379, the usual one.',
        default: usualPort,
        destination: true,
      }),
      password: field.secret({ label: 'Password', description: 'Blank: the server wants none.' }),
      database_index: field.integer({
        label: 'Database Index',
        description: 'The number of the database.',
        default: 0,
      }),
      ...ttlField,
      options: field.map({
        label: 'Options',
        description:
          'scheme: tls encrypts the connection. username: an account of the server. prefix: what its keys begin with, where other programs share them. timeout: seconds to connect. Others are ignored.',
        destination: ['scheme', 'username'],
      }),
    },
    check(config) {
      checkHost(config);
      const { database_index: index } = config;
      if (index !== null && index !== undefined && (index < 0 || index > 65_535))
        throw refuseField('database_index', 'The database_index must be between 0 and 65535.');
      checkOptions(config.options);
    },
    address: ({ host, port }) => hostAddress(host, port ?? usualPort),
    async open({ host, port, password, database_index, options }, { id }) {
      const { scheme, username, prefix, timeout } = optionsOf(options);
      const server = {
        ...{ host: host?.trim() ?? '', port: port ?? usualPort, database: database_index ?? 0 },
        ...{ username, password: password ?? '', isSecure: isSecure(scheme) },
        connectTimeout: 1000 * Math.min(Math.max(Number(timeout) || 5, 1), 30),
      };
      return openRedisValues(server, prefix || (await prefixOf(store, id)));
    },
  });

/** Those that count, as texts: values of a map may be of any type. */
const optionsOf = (options: Record<string, unknown> | null | undefined) => {
  const text = (name: string) => String(options?.[name] ?? '').trim();
  return { scheme: text('scheme'), username: text('username'), prefix: text('prefix'), timeout: text('timeout') };
};

const schemes = new Map<string, boolean>(Object.entries({ tcp: false, redis: false, tls: true, rediss: true }));
const isSecure = (scheme: string): boolean => schemes.get(scheme.toLowerCase() || 'tcp') ?? true;

/** What the keys of every instance begin with, those of its limits, for one. */
const ownPrefix = 'sluice:';

function checkOptions(options: Record<string, unknown> | null): void {
  const { scheme, prefix } = optionsOf(options);
  if (scheme && !schemes.has(scheme.toLowerCase())) throw refuseField('options', 'The scheme must be tcp or tls.');
  if (!prefix) return;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  const isPlain = prefix.length <= 100 && !/[\x00-\x20\x7f]/.test(prefix);
  if (!isPlain || prefix.startsWith(ownPrefix) || ownPrefix.startsWith(prefix))
    throw refuseField(
      'options',
      `The prefix must have no blanks, 100 characters at most, and not begin as ${ownPrefix}.`,
    );
}
