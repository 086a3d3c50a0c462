// What a database must be able to do to hold the platform's own store. Everything particular to one is in its file.
import type { ColumnDefinitionBuilder, Dialect, Kysely } from 'kysely';

/** A database by table names known only at run time. */
export type AnyDb = Kysely<Record<string, Record<string, unknown>>>;

/** What the store asks of an opened database. */
export interface OpenedStore {
  dialect: Dialect;
  /** The file the store lives in, where it is one: no service may open it. */
  file: string | null;
}

/** A write the database refused because of the data, in its own words and with its own code. */
export interface Refusal {
  code: number | string;
  text: string;
}

export interface StoreDialect {
  name: string;
  /** The schemes of SLUICE_DATABASE_URL that lead here. */
  schemes: string[];
  /** Opens or creates the database; throws StartError with one clear line. */
  open(place: { url: string; dataFolder: string }): Promise<OpenedStore>;
  /** Runs `work` while no other process migrates, in one transaction where the engine has transactional DDL. */
  exclusively<T>(db: Kysely<unknown>, work: (db: Kysely<unknown>) => Promise<T>): Promise<T>;
  /** Makes a column a key that is counted up and never given out twice. */
  countedKey(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** Inserts a row and answers its key, in the way the engine tells it. */
  insert(db: AnyDb, table: string, values: Record<string, unknown>): Promise<number>;
  /** Names a refusal for the data's sake (unique, foreign key, not null, too long); undefined for anything else. */
  refusal(error: unknown): Refusal | undefined;
}
