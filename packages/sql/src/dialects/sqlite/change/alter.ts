// Alters a table: by SQLite's own ALTER where that does it, else by rebuilding the table
// (https://sqlite.org/lang_altertable.html#otheralter).
import type { FieldChange, FieldDefinition, ReferenceDefinition } from '../../../change/index.ts';
import { TakenNames } from '../../../change/names.ts';
import { singleReferences } from '../../../change/references.ts';
import {
  parseColumn,
  parseConstraints,
  parseTable,
  type TableText,
  UnreadableTextError,
  withDefinition,
  withoutConstraints,
  withoutParts,
  withPart,
  withType,
  writeTable,
} from './create-table.ts';
import {
  columnDefault,
  columnDefinition,
  columnType,
  indexSql,
  maxName,
  referenceSql,
  requireName,
} from './definition.ts';
import { type TypeFit, typeFit } from './fit.ts';
import { inlineReferences, type PlannedChange, type Planning, passingName, resolveReference } from './planning.ts';
import {
  type ColumnState,
  type IndexState,
  namesIn,
  readTableState,
  rowidColumn,
  sameName,
  type TableState,
} from './shadow.ts';
import { type ChangeData, type ColumnName, RefusalError, type StepData, unsupported } from './task.ts';
import { isFragment, quoteName } from './tokens.ts';
import { bringsDefault, isKnownType } from './type-words.ts';

type Alteration = Extract<ChangeData, { kind: 'alterTable' }>;

/** The steps of an alteration, sorted. */
interface Steps {
  added: FieldDefinition[];
  changed: { column: ColumnName; change: FieldChange }[];
  renamed: { column: ColumnName; newName: string }[];
  dropped: ColumnName[];
  references: ReferenceDefinition[];
  key: string[] | undefined;
  newName: string | undefined;
}

function sortSteps(steps: readonly StepData[]): Steps {
  const sorted: Steps = {
    added: [],
    changed: [],
    renamed: [],
    dropped: [],
    references: [],
    key: undefined,
    newName: undefined,
  };
  for (const step of steps) {
    if (step.kind === 'addField') sorted.added.push(step.field);
    else if (step.kind === 'changeField') sorted.changed.push(step);
    else if (step.kind === 'renameField') sorted.renamed.push(step);
    else if (step.kind === 'dropField') sorted.dropped.push(step.column);
    else if (step.kind === 'addReference') sorted.references.push(step.reference);
    else if (step.kind === 'setPrimaryKey') sorted.key = step.columns;
    else sorted.newName = step.newName;
  }
  return sorted;
}

/** A column as it is after the change. */
interface NewColumn {
  /** By which steps call it. */
  name: string;
  /** Its name while the table is altered: a new name may be that of a column which is still there. */
  current: string;
  /** The name it has at last. */
  last: string;
  /** Its name in the table before the change; absent for one that is added. */
  old?: string;
  fit?: TypeFit;
  /** The value an added one has in the records there are, as SQL; undefined where nobody knows. */
  value?: string;
}

/** Plans an alteration, step by step on the copy of the schema. */
export function alterTable(planning: Planning, plan: PlannedChange, { name, native, steps }: Alteration): void {
  const before = readTableState(planning.shadow, native);
  if (!before) throw new RefusalError({ kind: 'unknownTable', table: name });
  if (before.kind !== 'table')
    throw unsupported(name, before.kind === 'view' ? 'it is a view' : `it is a ${before.kind} table`);
  const sorted = sortSteps(steps);
  for (const { native: column } of [...sorted.changed, ...sorted.renamed].map((step) => step.column))
    requireColumn(before, column);
  for (const column of sorted.dropped) requireColumn(before, column.native);
  try {
    new TableAlteration(planning, plan, name, before, sorted).run();
  } catch (error) {
    throw error instanceof UnreadableTextError ? unsupported(name, error.message) : error;
  }
}

function requireColumn({ columns, name }: TableState, column: string): ColumnState {
  const state = columns.find((each) => sameName(each.name, column));
  if (!state) throw new RefusalError({ kind: 'changed', text: `no such column: ${name}.${column}` });
  return state;
}

