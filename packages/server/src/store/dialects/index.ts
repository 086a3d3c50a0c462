// The databases the platform's own store can live in, one file each. Only these files hold SQL of one engine.
import { StartError } from '../../settings/start-error.ts';
import type { StoreDialect } from './dialect.ts';
import { mysql } from './mysql.ts';
import { pgsql } from './pgsql.ts';
import { sqlite } from './sqlite.ts';

export const storeDialects: StoreDialect[] = [sqlite, pgsql, mysql];

/** The dialect of a SLUICE_DATABASE_URL; an empty one means SQLite in the data folder. */
export function storeDialect(url: string): StoreDialect {
  if (url === '') return sqlite;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  const dialect = storeDialects.find((dialect) => scheme !== undefined && dialect.schemes.includes(scheme));
  if (dialect) return dialect;
  const schemes = storeDialects.flatMap((dialect) => dialect.schemes).map((scheme) => `${scheme}:`);
  // The rest of the address may hold a password: the message shows the scheme only.
  const problem = scheme === undefined ? 'has no scheme' : `begins with '${scheme}:'`;
  throw new StartError(
    `SLUICE_DATABASE_URL ${problem}; the store can be at an address that begins with ${schemes.join(', ')}.`,
  );
}

export type { AnyDb, ColumnType, OpenedStore, Refusal, Search, StoreDialect, StoreSql } from './dialect.ts';
