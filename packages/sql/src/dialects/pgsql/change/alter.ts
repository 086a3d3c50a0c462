// The change of a table that exists, step by step (https://www.postgresql.org/docs/current/sql-altertable.html).
import { fail } from '@sluice/contract';
import type { FieldChange, MisfitProblem, SchemaChange, TableStep } from '../../../change/index.ts';
import type { Column, Table } from '../../../schema/index.ts';
import type { PlannedChange } from '../../network/index.ts';
import { defaultOf } from '../introspect.ts';
import { conversionOf } from './conversion.ts';
import { type ColumnFacts, type IndexFacts, readFacts, type TableFacts } from './facts.ts';
import { columnSql, defaultSql, indexesOf, referenceSql, valueSql } from './field.ts';
import { keyOf, type Planning } from './planning.ts';
import { canonicalType, isKnownType, ownDefault, typeSql } from './types.ts';
import { quoteLiteral, quoteName, quoteNames, quoteTable } from './words.ts';

type Step<K extends TableStep['kind']> = Extract<TableStep, { kind: K }>;

/** The change of one table while it is planned. */
interface Alteration {
  planning: Planning;
  table: Table;
  facts: TableFacts;
  /** As it is called where the next statement runs. */
  native: Table['native'];
  /** Names of columns before the change → where the next statement runs. */
  names: Map<string, string>;
  /** Columns whose values before the change say nothing about those after it. */
  changedColumns: Set<string>;
  steps: readonly TableStep[];
  planned: PlannedChange;
}

export async function planAlteration(
  { table, steps }: Extract<SchemaChange, { kind: 'alterTable' }>,
  planning: Planning,
): Promise<PlannedChange> {
  const alteration: Alteration = {
    planning,
    table,
    facts: await readFacts(planning.context.runQuery, table),
    native: table.native,
    names: new Map(),
    changedColumns: new Set(),
    steps,
    planned: { table: table.name, checks: [], losses: [], statements: [] },
  };
  for (const step of steps) await planStep(alteration, step);
  return alteration.planned;
}

function planStep(alteration: Alteration, step: TableStep): void | Promise<void> {
  switch (step.kind) {
    case 'addField':
      return addField(alteration, step);
    case 'changeField':
      return changeField(alteration, step);
    case 'renameField':
      return renameField(alteration, step);
    case 'dropField':
      return dropField(alteration, step);
    case 'addReference':
      return addReference(alteration, step);
    case 'setPrimaryKey':
      return setPrimaryKey(alteration, step);
    case 'renameTable':
      return renameTable(alteration, step);
  }
}

const run = ({ planned }: Alteration, sql: string) => planned.statements.push({ sql });

const alter = (alteration: Alteration, action: string) =>
  run(alteration, `alter table ${quoteTable(alteration.native)} ${action}`);

/** Counts records of the table as it is before the change. */
const check = ({ planned, table }: Alteration, field: string, problem: MisfitProblem, condition: string) =>
  planned.checks.push({ field, problem, sql: `select count(*) from ${quoteTable(table.native)} where ${condition}` });

const checkDuplicates = ({ planned, table }: Alteration, columns: readonly string[]) =>
  planned.checks.push({
    field: columns.join(','),
    problem: 'duplicate',
    sql: `select count(*) from (select 1 from ${quoteTable(table.native)} where ${columns
      .map((column) => `${quoteName(column)} is not null`)
      .join(' and ')} group by ${quoteNames(columns)} having count(*) > 1) as duplicates`,
  });

const currentName = ({ names }: Alteration, column: string) => names.get(column) ?? column;

const unsupported = ({ table }: Alteration, problem: string) =>
  fail('schema.unsupported', { table: table.name, problem });

/** Its facts; the database says what is wrong with one that is gone. */
const factsOf = ({ facts }: Alteration, column: Column): ColumnFacts =>
  facts.columns.get(column.native) ?? {
    type: column.description.db_type ?? '',
    isNotNull: false,
    default: null,
    identity: '',
    isGenerated: false,
    sequence: null,
  };

// ---- fields ----