/** One alteration, from the table as it was to its last statement. */
class TableAlteration {
  private readonly planning: Planning;
  private readonly plan: PlannedChange;
  private readonly name: string;
  private readonly before: TableState;
  private readonly steps: Steps;
  private readonly columns: NewColumn[] = [];
  private readonly references: ReferenceDefinition[];
  private readonly singleReferences: ReadonlyMap<string, ReferenceDefinition>;
  /** Names, while the table is altered, of the primary key after it. */
  private readonly key: string[];
  private readonly isKeyNew: boolean;
  private readonly oldRowid: string | undefined;

  constructor(planning: Planning, plan: PlannedChange, name: string, before: TableState, steps: Steps) {
    this.planning = planning;
    this.plan = plan;
    this.name = name;
    this.before = before;
    this.steps = steps;
    this.oldRowid = rowidColumn(before);
    this.columns = this.columnsAfter();
    const oldKey = before.columns
      .filter(({ keyPlace }) => keyPlace > 0)
      .sort((a, b) => a.keyPlace - b.keyPlace)
      .map((column) => column.name);
    const keptKey = oldKey.filter((column) => this.columns.some(({ old }) => old === column));
    if (steps.key === undefined && keptKey.length > 0 && keptKey.length < oldKey.length)
      throw unsupported(name, 'a field is part of the primary key');
    const addedKey = steps.added.filter(({ isPrimaryKey }) => isPrimaryKey).map((field) => field.name);
    if (steps.key === undefined && addedKey.length > 0 && keptKey.length > 0)
      throw unsupported(name, 'it has a primary key already');
    this.key = (steps.key ?? (addedKey.length > 0 ? addedKey : keptKey)).map((column) => this.find(column).current);
    const oldNow = oldKey.map((column) => this.columns.find(({ old }) => old === column)?.current);
    this.isKeyNew = this.key.length !== oldNow.length || this.key.some((column, index) => column !== oldNow[index]);
    this.references = steps.references.map((reference) => {
      const resolved = resolveReference(planning, before.name, reference);
      return { ...resolved, columns: resolved.columns.map((column) => this.find(column).current) };
    });
    this.singleReferences = singleReferences(this.references);
  }

  run(): void {
    this.planChecks();
    this.renameFirst();
    if (this.needsRebuild()) this.rebuild();
    else this.alter();
    this.makeIndexes();
    this.renameLast();
  }

  private columnsAfter(): NewColumn[] {
    const { before, steps } = this;
    const isDropped = (column: string) => steps.dropped.some(({ native }) => sameName(native, column));
    const taken = [...before.columns.map((column) => column.name), ...steps.added.map((field) => field.name)];
    const columns: NewColumn[] = [];
    for (const { name: old, type } of before.columns) {
      if (isDropped(old)) continue;
      const last = steps.renamed.findLast(({ column }) => sameName(column.native, old))?.newName ?? old;
      requireName(last, this.name);
      const isTaken = taken.some((name) => sameName(name, last) && !sameName(name, old));
      let current = last;
      for (let number = 1; isTaken && taken.some((name) => sameName(name, current)); number += 1)
        current = `sluice_${number}`;
      if (current !== last) taken.push(current);
      const change = this.changeOf(old);
      const newWord = this.newWord(change);
      const fit = newWord === undefined ? undefined : typeFit(type, newWord);
      columns.push({ name: old, current, last, old, fit });
    }
    for (const field of steps.added) {
      const isUnknown = field.sql !== undefined || field.isAutoIncrement;
      columns.push({
        name: field.name,
        current: field.name,
        last: field.name,
        value: isUnknown ? undefined : (columnDefault(field, this.name) ?? 'null'),
      });
    }
    if (columns.length === 0) throw unsupported(this.name, 'it would have no field');
    return columns;
  }

  /** The column a step means: as described before, else one that is added, else by its new name. */
  private find(name: string): NewColumn {
    const column =
      this.columns.find((each) => each.old !== undefined && sameName(each.old, name)) ??
      this.columns.find((each) => each.old === undefined && sameName(each.name, name)) ??
      this.columns.find((each) => sameName(each.last, name));
    if (!column) throw unsupported(this.name, `there is no field '${name}'`);
    return column;
  }

