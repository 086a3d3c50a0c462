import type { Table } from '../../schema/index.ts';
import type { SqliteFile } from './file.ts';
import type { TableFacts } from './introspect.ts';

/** Rows of a table that may be read through on the main thread: some milliseconds at the worst. */
const smallTable = 50_000;
/** Bytes of the file such a table may be in. */
const smallFile = 64 * 1024 * 1024;
/** Milliseconds for which a table is taken to be as small as it was. */
const smallFor = 2_000;

/** Knows which tables of a file are small. */
export class SmallTables {
  private readonly file: SqliteFile;
  /** By the place in the database, as it was when last looked at. */
  private readonly looks = new WeakMap<Table['native'], { isSmall: boolean; at: number }>();

  constructor(file: SqliteFile) {
    this.file = file;
  }

  has(table: Table, facts: TableFacts): boolean {
    const now = performance.now();
    const last = this.looks.get(table.native);
    if (last && now - last.at <= smallFor) return last.isSmall;
    const isSmall = this.look(table, facts);
    this.looks.set(table.native, { isSmall, at: now });
    return isSmall;
  }

  /** Between the lowest and the highest number lie all rows; both are found at once. */
  private look({ native }: Table, { hasRowid }: TableFacts): boolean {
    // Few rows may be long ones.
    if (!hasRowid || !this.file.isOpenHere || this.file.size > smallFile) return false;
    const name = `"${native.name.replaceAll('"', '""')}"`;
    try {
      const span = this.file.readValueHere(
        `select (select max(rowid) from ${name}) - (select min(rowid) from ${name})`,
      );
      return Number(span ?? 0) <= smallTable;
    } catch {
      return false;
    }
  }
}
