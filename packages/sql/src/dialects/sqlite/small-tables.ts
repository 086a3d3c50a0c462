import type { Table } from '../../schema/index.ts';
import type { SqliteFile } from './file.ts';
import type { TableFacts } from './introspect.ts';

/** Rows of a table that may be scanned on the main thread: some milliseconds at worst. */
const maxRows = 50_000;
/** Bytes of the file of such a table. */
const maxFileBytes = 64 * 1024 * 1024;
/** Milliseconds a measurement counts. */
const cacheMs = 2_000;

/** Knows which tables of a file are small. */
export class SmallTables {
  private readonly file: SqliteFile;
  /** By the table's real name, which all its descriptions share. */
  private readonly measurements = new WeakMap<Table['native'], { isSmall: boolean; measuredAt: number }>();

  constructor(file: SqliteFile) {
    this.file = file;
  }

  has(table: Table, facts: TableFacts): boolean {
    const now = performance.now();
    const measurement = this.measurements.get(table.native);
    if (measurement && now - measurement.measuredAt <= cacheMs) return measurement.isSmall;
    const isSmall = this.measure(table, facts);
    this.measurements.set(table.native, { isSmall, measuredAt: now });
    return isSmall;
  }

  /** All rows lie between the lowest and the highest rowid, and finding both costs next to nothing. */
  private measure({ native }: Table, { hasRowid }: TableFacts): boolean {
    // Few rows may be long ones.
    if (!hasRowid || !this.file.isOpenInline || this.file.size > maxFileBytes) return false;
    const name = `"${native.name.replaceAll('"', '""')}"`;
    try {
      const span = this.file.readValueInline(
        `select (select max(rowid) from ${name}) - (select min(rowid) from ${name})`,
      );
      return Number(span ?? 0) <= maxRows;
    } catch {
      return false;
    }
  }
}