  private changeOf(old: string): FieldChange | undefined {
    const changes = this.steps.changed.filter(({ column }) => sameName(column.native, old));
    return changes.length === 0 ? undefined : Object.assign({}, ...changes.map(({ change }) => change));
  }

  /** The type a change gives a column, where it says. */
  private newWord(change: FieldChange | undefined): string | undefined {
    if (change === undefined || change.sql !== undefined) return undefined;
    if (change.isAutoIncrement === true) return 'integer';
    return change.type && columnType(change.type, false, { ...this.surroundings, isSoleKey: false });
  }

  private get surroundings() {
    return { table: this.name, isStrict: this.before.isStrict };
  }

  // ---- what would not fit, and what would be lost ----

  private planChecks(): void {
    const { before, plan, steps } = this;
    const table = quoteName(before.name);
    const check = (field: string, problem: PlannedChange['checks'][number]['problem'], sql: string) =>
      plan.checks.push({ field, problem, sql });
    const count = (condition: string) => `select count(*) from ${table} where ${condition}`;
    for (const column of steps.dropped) {
      const { name, isGenerated } = requireColumn(before, column.native);
      if (!isGenerated) plan.losses.push({ field: column.name, sql: count(`${quoteName(name)} is not null`) });
    }
    for (const field of steps.added) {
      const value = this.find(field.name).value;
      const isNeeded = !field.allowNull || this.key.includes(field.name);
      if (value === 'null' && isNeeded) check(field.name, 'noValue', count('true'));
      else if (value !== undefined && value !== 'null' && (field.isUnique || this.isSoleKey(field.name)))
        check(field.name, 'duplicate', `select count(*) > 1 from ${table}`);
    }
    for (const column of this.columns) {
      if (column.old === undefined) continue;
      const state = requireColumn(before, column.old);
      const apiName = this.apiName(column.old);
      const value = quoteName(column.old);
      const change = this.changeOf(column.old);
      if (state.isGenerated) continue;
      for (const { problem, condition } of column.fit?.misfits ?? []) check(apiName, problem, count(condition(value)));
      const isKey = this.key.includes(column.current);
      // A rowid that is null would become a number.
      const counts = change?.isAutoIncrement === true;
      const isNeeded = (change?.allowNull === false && change.sql === undefined) || counts || (isKey && this.isKeyNew);
      const isNew = !state.isNotNull && column.old !== this.oldRowid;
      if (isNeeded && isNew) check(apiName, 'noValue', count(`${value} is null`));
      const becomesUnique = change?.isUnique === true && !this.isUniqueNow(column.old);
      const isStillUnique =
        column.fit !== undefined && column.fit.compared(value) !== value && this.isUniqueNow(column.old);
      if (becomesUnique || isStillUnique) check(apiName, 'duplicate', this.duplicates([column], true));
    }
    if (this.isKeyNew && this.key.length > 0) {
      const columns = this.key.map((name) => this.columns.find(({ current }) => current === name) as NewColumn);
      if (columns.every(({ old }) => old !== undefined))
        check(columns.map(({ name }) => this.apiName(name)).join(','), 'duplicate', this.duplicates(columns, false));
    }
    for (const reference of this.references) this.checkTargets(reference);
  }

  private duplicates(columns: NewColumn[], areNullsApart: boolean): string {
    const values = columns.map((column) => this.valueOf(column) as string);
    const where = areNullsApart ? ` where ${values.map((value) => `${value} is not null`).join(' and ')}` : '';
    return `select count(*) from (select 1 from ${quoteName(this.before.name)}${where} group by ${values.join(', ')} having count(*) > 1)`;
  }