async function addField(alteration: Alteration, { field }: Step<'addField'>): Promise<void> {
  const { planned, table, steps, planning } = alteration;
  const value = field.sql === undefined ? defaultSql(field.default, field.type) : null;
  const isComputed = field.sql !== undefined || field.isAutoIncrement || !isKnownType(field.type.type);
  const source = quoteTable(table.native);
  if (!isComputed && value === null && !field.allowNull)
    planned.checks.push({ field: field.name, problem: 'noValue', sql: `select count(*) from ${source}` });
  if (field.isUnique && field.default !== null && 'value' in field.default)
    planned.checks.push({
      field: field.name,
      problem: 'duplicate',
      sql: `select (count(*) > 1)::integer from (select 1 from ${source} limit 2) as records`,
    });
  alter(alteration, `add column ${columnSql(field, table.name)}`);
  if (field.isPrimaryKey && !steps.some((step) => step.kind === 'setPrimaryKey'))
    alter(alteration, `add primary key (${quoteName(field.name)})`);
  for (const sql of await indexesOf(field, field.name, alteration.native, planning)) run(alteration, sql);
}

function renameField(alteration: Alteration, { column, newName }: Step<'renameField'>): void {
  const name = currentName(alteration, column.native);
  if (name === newName) return;
  alter(alteration, `rename column ${quoteName(name)} to ${quoteName(newName)}`);
  alteration.names.set(column.native, newName);
}

function dropField(alteration: Alteration, { column }: Step<'dropField'>): void {
  const { planned, table } = alteration;
  const name = quoteName(column.native);
  planned.losses.push({ field: column.native, sql: `select count(${name}) from ${quoteTable(table.native)}` });
  alter(alteration, `drop column ${quoteName(currentName(alteration, column.native))}`);
}

async function changeField(alteration: Alteration, { column, change }: Step<'changeField'>): Promise<void> {
  if (change.sql !== undefined) {
    // A word of ALTER COLUMN, else a type.
    const action = /^\s*(set|drop|add|type|restart|reset)\b/i.test(change.sql) ? change.sql : `type ${change.sql}`;
    alter(alteration, `alter column ${quoteName(currentName(alteration, column.native))} ${action}`);
    alteration.changedColumns.add(column.native);
  }
  dropIndexes(alteration, column, change);
  const facts = factsOf(alteration, column);
  const isCounted = isAutoIncrement(facts);
  if (change.isAutoIncrement === false && isCounted) stopCounting(alteration, column, facts);
  const staysCounted = isCounted && change.isAutoIncrement !== false;
  if (change.sql === undefined) {
    await changeType(alteration, column, change, facts, staysCounted);
    if (!staysCounted && !change.isAutoIncrement) changeDefault(alteration, column, change, facts);
    changeNull(alteration, column, change, facts);
  }
  if (change.isAutoIncrement === true && !isCounted) await startCounting(alteration, column, change, facts);
  const { isUnique, isIndex } = change;
  const isNew = (isWanted: boolean | undefined, unique: boolean) =>
    isWanted === true && indexesOn(alteration, column, unique).length === 0;
  const missing = { name: column.native, isUnique: isNew(isUnique, true), isIndex: isNew(isIndex, false) };
  if (missing.isUnique && !alteration.changedColumns.has(column.native)) checkDuplicates(alteration, [column.native]);
  const name = currentName(alteration, column.native);
  for (const sql of await indexesOf(missing, name, alteration.native, alteration.planning)) run(alteration, sql);
}

const alterColumn = (alteration: Alteration, column: Column, action: string) =>
  alter(alteration, `alter column ${quoteName(currentName(alteration, column.native))} ${action}`);

async function changeType(
  alteration: Alteration,
  column: Column,
  { type, default: newDefault }: FieldChange,
  facts: ColumnFacts,
  staysCounted: boolean,
): Promise<void> {
  if (!type) return;
  const target = canonicalType(typeSql(type));
  if (target === facts.type) return;
  alteration.changedColumns.add(column.native);
  if (!isKnownType(type.type)) {
    alterColumn(alteration, column, `type ${typeSql(type)}`);
    return;
  }
  const { using, misfits } = conversionOf(facts.type, target, alteration.planning.canValidate);
  const value = quoteName(column.native);
  for (const { problem, condition } of misfits(value)) check(alteration, column.native, problem, condition);
  const hasDefault = facts.default !== null && !isAutoIncrement(facts) && using !== undefined;
  if (hasDefault) alterColumn(alteration, column, 'drop default');
  const current = quoteName(currentName(alteration, column.native));
  alterColumn(alteration, column, `type ${typeSql(type)}${using ? ` using ${using(current)}` : ''}`);
  if (hasDefault && newDefault === undefined)
    alterColumn(alteration, column, `set default ${await convertDefault(alteration, facts.default ?? '', using)}`);
  // The database changes that of an identity column itself.
  if (staysCounted && facts.identity === '' && facts.sequence !== null && /^(smallint|integer|bigint)$/.test(target))
    run(alteration, `alter sequence ${facts.sequence} as ${target}`);
}

