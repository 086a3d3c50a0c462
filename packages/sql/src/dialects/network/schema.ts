// What is known of a database's schema: a cheap list of names, each table read when it is first needed, whoever asks
// and however many ask at once.
import { fail, type MaybePromise } from '@sluice/contract';
import { type ForeignKey, labelOf, naturalOrder, pluralOf, type Table, type TableEntry } from '../../schema/index.ts';
import type { Ask, NamedTable, SchemaReader } from './engine.ts';

/** Milliseconds a list holds against a name that is not in it, and a table against a field that it has not. */
const holds = 1000;

interface List<T> {
  byName: Map<string, T>;
  /** Lower case → name. */
  anyCase: Map<string, string>;
  entries: TableEntry[];
}

/** A schema as it was when its list was read. */
interface Known<T> {
  list?: Promise<List<T>>;
  readAt: number;
  keys?: Promise<Keys>;
  tables: Map<string, Promise<Table>>;
  /** Those of `tables` that were read. */
  ready: Map<string, Table>;
  /** When a table was last found to be as it is described. */
  trueAt: Map<string, number>;
  /** Tables that are being compared with their descriptions. */
  comparing: Map<string, Promise<void>>;
}

export class SchemaCache<T extends NamedTable> {
  private readonly reader: SchemaReader<T>;
  private readonly ask: Ask;
  private known: Known<T> = unknown();
  /** While the list is read once more for a name that is not in it. */
  private looking: Promise<void> | undefined;

  constructor(reader: SchemaReader<T>, ask: Ask) {
    this.reader = reader;
    this.ask = ask;
  }

  /** Everything is read anew when it is next asked for. */
  drop(): void {
    this.known = unknown();
  }

  async tables(refresh: boolean): Promise<TableEntry[]> {
    if (refresh) this.drop();
    return (await this.list(this.known)).entries;
  }

  /** A table by its API name in any case; `table.unknown` when there is none. */
  table(name: string, refresh: boolean): MaybePromise<Table> {
    if (refresh) this.drop();
    return this.known.ready.get(name) ?? this.find(name);
  }

  /** As `table`, the description being no older than `holds`. Where it holds no longer, everything is read anew. */
  async recheck(name: string): Promise<Table> {
    const table = await this.table(name, false);
    const { known } = this;
    if (performance.now() <= (known.trueAt.get(table.name) ?? 0) + holds) return table;
    const comparing =
      known.comparing.get(table.name) ??
      this.compare(known, table).finally(() => {
        known.comparing.delete(table.name);
      });
    known.comparing.set(table.name, comparing);
    await comparing;
    return this.table(name, false);
  }

  /** Plans hang on a table: one that is as it was stays. */
  private async compare(known: Known<T>, table: Table): Promise<void> {
    const now = await this.readTable(known, table.name);
    if (this.known !== known) return;
    if (now && JSON.stringify(now) === JSON.stringify(table)) known.trueAt.set(table.name, performance.now());
    else this.drop();
  }

  private async find(name: string): Promise<Table> {
    let known = this.known;
    let real = nameIn(await this.list(known), name);
    if (real === undefined && performance.now() > known.readAt + holds) {
      this.looking ??= this.lookAgain().finally(() => {
        this.looking = undefined;
      });
      await this.looking;
      known = this.known;
      real = nameIn(await this.list(known), name);
    }
    if (real === undefined) throw fail('table.unknown', { table: name.slice(0, 200) });
    return known.tables.get(real) ?? this.read(known, real);
  }

  /** Reads the list once more. Where it names the same tables, what is known of them stays. */
  private async lookAgain(): Promise<void> {
    const before = this.known;
    const after = unknown<T>();
    const [old, now] = await Promise.all([this.list(before), this.list(after)]);
    if (this.known !== before) return;
    const isSame = old.byName.size === now.byName.size && [...now.byName.keys()].every((name) => old.byName.has(name));
    if (isSame) before.readAt = after.readAt;
    else this.known = after;
  }

  private list(known: Known<T>): Promise<List<T>> {
    known.list ??= this.readList().then(
      (list) => {
        known.readAt = performance.now();
        return list;
      },
      (error: unknown) => {
        known.list = undefined;
        throw error;
      },
    );
    return known.list;
  }

  private async readList(): Promise<List<T>> {
    const found = (await this.reader.list(this.ask)).sort((a, b) => naturalOrder(a.name, b.name));
    return {
      byName: new Map(found.map((entry) => [entry.name, entry])),
      anyCase: new Map(found.toReversed().map((entry) => [entry.name.toLowerCase(), entry.name])),
      entries: found.map(({ name, comment }) => {
        const label = labelOf(name);
        return { name, label, plural: pluralOf(label), description: comment, is_view: false };
      }),
    };
  }

  private read(known: Known<T>, name: string): Promise<Table> {
    const reading = this.describe(known, name).then(
      (table) => {
        known.ready.set(name, table);
        known.trueAt.set(name, performance.now());
        return table;
      },
      (error: unknown) => {
        known.tables.delete(name);
        throw error;
      },
    );
    known.tables.set(name, reading);
    return reading;
  }

  private async describe(known: Known<T>, name: string, isSecond = false): Promise<Table> {
    const table = await this.readTable(known, name);
    if (table) return table;
    // It is gone, or another one of its name has taken its place.
    if (this.known === known) this.drop();
    const now = this.known;
    if (!isSecond && (await this.list(now)).byName.has(name)) return this.describe(now, name, true);
    throw fail('table.unknown', { table: name });
  }

  private async readTable(known: Known<T>, name: string): Promise<Table | undefined> {
    const list = await this.list(known);
    known.keys ??= this.reader.keys(this.ask, list.byName).then(keysOf, (error: unknown) => {
      known.keys = undefined;
      throw error;
    });
    return this.reader.table(this.ask, list.byName.get(name) as T, (await known.keys)(name));
  }
}

const unknown = <T>(): Known<T> => ({
  readAt: 0,
  tables: new Map(),
  ready: new Map(),
  trueAt: new Map(),
  comparing: new Map(),
});

const nameIn = <T>({ byName, anyCase }: List<T>, name: string): string | undefined =>
  byName.has(name) ? name : anyCase.get(name.toLowerCase());

/** The foreign keys that the relations of a table are made of, in the order of all. */
type Keys = (table: string) => ForeignKey[];

function keysOf(all: ForeignKey[]): Keys {
  const own = new Map<string, ForeignKey[]>();
  const pointing = new Map<string, ForeignKey[]>();
  const put = (map: typeof own, table: string, key: ForeignKey) => {
    const keys = map.get(table);
    if (keys) keys.push(key);
    else map.set(table, [key]);
  };
  for (const key of all) {
    put(own, key.table, key);
    put(pointing, key.refTable, key);
  }
  const order = new Map(all.map((key, index) => [key, index]));
  return (table) => {
    // A junction is told by the other keys of the tables that point here.
    const related = [table, ...(pointing.get(table) ?? []).map((foreignKey) => foreignKey.table)];
    const keys = new Set(related.flatMap((name) => own.get(name) ?? []));
    return [...keys].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  };
}