  private checkTargets({ columns, refTable, refColumns }: ReferenceDefinition): void {
    const list = columns.map((name) => this.columns.find(({ current }) => current === name) as NewColumn);
    const values = list.map((column) => this.valueOf(column, 'c'));
    if (values.some((value) => value === undefined || value === 'null')) return;
    const isSelf = sameName(refTable, this.before.name);
    const targets = isSelf ? refColumns.map((column) => this.find(column).old) : refColumns;
    if (targets.some((target) => target === undefined)) return;
    const matches = targets.map((target, index) => `p.${quoteName(target as string)} = ${values[index]}`);
    this.plan.checks.push({
      field: list.map(({ name }) => this.apiName(name)).join(','),
      problem: 'noTarget',
      sql: `select count(*) from ${quoteName(this.before.name)} as c where ${values.map((value) => `${value} is not null`).join(' and ')} and not exists (select 1 from ${quoteName(refTable)} as p where ${matches.join(' and ')})`,
    });
  }

  /** What a column holds after the change, as SQL over the table before; undefined where nobody knows. */
  private valueOf({ old, fit, value }: NewColumn, alias?: string): string | undefined {
    if (old === undefined) return value;
    const name = alias === undefined ? quoteName(old) : `${alias}.${quoteName(old)}`;
    return fit ? fit.compared(name) : name;
  }

  private isUniqueNow(column: string): boolean {
    const isKey = this.before.columns.filter(({ keyPlace }) => keyPlace > 0);
    if (isKey.length === 1 && isKey[0]?.name === column) return true;
    return this.uniqueIndexes(column).length > 0;
  }

  private readonly isOnly = (index: IndexState, column: string): boolean =>
    index.columns.length === 1 && index.columns[0] !== undefined && sameName(index.columns[0], column);

  private uniqueIndexes(column: string): IndexState[] {
    return this.before.indexes.filter(
      (index) => index.isUnique && !index.isPartial && index.origin !== 'pk' && this.isOnly(index, column),
    );
  }

  private isSoleKey(current: string): boolean {
    return this.key.length === 1 && this.key[0] === current;
  }

  private apiName(native: string): string {
    const steps = [...this.steps.changed, ...this.steps.renamed].map(({ column }) => column);
    return steps.find((column) => sameName(column.native, native))?.name ?? native;
  }

  // ---- names ----

  private renameFirst(): void {
    for (const { old, current } of this.columns) if (old !== undefined && old !== current) this.rename(old, current);
  }

  private renameLast(): void {
    for (const { current, last } of this.columns) if (current !== last) this.rename(current, last);
    const { newName } = this.steps;
    if (newName === undefined || newName === this.before.name) return;
    requireName(newName, this.name);
    this.planning.run(`ALTER TABLE ${quoteName(this.before.name)} RENAME TO ${quoteName(newName)}`);
  }

  private rename(from: string, to: string): void {
    this.planning.run(
      `ALTER TABLE ${quoteName(this.before.name)} RENAME COLUMN ${quoteName(from)} TO ${quoteName(to)}`,
    );
  }

  // ---- where SQLite's own ALTER does ----

  private needsRebuild(): boolean {
    const { steps } = this;
    if (steps.dropped.length > 0 || this.isKeyNew) return true;
    const addedAlone = (reference: ReferenceDefinition) =>
      reference.columns.length === 1 &&
      steps.added.some((field) => sameName(field.name, reference.columns[0] as string)) &&
      this.singleReference(reference.columns[0] as string) === reference;
    if (!this.references.every(addedAlone)) return true;
    if (steps.added.some((field) => !this.canBeAppended(field))) return true;
    return steps.changed.some(({ column, change }) => {
      const { type, allowNull, default: value, isAutoIncrement, sql } = change;
      if ([type, allowNull, value, isAutoIncrement, sql].some((each) => each !== undefined)) return true;
      return change.isUnique === false && this.uniqueIndexes(column.native).some(({ sql }) => sql === undefined);
    });
  }

  /** Whether `ADD COLUMN` takes it, whatever the table holds (https://sqlite.org/lang_altertable.html#altertabaddcol). */
  private canBeAppended(field: FieldDefinition): boolean {
    if (field.isPrimaryKey || field.isAutoIncrement || field.sql !== undefined) return false;
    if (!isKnownType(field.type.type)) return false;
    if (field.default === null) return field.allowNull && !bringsDefault(field.type);
    return 'value' in field.default && !this.singleReference(field.name);
  }

