// What is known of a file's schema: as of one `schema_version`, each table read when it is first needed.
import { Failure, fail, type MaybePromise } from '@sluice/contract';
import type { Table, TableEntry } from '../../schema/index.ts';
import type { SqliteFile } from './file.ts';
import {
  type Ask,
  type Catalogue,
  entriesOf,
  factsOf,
  readCatalogue,
  readTable,
  realName,
  type TableFacts,
} from './introspect.ts';

/** A schema with more entries than this is read by the child. */
const bigSchema = 300;
/** Milliseconds for which the schema, and the file being the same one, are not asked for again. */
const freshFor = 50;

/** A schema as of one `schema_version`. */
interface Schema {
  version: number;
  isBig: boolean;
  catalogue?: Promise<Catalogue>;
  tables: Map<string, Promise<Table>>;
  /** Tables that were read, by the name they were asked for. */
  known: Map<string, Table>;
}

export class SchemaCache {
  private readonly file: SqliteFile;
  private schema: Schema | undefined;
  private checkedAt = Number.NEGATIVE_INFINITY;
  /** By the place in the database: the same table may go by other names in other descriptions. */
  private readonly facts = new WeakMap<Table['native'], TableFacts>();

  constructor(file: SqliteFile) {
    this.file = file;
  }

  /** Everything is read anew when it is next asked for. */
  drop(): void {
    this.schema = undefined;
  }

  async tables(refresh: boolean): Promise<TableEntry[]> {
    return entriesOf(await this.catalogue(await this.current(refresh)));
  }

  /** A table by its API name in any case; `table.unknown` when there is none. */
  table(name: string, { refresh = false, recheck = false }): MaybePromise<Table> {
    if (recheck) this.checkedAt = Number.NEGATIVE_INFINITY;
    const known = refresh || !this.isFresh() ? undefined : this.schema?.known.get(name);
    return known ?? this.find(name, refresh);
  }

  /** What deciding between the lanes needs to know of a table that was described here. */
  factsOf({ native }: Table): TableFacts | undefined {
    return this.facts.get(native);
  }

  private async find(name: string, refresh: boolean): Promise<Table> {
    const checkedAt = this.checkedAt;
    const schema = await this.current(refresh);
    const known = schema.known.get(name);
    if (known) return known;
    const catalogue = await this.catalogue(schema);
    const real = realName(catalogue, name);
    if (real === undefined) {
      // It may have been made in the moment for which nobody asked.
      if (this.checkedAt === checkedAt) {
        this.checkedAt = Number.NEGATIVE_INFINITY;
        return this.find(name, false);
      }
      throw fail('table.unknown', { table: name.slice(0, 200) });
    }
    const table = await once(schema.tables, real, () => this.read(schema, catalogue, real));
    // Only as it is written: letters in either case could be spelled in a great many ways.
    if (name === real) schema.known.set(name, table);
    return table;
  }

  /**
   * The schema as it is now, give or take a blink: the file's own counter tells whether what we know still holds, and
   * asking for it costs as much as reading a record.
   */
  private current(refresh: boolean): MaybePromise<Schema> {
    if (!refresh && this.schema && this.isFresh()) return this.schema;
    return this.check(refresh);
  }

  private isFresh(): boolean {
    return performance.now() - this.checkedAt < freshFor;
  }

  private async check(refresh: boolean): Promise<Schema> {
    const now = performance.now();
    if (this.file.noticeReplaced()) this.drop();
    const version = await this.file.readNumber('pragma schema_version');
    this.checkedAt = now;
    if (!refresh && this.schema?.version === version) return this.schema;
    const entries = await this.file.readNumber('select count(*) from sqlite_schema');
    // While that was read another call may have begun with this version: its readings are shared.
    if (refresh || this.schema?.version !== version) {
      this.schema = { version, isBig: entries > bigSchema, tables: new Map(), known: new Map() };
    }
    return this.schema;
  }

  private async catalogue(schema: Schema): Promise<Catalogue> {
    schema.catalogue ??= readCatalogue(this.ask(schema)).catch((error: unknown) => {
      schema.catalogue = undefined;
      throw error;
    });
    return await schema.catalogue;
  }

  /** A view on tables that are gone fails alone. */
  private async read(schema: Schema, catalogue: Catalogue, name: string): Promise<Table> {
    try {
      const table = await readTable(this.ask(schema), catalogue, name);
      this.facts.set(table.native, factsOf(catalogue, name));
      return table;
    } catch (error) {
      if (!(error instanceof Failure) || error.key !== 'database.changed') throw error;
      throw fail('database.broken', { table: name, text: (error.cause as Error).message }, { cause: error });
    }
  }

  private ask(schema: Schema): Ask {
    return async (sql, parameters = []) => {
      const task = { kind: 'raw', statement: { sql, parameters } } as const;
      return (await (schema.isBig ? this.file.runThere(task) : this.file.runHere(task))).rows;
    };
  }
}

/** Runs a reading once, however many ask at the same time; a failed one is tried again. */
function once(tables: Map<string, Promise<Table>>, name: string, read: () => Promise<Table>): Promise<Table> {
  const known = tables.get(name);
  if (known) return known;
  const reading = read().catch((error: unknown) => {
    tables.delete(name);
    throw error;
  });
  tables.set(name, reading);
  return reading;
}
