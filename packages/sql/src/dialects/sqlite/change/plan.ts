// Plans a change: its statements, which it runs on the copy of the schema as it goes, and the queries that say what
// of the records would not fit and what would be lost.
import { TakenNames } from '../../../change/names.ts';
import { singleReferences } from '../../../change/references.ts';
import type { Sqlite } from '../driver/index.ts';
import { alterTable } from './alter.ts';
import { columnDefinition, indexSql, maxName, referenceSql, requireName } from './definition.ts';
import { inlineReferences, type PlannedChange, type Planning, resolveReference, runStatement } from './planning.ts';
import { namesIn, readTableState, referrersOf, sameName } from './shadow.ts';
import { type ChangeData, RefusalError, unsupported } from './task.ts';
import { quoteName } from './tokens.ts';

/** Plans a change on what those before it left in the copy of the schema. Throws `RefusalError` and driver errors. */
export function planChange(shadow: Sqlite, changes: readonly ChangeData[], change: ChangeData): PlannedChange {
  const plan: PlannedChange = { table: change.name, checks: [], losses: [], statements: [] };
  const planning: Planning = {
    shadow,
    changes,
    run(sql, { isLegacy = false } = {}) {
      runStatement(shadow, { sql, isLegacy });
      plan.statements.push({ sql, isLegacy });
    },
  };
  if (change.kind === 'createTable') createTable(planning, change);
  else if (change.kind === 'dropTable') dropTable(planning, plan, change);
  else alterTable(planning, plan, change);
  return plan;
}

function createTable(planning: Planning, { name, fields, references }: Extract<ChangeData, { kind: 'createTable' }>) {
  requireName(name, name);
  if (fields.length === 0) throw unsupported(name, 'it would have no field');
  const key = fields.filter(({ isPrimaryKey }) => isPrimaryKey);
  const resolved = references.map((reference) => resolveReference(planning, name, reference));
  const single = singleReferences(resolved);
  const lines = fields.map((field) =>
    columnDefinition(
      field,
      { table: name, isStrict: false, isSoleKey: field.isPrimaryKey && key.length === 1 },
      field.sql === undefined ? single.get(field.name.toLowerCase()) : undefined,
    ),
  );
  if (key.length > 1) lines.push(`PRIMARY KEY (${key.map((field) => quoteName(field.name)).join(', ')})`);
  const inlined = inlineReferences(single, fields);
  for (const reference of resolved) if (!inlined.has(reference)) lines.push(referenceSql(name, reference, false));
  planning.run(`CREATE TABLE ${quoteName(name)} (\n  ${lines.join(',\n  ')}\n)`);
  const names = new TakenNames(namesIn(planning.shadow), maxName);
  for (const field of fields) {
    if (field.isUnique) planning.run(indexSql('unique', name, field.name, names));
    if (field.isIndex) planning.run(indexSql('index', name, field.name, names));
  }
}

function dropTable(
  planning: Planning,
  plan: PlannedChange,
  { name, native }: Extract<ChangeData, { kind: 'dropTable' }>,
) {
  const { shadow, changes } = planning;
  const state = readTableState(shadow, native);
  if (!state) throw new RefusalError({ kind: 'unknownTable', table: name });
  const referrer = referrersOf(shadow, state.name).find(
    (table) => !changes.some((change) => change.kind === 'dropTable' && sameName(change.native, table)),
  );
  if (referrer !== undefined) throw unsupported(name, `table '${referrer}' references it`);
  if (state.kind !== 'view') plan.losses.push({ field: null, sql: `select count(*) from ${quoteName(state.name)}` });
  planning.run(`DROP ${state.kind === 'view' ? 'VIEW' : 'TABLE'} ${quoteName(state.name)}`);
}