  private alter(): void {
    for (const { name } of this.goneIndexes()) this.planning.run(`DROP INDEX ${quoteName(name)}`);
    for (const field of this.steps.added)
      this.planning.run(`ALTER TABLE ${quoteName(this.before.name)} ADD COLUMN ${this.definitionOf(field)}`);
  }

  private definitionOf(field: FieldDefinition): string {
    const surroundings = { ...this.surroundings, isSoleKey: this.isSoleKey(field.name) };
    const isPrimaryKey = this.key.includes(field.name);
    const reference = field.sql === undefined ? this.singleReference(field.name) : undefined;
    return columnDefinition({ ...field, isPrimaryKey }, surroundings, this.nameReference(reference));
  }

  private singleReference(field: string): ReferenceDefinition | undefined {
    return this.singleReferences.get(field.toLowerCase());
  }

  /** The real name of a self reference is that of the table. */
  private nameReference<R extends ReferenceDefinition | undefined>(reference: R): R {
    if (!reference || !sameName(reference.refTable, this.before.name)) return reference;
    return { ...reference, refColumns: reference.refColumns.map((column) => this.find(column).current) };
  }

  // ---- rebuilding the table ----

  private rebuild(): void {
    const { shadow, run } = this.planning;
    const table = readTableState(shadow, this.before.name) as TableState;
    const passing = passingName(shadow, table.name);
    const text = this.newText(parseTable(table.sql));
    const gone = new Set(this.goneIndexes().map(({ name }) => name));
    run(writeTable(passing, text));
    this.copy(table, passing);
    run(`DROP TABLE ${quoteName(table.name)}`);
    run(`ALTER TABLE ${quoteName(passing)} RENAME TO ${quoteName(table.name)}`, { isLegacy: true });
    for (const { name, sql } of table.indexes) if (sql !== undefined && !gone.has(name)) run(sql);
    for (const { sql } of table.triggers) run(sql);
  }

  /** Copies the records, with their rowids where nothing else numbers them. */
  private copy(table: TableState, passing: string): void {
    const { shadow, run } = this.planning;
    const after = readTableState(shadow, passing) as TableState;
    const [from, to] = [quoteName(table.name), quoteName(passing)];
    const pairs: [target: string, value: string][] = [];
    for (const { old, current, fit } of this.columns) {
      const target = after.columns.find((column) => column.name === current);
      if (old === undefined || !target || target.isGenerated) continue;
      const value = quoteName(current);
      pairs.push([value, fit ? fit.convert(value) : value]);
    }
    const rowid = table.hasRowid && after.hasRowid ? freeRowid(table, after) : undefined;
    const newRowid = rowidColumn(after);
    const isCopied = this.columns.some(({ old, current }) => old !== undefined && current === newRowid);
    if (rowid !== undefined && !isCopied) pairs.unshift([rowid, rowid]);
    if (pairs.length > 0) {
      const [targets, values] = [pairs.map(([target]) => target), pairs.map(([, value]) => value)];
      run(`INSERT INTO ${to} (${targets.join(', ')}) SELECT ${values.join(', ')} FROM ${from}`);
    } else run(`INSERT INTO ${to} SELECT null FROM ${from}`);
    if (!countsUp(table) || !countsUp(after)) return;
    const literal = (name: string) => `'${name.replaceAll("'", "''")}'`;
    run(`DELETE FROM sqlite_sequence WHERE name = ${literal(passing)}`);
    run(
      `INSERT INTO sqlite_sequence (name, seq) SELECT ${literal(passing)}, seq FROM sqlite_sequence WHERE name = ${literal(table.name)}`,
    );
  }

