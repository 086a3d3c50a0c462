// The cached schema of a database: a cheap list of names, each table read when it is first needed, once
// for all that ask at the same time.
import { fail, type MaybePromise } from '@sluice/contract';
import {
  type ForeignKey,
  labelOf,
  nameIndex,
  naturalOrder,
  pluralOf,
  type Table,
  type TableEntry,
} from '../../schema/index.ts';
import { sharedRun } from '../../shares/index.ts';
import type { NamedTable, RunQuery, SchemaReader } from './engine.ts';

/** Milliseconds before a list is read again for a name that it does not have, or a table for a field that it does not have. */
const cacheMs = 1000;

interface List<T> {
  byName: Map<string, T>;
  /** Lower case → name. */
  findEntry: (name: string) => T | undefined;
  entries: TableEntry[];
}

/** A schema as it was when its list was read. */
interface Snapshot<T> {
  list?: Promise<List<T>>;
  readAt: number;
  keys?: Promise<KeysOfTable>;
  tables: Map<string, Promise<Table>>;
  /** Those of `tables` that were read. */
  loadedTables: Map<string, Table>;
  /** When a table was last found to match its description. */
  checkedAt: Map<string, number>;
  /** Tables that are being compared with their descriptions. */
  comparing: Map<string, Promise<void>>;
}

export class SchemaCache<T extends NamedTable> {
  private readonly reader: SchemaReader<T>;
  private readonly runQuery: RunQuery;
  private snapshot: Snapshot<T> = emptySnapshot();
  /** While the list is read once more for a name that is not in it. */
  private relisting: Promise<void> | undefined;

  constructor(reader: SchemaReader<T>, runQuery: RunQuery) {
    this.reader = reader;
    this.runQuery = runQuery;
  }

  /** Everything is read again when it is next needed. */
  drop(): void {
    this.snapshot = emptySnapshot();
  }

  async tables(refresh: boolean): Promise<TableEntry[]> {
    if (refresh) await this.refresh();
    return (await this.list(this.snapshot)).entries;
  }

  /** A table by its API name in any case; `table.unknown` when there is none. */
  table(name: string, refresh: boolean): MaybePromise<Table> {
    if (refresh) return this.refresh().then(() => this.table(name, false));
    return this.snapshot.loadedTables.get(name) ?? this.find(name);
  }

  private readonly refresh = sharedRun(async () => {
    this.drop();
    await this.list(this.snapshot);
  });

  /** As `table`, the description being no older than `cacheMs`. Where it no longer matches, everything is read again. */
  async recheck(name: string): Promise<Table> {
    const table = await this.table(name, false);
    const { snapshot } = this;
    if (performance.now() <= (snapshot.checkedAt.get(table.name) ?? 0) + cacheMs) return table;
    const comparing =
      snapshot.comparing.get(table.name) ??
      this.compare(snapshot, table).finally(() => {
        snapshot.comparing.delete(table.name);
      });
    snapshot.comparing.set(table.name, comparing);
    await comparing;
    return this.table(name, false);
  }

  /** Plans belong to a table object: one that did not change stays. */
  private async compare(snapshot: Snapshot<T>, table: Table): Promise<void> {
    const current = await this.readTable(snapshot, table.name);
    if (this.snapshot !== snapshot) return;
    if (current && JSON.stringify(current) === JSON.stringify(table))
      snapshot.checkedAt.set(table.name, performance.now());
    else this.drop();
  }

  private async find(name: string): Promise<Table> {
    let snapshot = this.snapshot;
    let realName = (await this.list(snapshot)).findEntry(name)?.name;
    if (realName === undefined && performance.now() > snapshot.readAt + cacheMs) {
      this.relisting ??= this.relist().finally(() => {
        this.relisting = undefined;
      });
      await this.relisting;
      snapshot = this.snapshot;
      realName = (await this.list(snapshot)).findEntry(name)?.name;
    }
    if (realName === undefined) throw fail('table.unknown', { table: name.slice(0, 200) });
    return snapshot.tables.get(realName) ?? this.read(snapshot, realName);
  }

