// The databases that a server of the comparison opens: copies of its own, of everything, on every engine there is.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { type Engine, engineMissing, freshDatabase } from '../../databases.ts';
import { type ShopEngine, shopSql } from './shop.ts';

/** A copy of the shop. */
export interface Shop {
  engine: ShopEngine;
  /** The configuration of a service that opens it. */
  config: Record<string, string | number>;
  /** Texts that only this copy has, with what stands for them in answers. */
  texts: [text: string, placeholder: string][];
  drop(): Promise<void>;
}

/** The engines to compare on, and why others are left out. */
export async function findEngines(): Promise<{ engines: ShopEngine[]; missing: string[] }> {
  const wanted: Engine[] = ['pgsql', 'mysql'];
  const reasons = await Promise.all(wanted.map((engine) => engineMissing(engine)));
  return {
    engines: ['sqlite', ...wanted.filter((_, index) => reasons[index] === undefined)],
    missing: reasons.filter((reason) => reason !== undefined),
  };
}

/** Makes a copy of the shop for the server whose data folder this will be. */
export async function makeShop(engine: ShopEngine, dataFolder: string): Promise<Shop> {
  return engine === 'sqlite' ? makeFile(dataFolder) : makeDatabase(engine);
}

async function makeFile(dataFolder: string): Promise<Shop> {
  mkdirSync(join(dataFolder, 'db'), { recursive: true });
  const database = openSqlite(join(dataFolder, 'db/shop.sqlite'), { create: true });
  try {
    database.exec(`BEGIN; ${shopSql('sqlite')}; COMMIT; PRAGMA journal_mode = WAL`);
  } finally {
    database.close();
  }
  return { engine: 'sqlite', config: { database: 'shop.sqlite' }, texts: [], drop: async () => {} };
}

async function makeDatabase(engine: Engine): Promise<Shop> {
  const fresh = await freshDatabase(engine);
  const { host, port, database, user: username, password } = fresh;
  // MariaDB has names in backquotes otherwise, and takes a backslash in a text for the begin of an escape.
  const mode = engine === 'mysql' ? "SET sql_mode = concat(@@sql_mode, ',ANSI_QUOTES,NO_BACKSLASH_ESCAPES'); " : '';
  await fresh.run(mode + shopSql(engine));
  return {
    engine,
    // A superuser sees every database there is on MariaDB, the other server's copy too.
    config: { host, port, database, username, password, ...(engine === 'mysql' ? { schema: 'default' } : {}) },
    // The name of a login of its own, too.
    texts: [[database, `<database of ${engine}>`]],
    drop: fresh.drop,
  };
}