  private newText(text: TableText): TableText {
    const { steps } = this;
    const isGone = (column: string | undefined) =>
      column !== undefined && steps.dropped.some(({ native }) => sameName(native, column));
    const columns = text.columns
      .filter(({ name }) => !isGone(name))
      .map((column) => {
        const state = this.columns.find(({ current }) => sameName(current, column.name));
        return { ...column, text: this.newColumnText(state, column.text) };
      });
    let constraints = withoutConstraints(text.constraints, (part) => {
      if (part.kind === 'primary key') return this.isKeyNew || this.movesKey();
      const [only] = part.columns;
      const names = part.columns.filter(isGone);
      // One whose fields all go, goes with them.
      if (names.length > 0 && names.length < part.columns.length)
        throw unsupported(
          this.name,
          `a ${part.kind === 'unique' ? 'unique' : 'foreign'} key of several fields needs '${names[0]}'`,
        );
      if (names.length > 0) return true;
      if (part.kind !== 'unique' || part.columns.length !== 1 || only === undefined) return false;
      const old = this.columns.find(({ current }) => sameName(current, only))?.old;
      return old !== undefined && this.changeOf(old)?.isUnique === false;
    });
    for (const field of steps.added) columns.push({ name: field.name, text: ` ${this.definitionOf(field)}` });
    // One field alone has its key in its definition.
    if (this.isKeyNew && this.key.length > 1)
      constraints = [` PRIMARY KEY (${this.key.map(quoteName).join(', ')})`, ...constraints];
    const inlined = inlineReferences(this.singleReferences, steps.added);
    for (const reference of this.references) {
      if (!inlined.has(reference))
        constraints.push(` ${referenceSql(this.before.name, this.nameReference(reference), false)}`);
    }
    return { ...text, columns, constraints };
  }

  /** Whether the key leaves its place in the text though its columns stay. */
  private movesKey(): boolean {
    const [only] = this.key;
    const column = this.key.length === 1 ? this.columns.find(({ current }) => current === only) : undefined;
    return column?.old !== undefined && this.changeOf(column.old)?.isAutoIncrement !== undefined;
  }

  private newColumnText(column: NewColumn | undefined, original: string): string {
    if (!column || column.old === undefined) return original;
    const change = this.changeOf(column.old) ?? {};
    const isSoleKey = this.isSoleKey(column.current);
    const isOldRowid = column.old === this.oldRowid;
    const isCounting = isSoleKey && (change.isAutoIncrement ?? (isOldRowid && !this.isKeyNew));
    if (change.isAutoIncrement === true && !isSoleKey)
      throw unsupported(this.name, `'${column.name}' can count up only as the whole primary key of its table`);
    let text = original;
    if (change.sql !== undefined) {
      if (!isFragment(change.sql))
        throw unsupported(this.name, `the SQL of '${column.name}' is no definition of a column`);
      return withDefinition(text, change.sql);
    }
    const surroundings = { ...this.surroundings, isSoleKey };
    const wasAutoIncrement = parseColumn(text).parts.some(({ isAutoIncrement }) => isAutoIncrement);
    if (change.type) text = withType(text, columnType(change.type, isCounting, surroundings));
    else if (change.isAutoIncrement === true) text = withType(text, 'integer');
    else if (
      isSoleKey &&
      !isCounting &&
      /^\s*integer\s*$/i.test(this.typeOf(column.old)) &&
      (this.isKeyNew || isOldRowid)
    )
      text = withType(text, 'int');
    if (change.allowNull !== undefined) text = withoutParts(text, 'null', 'not null');
    if (change.allowNull === false) text = withPart(text, 'NOT NULL');
    if (change.default !== undefined || (change.type && bringsDefault(change.type))) {
      text = withoutParts(text, 'default');
      const type = change.type ?? {
        type: 'string',
        length: null,
        scale: null,
        isFixedLength: false,
        isMultibyte: false,
      };
      const value = columnDefault(
        { name: column.name, type, default: change.default ?? null } as FieldDefinition,
        this.name,
      );
      if (value !== undefined) text = withPart(text, `DEFAULT ${value}`);
    }
    if (change.isUnique === false) text = withoutParts(text, 'unique');
    const isText = change.type !== undefined && !/^integer$/i.test(columnType(change.type, isCounting, surroundings));
    const losesCount = wasAutoIncrement && (isText || !isCounting);
    if (this.isKeyNew || this.movesKey() || losesCount) {
      text = withoutParts(text, 'primary key');
      const isKey = this.key.includes(column.current);
      if (isSoleKey) {
        const counts = change.isAutoIncrement ?? (wasAutoIncrement && !losesCount);
        text = appended(text, counts ? 'PRIMARY KEY AUTOINCREMENT' : 'PRIMARY KEY');
      }
      const isNotNull = parseColumn(text).parts.some(({ kind }) => kind === 'not null');
      // A rowid was never null.
      const staysNotNull = isKey || (isOldRowid && change.allowNull !== true);
      if (staysNotNull && !isNotNull) text = withPart(withoutParts(text, 'null'), 'NOT NULL');
    }
    return text;
  }

