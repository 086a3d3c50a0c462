// The cached schema of a file: as of one `schema_version`, each table read when it is first needed.
import { Failure, fail, type MaybePromise } from '@sluice/contract';
import type { Table, TableEntry } from '../../schema/index.ts';
import { sharedRun } from '../../shares/index.ts';
import type { SqliteFile } from './file.ts';
import {
  type Catalogue,
  entriesOf,
  findRealName,
  type RunQuery,
  readCatalogue,
  readFacts,
  readTable,
  type TableFacts,
} from './introspect.ts';

/** A schema with more entries than this is read by the child. */
const maxInlineSchema = 300;
/** Milliseconds for which neither the schema nor the file's identity is checked again. */
const freshMs = 50;

/** A schema as of one `schema_version`. */
interface Schema {
  version: number;
  isBig: boolean;
  catalogue?: Promise<Catalogue>;
  tables: Map<string, Promise<Table>>;
  /** Tables that were read, by the name of the request. */
  loadedTables: Map<string, Table>;
}

export class SchemaCache {
  private readonly file: SqliteFile;
  private schema: Schema | undefined;
  private checkedAt = Number.NEGATIVE_INFINITY;
  /** How often everything was dropped: a check that began before knows nothing of what came after. */
  private drops = 0;
  /** By the table's real name: the same table may have other names in other descriptions. */
  private readonly facts = new WeakMap<Table['native'], TableFacts>();

  constructor(file: SqliteFile) {
    this.file = file;
  }

  /** Everything is read again when it is next needed. */
  drop(): void {
    this.schema = undefined;
    this.checkedAt = Number.NEGATIVE_INFINITY;
    this.drops += 1;
  }

  async tables(refresh: boolean): Promise<TableEntry[]> {
    return entriesOf(await this.catalogue(await this.current(refresh)));
  }

  /** A table by its API name in any case; `table.unknown` when there is none. */
  table(name: string, { refresh = false, recheck = false }): MaybePromise<Table> {
    if (recheck) this.checkedAt = Number.NEGATIVE_INFINITY;
    const cachedTable = refresh || !this.isFresh() ? undefined : this.schema?.loadedTables.get(name);
    return cachedTable ?? this.find(name, refresh);
  }

  /** What choosing a lane needs to know of a table that this cache described. */
  factsOf({ native }: Table): TableFacts | undefined {
    return this.facts.get(native);
  }

  private async find(name: string, refresh: boolean): Promise<Table> {
    const checkedAt = this.checkedAt;
    const schema = await this.current(refresh);
    const cachedTable = schema.loadedTables.get(name);
    if (cachedTable) return cachedTable;
    const catalogue = await this.catalogue(schema);
    const tableName = findRealName(catalogue, name);
    if (tableName === undefined) {
      // It may have been made since the last check.
      if (this.checkedAt === checkedAt) {
        this.checkedAt = Number.NEGATIVE_INFINITY;
        return this.find(name, false);
      }
      throw fail('table.unknown', { table: name.slice(0, 200) });
    }
    const table = await shareReading(schema.tables, tableName, () => this.read(schema, catalogue, tableName));
    // Only as it is written: letters in either case could be spelled in a great many ways.
    if (name === tableName) schema.loadedTables.set(name, table);
    return table;
  }

  /**
   * The schema as it is now, give or take a blink: the file's own counter tells whether what we know still holds, and
   * asking for it costs as much as reading a record.
   */
  private current(refresh: boolean): MaybePromise<Schema> {
    if (refresh) return this.refresh();
    return this.schema && this.isFresh() ? this.schema : this.check(false);
  }

  private readonly refresh = sharedRun(() => this.check(true));

  private isFresh(): boolean {
    return performance.now() - this.checkedAt < freshMs;
  }

  private async check(refresh: boolean): Promise<Schema> {
    const startedAt = performance.now();
    if (this.file.detectReplacement()) this.drop();
    const { drops } = this;
    const [version] = await this.file.readNumbers<[number]>('pragma schema_version');
    if (drops !== this.drops) return this.check(refresh);
    this.checkedAt = startedAt;
    if (!refresh && this.schema?.version === version) return this.schema;
    const [entries] = await this.file.readNumbers<[number]>('select count(*) from sqlite_schema');
    if (drops !== this.drops) return this.check(refresh);
    // While that was read another call may have begun with this version: its readings are shared.
    if (refresh || this.schema?.version !== version) {
      this.schema = { version, isBig: entries > maxInlineSchema, tables: new Map(), loadedTables: new Map() };
    }
    return this.schema;
  }

  private async catalogue(schema: Schema): Promise<Catalogue> {
    schema.catalogue ??= readCatalogue(this.queryRunner(schema)).catch((error: unknown) => {
      schema.catalogue = undefined;
      throw error;
    });
    return await schema.catalogue;
  }

  /** A view on tables that are gone fails alone. */
  private async read(schema: Schema, catalogue: Catalogue, name: string): Promise<Table> {
    try {
      const table = await readTable(this.queryRunner(schema), catalogue, name);
      this.facts.set(table.native, await readFacts(this.queryRunner(schema), catalogue, name));
      return table;
    } catch (error) {
      if (!(error instanceof Failure) || error.key !== 'database.changed') throw error;
      throw fail('database.broken', { table: name, text: (error.cause as Error).message }, { cause: error });
    }
  }

  private queryRunner(schema: Schema): RunQuery {
    return async (sql, parameters = []) => {
      const task = { kind: 'raw', statement: { sql, parameters } } as const;
      return (await (schema.isBig ? this.file.runInChild(task) : this.file.runInline(task))).rows;
    };
  }
}

/** Reads a table once for all who ask at the same time; the next call retries a read that failed. */
function shareReading(tables: Map<string, Promise<Table>>, name: string, read: () => Promise<Table>): Promise<Table> {
  const pending = tables.get(name);
  if (pending) return pending;
  const reading = read().catch((error: unknown) => {
    tables.delete(name);
    throw error;
  });
  tables.set(name, reading);
  return reading;
}