  /** Reads the list once more. Where it names the same tables, their descriptions stay. */
  private async relist(): Promise<void> {
    const before = this.snapshot;
    const after = emptySnapshot<T>();
    const [oldList, newList] = await Promise.all([this.list(before), this.list(after)]);
    if (this.snapshot !== before) return;
    const isSame =
      oldList.byName.size === newList.byName.size &&
      [...newList.byName.keys()].every((name) => oldList.byName.has(name));
    if (isSame) before.readAt = after.readAt;
    else this.snapshot = after;
  }

  private list(snapshot: Snapshot<T>): Promise<List<T>> {
    snapshot.list ??= this.readList().then(
      (list) => {
        snapshot.readAt = performance.now();
        return list;
      },
      (error: unknown) => {
        snapshot.list = undefined;
        throw error;
      },
    );
    return snapshot.list;
  }

  private async readList(): Promise<List<T>> {
    const entries = (await this.reader.list(this.runQuery)).sort((a, b) => naturalOrder(a.name, b.name));
    return {
      byName: new Map(entries.map((entry) => [entry.name, entry])),
      findEntry: nameIndex(entries, ({ name }) => name),
      entries: entries.map(({ name, comment, isView = false }) => {
        const label = labelOf(name);
        return { name, label, plural: pluralOf(label), description: comment, is_view: isView };
      }),
    };
  }

  private read(snapshot: Snapshot<T>, name: string): Promise<Table> {
    const reading = this.describe(snapshot, name).then(
      (table) => {
        snapshot.loadedTables.set(name, table);
        snapshot.checkedAt.set(name, performance.now());
        return table;
      },
      (error: unknown) => {
        snapshot.tables.delete(name);
        throw error;
      },
    );
    snapshot.tables.set(name, reading);
    return reading;
  }

  private async describe(snapshot: Snapshot<T>, name: string, isSecond = false): Promise<Table> {
    const table = await this.readTable(snapshot, name);
    // Where everything was dropped meanwhile, a part of it may be what was before, and a part what is now.
    if (table && (this.snapshot === snapshot || isSecond)) return table;
    // It is gone, or another one of its name has taken its place.
    if (this.snapshot === snapshot) this.drop();
    const current = this.snapshot;
    if (!isSecond && (await this.list(current)).byName.has(name)) return this.describe(current, name, true);
    throw fail('table.unknown', { table: name });
  }

  private async readTable(snapshot: Snapshot<T>, name: string): Promise<Table | undefined> {
    const list = await this.list(snapshot);
    snapshot.keys ??= this.reader.keys(this.runQuery, list.byName).then(groupKeys, (error: unknown) => {
      snapshot.keys = undefined;
      throw error;
    });
    return this.reader.table(this.runQuery, list.byName.get(name) as T, (await snapshot.keys)(name));
  }
}

const emptySnapshot = <T>(): Snapshot<T> => ({
  readAt: 0,
  tables: new Map(),
  loadedTables: new Map(),
  checkedAt: new Map(),
  comparing: new Map(),
});

/** The foreign keys that the relations of a table are made of, in the order of all. */
type KeysOfTable = (table: string) => ForeignKey[];

function groupKeys(all: ForeignKey[]): KeysOfTable {
  const ownKeys = new Map<string, ForeignKey[]>();
  const incomingKeys = new Map<string, ForeignKey[]>();
  const addKey = (map: typeof ownKeys, table: string, key: ForeignKey) => {
    const keys = map.get(table);
    if (keys) keys.push(key);
    else map.set(table, [key]);
  };
  for (const key of all) {
    addKey(ownKeys, key.table, key);
    addKey(incomingKeys, key.refTable, key);
  }
  const order = new Map(all.map((key, index) => [key, index]));
  return (table) => {
    // A junction shows by the other keys of the tables that point here.
    const related = [table, ...(incomingKeys.get(table) ?? []).map((foreignKey) => foreignKey.table)];
    const keys = new Set(related.flatMap((name) => ownKeys.get(name) ?? []));
    return [...keys].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  };
}
