// A change as statements, checks and losses.
import { fail } from '@sluice/contract';
import type { ReferenceDefinition, SchemaChange } from '../../../change/index.ts';
import type { Table } from '../../../schema/index.ts';
import { pause } from '../../../shares/index.ts';
import type { PlanContext, PlannedChange } from '../../network/index.ts';
import { planAlteration } from './alter.ts';
import { readFacts } from './facts.ts';
import { columnSql, indexesOf, referenceSql } from './field.ts';
import { beginPlanning, keyOf, type Planning } from './planning.ts';
import { quoteNames, quoteTable, requireText } from './words.ts';

export async function planAll(changes: readonly SchemaChange[], context: PlanContext): Promise<PlannedChange[]> {
  const planning = await beginPlanning(context);
  const changedTables = new Set<string>();
  const planned: PlannedChange[] = [];
  const later = new LaterReferences(changes);
  for (const [index, change] of changes.entries()) {
    await pause();
    if (change.kind === 'createTable') {
      planned.push(await planTable(change, index, planning, later));
      continue;
    }
    const { table } = change;
    if (change.kind === 'alterTable' && planning.newTables.has(keyOf(await context.nativeName(table.name)))) {
      planned.push(await planReferences(change, planning));
      continue;
    }
    const key = keyOf(table.native);
    // What is known of it is from before all of them.
    if (changedTables.has(key))
      throw fail('schema.unsupported', { table: table.name, problem: 'a call changes a table only once' });
    changedTables.add(key);
    planned.push(
      change.kind === 'dropTable' ? await planDrop(table, planning) : await planAlteration(change, planning),
    );
  }
  for (const { statements } of planned) for (const { sql } of statements) requireText(sql);
  return planned;
}

/** Foreign keys of new tables to tables that are made later in the same call: they are added when those exist. */
class LaterReferences {
  private readonly creations = new Map<string, number>();
  private readonly waiting: { at: number; sql: string }[] = [];

  constructor(changes: readonly SchemaChange[]) {
    for (const [index, change] of changes.entries())
      if (change.kind === 'createTable') this.creations.set(change.name, index);
  }

  isLater({ refTable }: ReferenceDefinition, index: number): boolean {
    return (this.creations.get(refTable) ?? -1) > index;
  }

  add({ refTable }: ReferenceDefinition, sql: string): void {
    this.waiting.push({ at: this.creations.get(refTable) ?? 0, sql });
  }

  dueAt(index: number): string[] {
    return this.waiting.flatMap(({ at, sql }) => (at === index ? [sql] : []));
  }
}

async function planTable(
  { name, fields, references }: Extract<SchemaChange, { kind: 'createTable' }>,
  index: number,
  planning: Planning,
  later: LaterReferences,
): Promise<PlannedChange> {
  const native = await planning.context.nativeName(name);
  const table = quoteTable(native);
  const lines: string[] = [];
  for (const field of fields) lines.push(columnSql(field, name));
  const key = fields.filter((field) => field.isPrimaryKey).map((field) => field.name);
  if (key.length > 0) lines.push(`primary key (${quoteNames(key)})`);
  for (const reference of references) {
    const sql = await referenceSql(reference, native, name, planning);
    if (later.isLater(reference, index)) later.add(reference, `alter table ${table} add ${sql}`);
    else lines.push(sql);
  }
  const statements = [`create table ${table} (${lines.join(', ')})`];
  for (const field of fields) statements.push(...(await indexesOf(field, field.name, native, planning)));
  statements.push(...later.dueAt(index));
  planning.newTables.add(keyOf(native));
  return { table: name, checks: [], losses: [], statements: statements.map((sql) => ({ sql })) };
}

/** References of a table that the same call made, which waited for what they are to. */
async function planReferences(
  { table, steps }: Extract<SchemaChange, { kind: 'alterTable' }>,
  planning: Planning,
): Promise<PlannedChange> {
  const native = await planning.context.nativeName(table.name);
  const statements = [];
  for (const step of steps) {
    if (step.kind !== 'addReference')
      throw fail('schema.unsupported', { table: table.name, problem: 'a call changes a table only once' });
    const sql = await referenceSql(step.reference, native, table.name, planning);
    statements.push({ sql: `alter table ${quoteTable(native)} add ${sql}` });
  }
  return { table: table.name, checks: [], losses: [], statements };
}

async function planDrop(table: Table, { context }: Planning): Promise<PlannedChange> {
  const { kind } = await readFacts(context.runQuery, table);
  const quoted = quoteTable(table.native);
  const losses = kind === 'table' ? [{ field: null, sql: `select count(*) from ${quoted}` }] : [];
  return { table: table.name, checks: [], losses, statements: [{ sql: `drop ${kind} ${quoted}` }] };
}