/** A constant in the new type, as a constant; what is computed stays as it is. */
async function convertDefault(
  { planning }: Alteration,
  expression: string,
  using: ((value: string) => string) | undefined,
): Promise<string> {
  if (!using || !/^(\(?-?[\d.]+(e[+-]?\d+)?\)?|'([^']|'')*'|true|false)(::[^']+)?$/i.test(expression))
    return expression;
  const [row] = await planning.context.runQuery(`select (${using(`(${expression})`)})::text`);
  const [value = null] = row ?? [];
  return value === null ? 'null' : quoteLiteral(value);
}

function changeDefault(
  alteration: Alteration,
  column: Column,
  { type, default: definition }: FieldChange,
  facts: ColumnFacts,
): void {
  const own = type ? ownDefault(type) : null;
  if (definition === undefined && own === null) return;
  const value = defaultOfChange(definition, type, facts, own);
  if (value === null) {
    if (facts.default !== null) alterColumn(alteration, column, 'drop default');
    return;
  }
  const isSame =
    type === undefined &&
    (facts.default === value ||
      (definition && 'value' in definition && facts.default !== null && isConstant(facts.default)
        ? defaultOf(facts.default, column.description.type) === definition.value
        : false));
  if (!isSame) alterColumn(alteration, column, `set default ${value}`);
}