  private typeOf(old: string): string {
    return requireColumn(this.before, old).type;
  }

  // ---- indexes ----

  /** Indexes that go away: those of a dropped column alone, and those that flags switch off. */
  private goneIndexes(): IndexState[] {
    const { before, steps } = this;
    const table = readTableState(this.planning.shadow, before.name) as TableState;
    const gone: IndexState[] = [];
    const current = (native: string) => this.columns.find(({ old }) => old && sameName(old, native))?.current ?? native;
    for (const index of table.indexes) {
      if (index.sql === undefined) continue;
      const names = (column: string) => index.columns.some((each) => each !== undefined && sameName(each, column));
      const dropped = steps.dropped.find(({ native }) => names(native));
      if (dropped) {
        const isWhole = index.columns.every((column) =>
          steps.dropped.some(({ native }) => column !== undefined && sameName(native, column)),
        );
        if (!isWhole) throw unsupported(this.name, `index '${index.name}' needs '${dropped.name}'`);
        gone.push(index);
        continue;
      }
      const isOff = steps.changed.some(({ column, change }) => {
        if (!names(current(column.native))) return false;
        if (index.isUnique) return change.isUnique === false && !index.isPartial && index.columns.length === 1;
        if (change.isIndex !== false) return false;
        if (index.columns.length > 1)
          throw unsupported(this.name, `index '${index.name}' is of other fields than '${column.name}', too`);
        return true;
      });
      if (isOff) gone.push(index);
    }
    return gone;
  }

  private makeIndexes(): void {
    const { shadow, run } = this.planning;
    const names = new TakenNames(namesIn(shadow), maxName);
    const make = (kind: 'unique' | 'index', column: NewColumn) =>
      run(indexSql(kind, this.before.name, column.current, names));
    for (const { name, isUnique, isIndex } of this.steps.added) {
      const column = this.columns.find((each) => each.old === undefined && each.name === name) as NewColumn;
      if (isUnique) make('unique', column);
      if (isIndex) make('index', column);
    }
    for (const column of this.columns) {
      if (column.old === undefined) continue;
      const change = this.changeOf(column.old);
      const old = column.old;
      if (change?.isUnique && this.uniqueIndexes(old).length === 0) make('unique', column);
      const hasIndex = this.before.indexes.some(
        (index) => !index.isUnique && !index.isPartial && this.isOnly(index, old),
      );
      if (change?.isIndex && !hasIndex) make('index', column);
    }
  }
}

/** The text with a constraint behind all others, before the blanks and comments at its end. */
function appended(text: string, sql: string): string {
  const { nameEnd, type, parts } = parseColumn(text);
  const place = Math.max(nameEnd, type?.end ?? 0, ...parts.map(({ end }) => end));
  return `${text.slice(0, place)} ${sql}${text.slice(place)}`;
}

/** A name of the rowid that no column has. */
function freeRowid(...tables: TableState[]): string | undefined {
  const taken = tables.flatMap(({ columns }) => columns.map(({ name }) => name.toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((name) => !taken.includes(name));
}

/** Whether SQLite keeps the highest number of a table. */
function countsUp({ sql }: TableState): boolean {
  const { columns, constraints } = parseTable(sql);
  return (
    columns.some(({ text }) => parseColumn(text).parts.some(({ isAutoIncrement }) => isAutoIncrement)) ||
    constraints.some((text) => parseConstraints(text).some(({ isAutoIncrement }) => isAutoIncrement))
  );
}
