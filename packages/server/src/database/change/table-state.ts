// The tables of a database as a request leaves them, step by step: what is read of a later table may depend on an earlier one.
import { appendTo, Failure } from '@sluice/contract';
import { nameIndex, type SchemaChange, type Table } from '@sluice/sql';
import type { Extras } from '../extras/index.ts';
import type { ChangeContext, ExtrasDraft } from '../extras/rows.ts';
import type { DatabaseParts } from '../parts.ts';
import type { TableMove } from '../usage/index.ts';
import type { CompositeReferenceInput, ReferenceInput } from './read-field.ts';

/** What a request makes of one table. */
export interface TableChange {
  /** Its real name before. */
  name: string;
  /** As it was; absent for a new one. */
  before?: Table;
  /** As it will be, under its name of after; absent for one that is dropped. */
  after?: Table;
  /** Absent where the database stays as it is. */
  change?: SchemaChange;
  /** Makes of the extras what changes with it; its context's table does not count. */
  planExtras(draft: ExtrasDraft, context: ChangeContext): void;
  /**
   * Real names of fields that go, get another type, or are new in a table that is there: what decides by their values would
   * decide otherwise.
   */
  redefined: string[];
  /** What names the table or a field of it elsewhere follows these. */
  moves: TableMove[];
}

/** Tables as they are, under what changes leave of them that are not carried out yet. */
export class TableState {
  private readonly parts: DatabaseParts;
  /** By name; undefined for a dropped one. */
  private readonly changed = new Map<string, Table | undefined>();
  /** Lower-case names of tables that a later change of the request makes. */
  private readonly pending = new Set<string>();
  /** References to tables that were to come, by the table that has them. */
  readonly deferred = new Map<string, (ReferenceInput | CompositeReferenceInput)[]>();
  private readonly extras: Extras;
  /** Of the virtual fields of a table, in lower case. */
  private readonly virtualNames = new Map<string, Set<string>>();

  constructor(parts: DatabaseParts, extras: Extras) {
    this.parts = parts;
    this.extras = extras;
  }

  /** Tables may have thousands of fields, and each that is sent is looked for. */
  isVirtualField(table: string, field: string): boolean {
    let names = this.virtualNames.get(table);
    if (!names) {
      const fields = [...(this.extras.table(table)?.fields ?? [])];
      names = new Set(fields.flatMap(([name, { is_virtual }]) => (is_virtual ? [name.toLowerCase()] : [])));
      this.virtualNames.set(table, names);
    }
    return names.has(field.toLowerCase());
  }

  /** The type of a field that extras say alone: of a virtual field, or one that fills a column. */
  extraType(table: string, field: string): string | null {
    const fields = this.extras.table(table)?.fields;
    const exact = fields?.get(field);
    if (exact || !this.isVirtualField(table, field)) return exact?.extraType ?? null;
    const [, virtual] = [...(fields ?? [])].find(([name]) => name.toLowerCase() === field.toLowerCase()) ?? [];
    return virtual?.extraType ?? null;
  }

  /** The table of a real name, as written or in any case. */
  async find(name: string): Promise<Table | undefined> {
    if (this.changed.has(name)) return this.changed.get(name);
    const stored = await this.findStored(name);
    if (stored?.name === name) return stored;
    const changedName = nameIndex(this.changed.keys(), (key) => key)(name);
    return changedName === undefined ? stored : this.changed.get(changedName);
  }

  private async findStored(name: string): Promise<Table | undefined> {
    try {
      return await this.parts.tables.withoutOverrides(name);
    } catch (error) {
      if (error instanceof Failure && error.key === 'table.unknown') return undefined;
      throw error;
    }
  }

  /** The real names of all tables. */
  async names(): Promise<string[]> {
    const entries = await this.parts.tables.list({ orderBy: 'realName' });
    const names = entries.map((entry) => entry.name).filter((name) => !this.changed.has(name));
    return [...names, ...[...this.changed.values()].flatMap((table) => (table ? [table.name] : []))];
  }

  /** Keeps what a change leaves, until it is carried out. */
  record({ name, after }: Pick<TableChange, 'name' | 'after'>): void {
    this.changed.set(name, undefined);
    if (after) this.changed.set(after.name, after);
    this.pending.delete(name.toLowerCase());
  }

  /** What was carried out is there. */
  forget(name: string): void {
    this.pending.delete(name.toLowerCase());
  }

  expect(names: Iterable<string>): void {
    for (const name of names) this.pending.add(name.toLowerCase());
  }

  /** Whether a table that is not there is to come. */
  isPending(name: string): boolean {
    return this.pending.has(name.toLowerCase());
  }

  /** Leaves a reference for the end of the request. */
  defer(table: string, reference: ReferenceInput | CompositeReferenceInput): void {
    appendTo(this.deferred, table, reference);
  }
}