const isConstant = (expression: string) => /^('|\(?-?[\d.]|true$|false$)/.test(expression);

function defaultOfChange(
  definition: FieldChange['default'],
  type: FieldChange['type'],
  facts: ColumnFacts,
  own: string | null,
): string | null {
  if (!definition) return own;
  if ('expression' in definition) return definition.expression;
  return valueSql(definition.value, type ? canonicalType(typeSql(type)) : facts.type);
}

function changeNull(alteration: Alteration, column: Column, { allowNull }: FieldChange, facts: ColumnFacts): void {
  if (allowNull === undefined || allowNull === !facts.isNotNull) return;
  if (!allowNull) check(alteration, column.native, 'noValue', `${quoteName(column.native)} is null`);
  alterColumn(alteration, column, allowNull ? 'drop not null' : 'set not null');
}

// ---- counting up ----

const isAutoIncrement = ({ identity, default: expression }: ColumnFacts) =>
  identity !== '' || /^nextval\(/.test(expression ?? '');

function stopCounting(alteration: Alteration, column: Column, facts: ColumnFacts): void {
  if (facts.identity !== '') {
    alterColumn(alteration, column, 'drop identity');
    return;
  }
  alterColumn(alteration, column, 'drop default');
  // Only one that is the column's own: others may count by it too.
  if (facts.sequence !== null) run(alteration, `drop sequence ${facts.sequence}`);
}

async function startCounting(
  alteration: Alteration,
  column: Column,
  { type }: FieldChange,
  facts: ColumnFacts,
): Promise<void> {
  const target = type ? canonicalType(typeSql(type)) : facts.type;
  if (!/^(smallint|integer|bigint)$/.test(target))
    throw unsupported(alteration, `only whole numbers can be counted up, and '${column.native}' is of another type`);
  const { native, planning } = alteration;
  const name = currentName(alteration, column.native);
  const sequenceName = await planning.claim(native, `seq_${native.name}_${name}`);
  const sequence = quoteTable({ schema: native.schema, name: sequenceName });
  const table = quoteTable(native);
  run(alteration, `create sequence ${sequence} as ${target} owned by ${table}.${quoteName(name)}`);
  run(
    alteration,
    `select setval(${quoteLiteral(sequence)}, greatest((select max(${quoteName(name)}) from ${table}), 0)::bigint + 1, false)`,
  );
  alterColumn(alteration, column, `set default nextval(${quoteLiteral(sequence)})`);
}

// ---- indexes and keys ----

/** Indexes of exactly this column. */
const indexesOn = ({ facts }: Alteration, { native }: Column, isUnique: boolean): IndexFacts[] =>
  facts.indexes.filter(
    (index) =>
      !index.isPrimary &&
      index.isUnique === isUnique &&
      index.columns.length === 1 &&
      index.columns[0] === native &&
      !(isUnique && index.isPartial),
  );

function dropIndexes(alteration: Alteration, column: Column, { isUnique, isIndex }: FieldChange): void {
  const doomed = [
    ...(isUnique === false ? indexesOn(alteration, column, true) : []),
    ...(isIndex === false ? indexesOn(alteration, column, false) : []),
  ];
  const isWider = (index: IndexFacts) =>
    !index.isUnique &&
    index.columns.includes(column.native) &&
    (index.columns.length > 1 || index.constraintKind === 'x');
  if (isIndex === false && alteration.facts.indexes.some(isWider))
    throw unsupported(alteration, `an index of '${column.native}' covers more than this field`);
  for (const { name, constraint } of doomed) {
    if (constraint !== null) alter(alteration, `drop constraint ${quoteName(constraint)}`);
    else run(alteration, `drop index ${quoteTable({ schema: alteration.native.schema, name })}`);
  }
}

function setPrimaryKey(alteration: Alteration, { columns }: Step<'setPrimaryKey'>): void {
  const { facts, changedColumns } = alteration;
  const primary = facts.indexes.find((index) => index.isPrimary);
  if (JSON.stringify(primary?.columns ?? []) === JSON.stringify(columns)) return;
  if (primary?.constraint) alter(alteration, `drop constraint ${quoteName(primary.constraint)}`);
  if (columns.length === 0) return;
  const existing = columns.filter((column) => facts.columns.has(column) && !changedColumns.has(column));
  for (const column of existing)
    if (!facts.columns.get(column)?.isNotNull) check(alteration, column, 'noValue', `${quoteName(column)} is null`);
  if (existing.length === columns.length) checkDuplicates(alteration, columns);
  alter(alteration, `add primary key (${quoteNames(columns.map((column) => currentName(alteration, column)))})`);
}

async function addReference(alteration: Alteration, { reference }: Step<'addReference'>): Promise<void> {
  const { planning, planned, table, facts, changedColumns, native } = alteration;
  const columns = reference.columns.map((column) => currentName(alteration, column));
  alter(alteration, `add ${await referenceSql({ ...reference, columns }, native, table.name, planning)}`);
  if (!reference.columns.every((column) => facts.columns.has(column) && !changedColumns.has(column))) return;
  const target = await planning.context.nativeName(reference.refTable);
  const quoted = reference.columns.map((column) => `source.${quoteName(column)}`);
  const hasTarget = quoted
    .map((column, index) => `target.${quoteName(reference.refColumns[index] ?? '')} = ${column}`)
    .join(' and ');
  const isSet = quoted.map((column) => `${column} is not null`).join(' and ');
  const lacksTarget = planning.newTables.has(keyOf(target))
    ? isSet
    : `${isSet} and not exists (select from ${quoteTable(target)} as target where ${hasTarget})`;
  planned.checks.push({
    field: reference.columns.join(','),
    problem: 'noTarget',
    sql: `select count(*) from ${quoteTable(table.native)} as source where ${lacksTarget}`,
  });
}

// ---- the table ----

/** It stays in its schema: a table is moved by nobody who only calls it differently. */
async function renameTable(alteration: Alteration, { newName }: Step<'renameTable'>): Promise<void> {
  const { native, planning } = alteration;
  const wanted = await planning.context.nativeName(newName);
  const isElsewhere = wanted.schema !== native.schema;
  if (isElsewhere && wanted.name !== newName)
    throw unsupported(alteration, 'it can not be moved to another schema by a new name');
  const name = isElsewhere ? newName : wanted.name;
  if (name === native.name) return;
  alter(alteration, `rename to ${quoteName(name)}`);
  alteration.native = { schema: native.schema, name };
}
