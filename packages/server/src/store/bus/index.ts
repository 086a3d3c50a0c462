// Change notices between the listeners of this process and the other processes of the store. What carries them is chosen
// here (docs/design.md, The platform's own store); one file each has what is particular to it.
import { Kysely } from 'kysely';
import { StartError } from '../../settings/start-error.ts';
import type { OpenedStore, StoreDialect } from '../dialects/dialect.ts';
import { instanceFact } from '../facts.ts';
import type { Db } from '../index.ts';
import type { Tables } from '../tables.ts';
import type { Bus, BusLog } from './bus.ts';
import { connectedBus } from './connected.ts';
import { fileNotices } from './file.ts';
import { localBus } from './local.ts';
import { polledBus } from './polled.ts';
import { postgresLines } from './postgres.ts';
import { redisLines, redisPlace } from './redis.ts';
import { tableNotices } from './table.ts';

interface Parts {
  redisUrl: string;
  dialect: StoreDialect;
  opened: OpenedStore;
  /** Where the store was opened, to open it once more. */
  place: { url: string; dataFolder: string; timeLimit: number; patience: number };
  db: Db;
  log: BusLog;
}

/** Opens the bus of a store; throws StartError when the server that is to carry it can not be reached. */
export async function openBus({ redisUrl, dialect, opened, place, db, log }: Parts): Promise<Bus> {
  const { messenger, dataVersion, file } = opened;
  if (redisUrl !== '') {
    const server = redisPlace(redisUrl);
    const connect = await redisLines(redisUrl);
    return connectedBus({ connect, instance: await instanceId(db), server: 'Redis', log }).catch((error: Error) => {
      throw new StartError(`The Redis server at ${server} (SLUICE_REDIS_URL) can not be used: ${error.message}`);
    });
  }
  if (messenger) {
    const connect = postgresLines(messenger);
    return connectedBus({ connect, instance: await instanceId(db), server: 'PostgreSQL', log }).catch(
      (error: Error) => {
        throw new StartError(`PostgreSQL gives no connection for change notices: ${error.message}`, error);
      },
    );
  }
  // A store in memory has no other process.
  if (dataVersion) return file === null ? localBus(log) : polledBus(fileNotices(dataVersion), log);
  // A connection of its own: notices must not wait until the store's are free.
  const own = await dialect.open({ ...place, connections: 1 });
  own.limitStatements?.(place.timeLimit);
  return polledBus(await tableNotices(new Kysely<Tables>({ dialect: own.dialect }), dialect), log);
}

/** Several instances may share a Redis server: each has channels of its own by this. */
const instanceId = (db: Db) => instanceFact(db, 'instance_id', () => crypto.randomUUID());

export type { Bus, BusLog, Change } from './bus.ts';
export { concerns } from './bus.ts';
