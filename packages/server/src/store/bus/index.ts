// Change notices between the listeners of this process and the other processes of the store. The carrier is chosen here
// (docs/design.md, The platform's own store); each has a file of its own.
import { Kysely } from 'kysely';
import { StartError } from '../../settings/start-error.ts';
import type { OpenedStore, StoreDialect } from '../dialects/dialect.ts';
import { instanceFact } from '../facts.ts';
import type { Db } from '../index.ts';
import type { Tables } from '../tables.ts';
import type { Bus, BusLog } from './bus.ts';
import { openConnectedBus } from './connected.ts';
import { createFileNotices } from './file.ts';
import { createLocalBus } from './local.ts';
import { createPolledBus } from './polled.ts';
import { connectPostgres } from './postgres.ts';
import { connectRedis, redisAddress } from './redis.ts';
import { createTableNotices } from './table.ts';

interface BusParts {
  redisUrl: string;
  dialect: StoreDialect;
  opened: OpenedStore;
  /** Where the store was opened, to open it once more. */
  place: { url: string; dataFolder: string; timeLimit: number; busyTimeout: number };
  db: Db;
  log: BusLog;
}

/** Opens the bus of a store; throws StartError when the server that carries it cannot be reached. */
export async function openBus({ redisUrl, dialect, opened, place, db, log }: BusParts): Promise<Bus> {
  const { messenger, dataVersion, file } = opened;
  if (redisUrl !== '') {
    const server = redisAddress(redisUrl);
    const connect = await connectRedis(redisUrl);
    return openConnectedBus({ connect, instance: await instanceId(db), server: 'Redis', log }).catch((error: Error) => {
      throw new StartError(`The Redis server at ${server} (SLUICE_REDIS_URL) cannot be used: ${error.message}`);
    });
  }
  if (messenger) {
    const connect = connectPostgres(messenger);
    return openConnectedBus({ connect, instance: await instanceId(db), server: 'PostgreSQL', log }).catch(
      (error: Error) => {
        throw new StartError(`PostgreSQL gives no connection for change notices: ${error.message}`, error);
      },
    );
  }
  // A store in memory has no other process.
  if (dataVersion) return file === null ? createLocalBus(log) : createPolledBus(createFileNotices(dataVersion), log);
  // A separate connection: notices must not wait until one of the store is free.
  const noticeStore = await dialect.open({ ...place, connections: 1 });
  noticeStore.limitStatements?.(place.timeLimit);
  return createPolledBus(await createTableNotices(new Kysely<Tables>({ dialect: noticeStore.dialect }), dialect), log);
}

/** Several instances may share a Redis server: the id gives each its own channels. */
const instanceId = (db: Db) => instanceFact(db, 'instance_id', () => crypto.randomUUID());

export type { Bus, BusLog, Change } from './bus.ts';
export { affects } from './bus.ts';
