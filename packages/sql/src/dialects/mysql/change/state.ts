// What the database has at a point of a plan: read once, then as the changes before leave it.
import { fail } from '@sluice/contract';
import { TakenNames } from '../../../change/index.ts';
import type { PlanContext } from '../../network/index.ts';
import type { ServerFacts } from '../driver.ts';
import { maxNameLength } from './quoting.ts';
import { isSameTable, type Native, readTableText, type TableText, type ViewText } from './table-text.ts';

export class PlannedState {
  readonly facts: ServerFacts;
  readonly context: PlanContext;
  /** The database that is connected to. */
  readonly database: string;
  private readonly entries: { native: Native; text: Promise<TableText | ViewText | undefined>; isPlanned: boolean }[] =
    [];
  private readonly names = new Map<string, Promise<TakenNames>>();
  private unicode: Promise<boolean> | undefined;

  constructor(context: PlanContext, facts: ServerFacts, database: string) {
    this.context = context;
    this.facts = facts;
    this.database = database;
  }

  find(native: Native): Promise<TableText | ViewText | undefined> {
    const place = this.placeOf(native);
    const entry = this.entries.find((candidate) => isSameTable(candidate.native, place));
    if (entry) return entry.text;
    const text = readTableText(this.context.runQuery, place);
    this.entries.push({ native: place, text, isPlanned: false });
    return text;
  }

  /** A table, but no view; `table.unknown` without one. `name` is its API name. */
  async table(native: Native, name: string): Promise<TableText> {
    const text = await this.find(native);
    if (!text) throw fail('table.unknown', { table: name });
    if (text.kind === 'view') throw fail('schema.unsupported', { table: name, problem: 'it is a view' });
    return text;
  }

  put(native: Native, text: TableText | undefined): void {
    const place = this.placeOf(native);
    const index = this.entries.findIndex((entry) => isSameTable(entry.native, place));
    if (index >= 0) this.entries.splice(index, 1);
    this.entries.push({ native: place, text: Promise.resolve(text), isPlanned: true });
  }

  /** Whether a change before has to be carried out first for the table to be so: its records cannot be counted yet. */
  isPlanned(native: Native): boolean {
    const place = this.placeOf(native);
    return this.entries.some((entry) => entry.isPlanned && isSameTable(entry.native, place));
  }

  /** Names of foreign keys of a database, which are unique there. */
  foreignKeyNames(schema: string | null): Promise<TakenNames> {
    const database = schema ?? this.database;
    const names = this.names.get(database) ?? this.readForeignKeyNames(database);
    this.names.set(database, names);
    return names;
  }

  /** Whether columns of new tables hold every character. */
  isUnicode(): Promise<boolean> {
    this.unicode ??= this.context
      .runQuery('select @@character_set_database')
      .then(([row]) => /^utf8mb4/i.test(String(row?.[0])));
    return this.unicode;
  }

  private async readForeignKeyNames(database: string): Promise<TakenNames> {
    const rows = await this.context.runQuery(
      'select constraint_name from information_schema.referential_constraints where constraint_schema = ?',
      [database],
    );
    return new TakenNames(
      rows.map(([name]) => String(name)),
      maxNameLength,
    );
  }

  private placeOf({ schema, name }: Native): Native {
    return { schema: schema === this.database ? null : schema, name };
  }
}
