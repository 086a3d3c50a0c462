// A table as it is sent, read into a change of the database and a plan for the extras (contract/database-schema.md §4, §6).
import { appendTo, fail, type Verb } from '@sluice/contract';
import {
  type Column,
  type FieldChange,
  type FieldDefinition,
  nameIndex,
  type ReferenceDefinition,
  type SchemaChange,
  type SchemaEditor,
  type Table,
  type TableStep,
} from '@sluice/sql';
import { type RecordInput, stringifyInput } from '../../call/payload.ts';
import { type ExtrasInput, inputText, lowerCaseKeys, recordList, requireName, typeNameOf } from '../extras/input.ts';
import { planColumnDrop, planTableDrop } from '../extras/plan-drop.ts';
import { planField, planFieldDrop } from '../extras/plan-field.ts';
import { planRelation, planRelationDrop } from '../extras/plan-relation.ts';
import { planRenames } from '../extras/plan-rename.ts';
import { planNewTable, planTable, runPlans } from '../extras/plan-table.ts';
import { type ChangePlan, rowsOf } from '../extras/rows.ts';
import { projectTable, renameTable } from './projection.ts';
import {
  type ChangedField,
  type CompositeReferenceInput,
  isVirtualInput,
  type NewField,
  type ReferenceInput,
  readFieldChange,
  readNewField,
  readRule,
} from './read-field.ts';
import type { FieldRules } from './read-type.ts';
import { columnOf, limitParts, readConstraints, readOwnRelations, toReference } from './references.ts';
import type { TableChange, TableState } from './table-state.ts';

/** What reading a table needs besides what was sent. */
export interface ReadContext {
  state: TableState;
  isAdmin: boolean;
  /** Whether the caller may know of a table: of others it is not told whether they are there, and nothing is tied to them. */
  isVisible(table: string): boolean;
  /** Absent where the database cannot be changed. */
  editor: SchemaEditor | undefined;
}

/** `POST`, `PUT` and `PATCH` of a table: made where it does not exist and `table` is absent. */
export async function readTableChange(
  record: RecordInput,
  table: Table | undefined,
  verb: Verb,
  context: ReadContext,
): Promise<TableChange> {
  const values = lowerCaseKeys(record);
  const name = table?.name ?? stringifyInput(values.name).trim();
  const fields = 'field' in values ? partList(name, values.field) : [];
  const related = 'related' in values ? partList(name, values.related) : [];
  if (!table) requireName({ name, values });
  const draft = new TableDraft(name, table, context);
  draft.addFields(fields);
  if (verb === 'PUT' && table && fields.length > 0) draft.dropOthers(fields);
  if (!table && !draft.hasColumns) throw fail('schema.noFields');
  draft.addConstraints(values.constraints, related);
  draft.rename(inputText({ name, values }, 'new_name', null));
  if (!table) draft.planExtras([planNewTable(name)]);
  draft.planExtras([planTable(values)]);
  draft.planExtras([...draft.fieldInputs.map(planField), ...related.map(planRelation)]);
  return draft.finish();
}

const partList = (table: string, input: unknown): RecordInput[] => limitParts(table, recordList(input));

/** References of a table that was made before those it references. */
export async function readDeferredReferences(
  name: string,
  references: (ReferenceInput | CompositeReferenceInput)[],
  context: ReadContext,
): Promise<TableChange> {
  const draft = new TableDraft(name, await context.state.find(name), context);
  draft.addReferences(references);
  return draft.finish();
}

/** `POST`, `PUT` and `PATCH` of fields of a table. */
export async function readFieldsChange(
  fields: RecordInput[],
  table: Table,
  context: ReadContext,
): Promise<TableChange> {
  const draft = new TableDraft(table.name, table, context);
  draft.addFields(partList(table.name, fields));
  draft.planExtras(draft.fieldInputs.map(planField));
  return draft.finish();
}

/** `DELETE` of fields: those that do not exist need no change. */
export async function readFieldDrops(names: string[], table: Table, context: ReadContext): Promise<TableChange> {
  const draft = new TableDraft(table.name, table, context);
  for (const name of limitParts(table.name, names)) draft.dropField(name);
  return draft.finish();
}

/** Relations are extras: those by foreign keys come with fields, and go with them. */
export async function readRelationsChange(related: RecordInput[], table: Table, context: ReadContext) {
  const draft = new TableDraft(table.name, table, context);
  draft.planExtras(limitParts(table.name, related).map(planRelation));
  return draft.finish();
}

export async function readRelationDrops(names: string[], table: Table, context: ReadContext): Promise<TableChange> {
  const draft = new TableDraft(table.name, table, context);
  draft.planExtras(limitParts(table.name, names).map(planRelationDrop));
  return draft.finish();
}

export function readTableDrop(table: Table, { editor }: ReadContext): TableChange {
  if (!editor) throw fail('schema.notOffered');
  return {
    name: table.name,
    before: table,
    change: { kind: 'dropTable', table },
    planExtras: (extras, context) => {
      extras.run(planTableDrop(), { ...context, table });
    },
    redefined: table.columns.map(({ native }) => native),
    moves: [{}],
  };
}

/** Types that no column of a database has by itself (extras/apply-overrides.ts). */
const isExtraType = (type: string): boolean => /^(user_id|timestamp_on_)/.test(type);

/** A table while what is sent of it is read. */
class TableDraft {
  /** Fields as they were sent. */
  readonly fieldInputs: RecordInput[] = [];
  private readonly name: string;
  private readonly table: Table | undefined;
  private readonly context: ReadContext;
  private readonly newFields: FieldDefinition[] = [];
  /** Theirs, in lower case. */
  private readonly newNames = new Set<string>();
  private readonly fieldChanges: { column: Column; change: FieldChange }[] = [];
  private readonly fieldRenames: { column: Column; newName: string }[] = [];
  private readonly drops: Column[] = [];
  private readonly retypedByExtras: string[] = [];
  private readonly references: ReferenceInput[] = [];
  private readonly compositeReferences: CompositeReferenceInput[] = [];
  /** The columns of foreign keys over several, and of those that are there, as they are compared. */
  private readonly referring: Set<string>;
  private readonly keyChanges = new Map<string, boolean>();
  /** A new table, as fields of it that reference it see it. */
  private itself: Table | undefined;
  /** As people call it, and as the database does within the schema of the table. */
  private newName: { name: string; native: string } | undefined;
  private readonly plansBefore: ChangePlan[] = [];
  private readonly plansAfter: ChangePlan[] = [];

  constructor(name: string, table: Table | undefined, context: ReadContext) {
    this.name = name;
    this.table = table;
    this.context = context;
    const constraints = Object.values(table?.description.constraints ?? {}) as Record<string, unknown>[];
    this.referring = new Set(constraints.map(({ column_name }) => stringifyInput(column_name)));
  }

  get hasColumns(): boolean {
    return this.newFields.length > 0;
  }

  addFields(fields: RecordInput[]): void {
    for (const field of fields) this.addField(field);
  }

  private addField(field: RecordInput): void {
    const values = lowerCaseKeys(field);
    const sentName = typeof values.name === 'string' ? values.name : '';
    const name = sentName.trim();
    if (name === '') throw fail('schema.noName');
    // Of a field that is there, blanks may be a part of its name.
    const column = this.table?.column(sentName) ?? this.table?.column(name);
    const input: ExtrasInput = { name: column?.native ?? name, values };
    if (column && !isVirtualInput(input)) this.changeField(column, input);
    else if (!column && !this.isVirtual(input)) this.addColumn(input);
    if (this.hasOtherExtraType(input, column)) this.retypedByExtras.push(input.name);
    this.fieldInputs.push(field);
  }

  /** Whether the type that is sent is another one of extras: it decides how a virtual field compares, and who fills a column. */
  private hasOtherExtraType({ name, values }: ExtrasInput, column: Column | undefined): boolean {
    if (!this.table || values.type === undefined || values.type === null) return false;
    const type = typeNameOf(values.type);
    const stored = this.context.state.extraType(this.name, name);
    if (column) return type === column.description.type ? stored !== null : isExtraType(type) && type !== stored;
    return this.context.state.isVirtualField(this.name, name) && type !== 'virtual' && type !== stored;
  }

  /** A virtual field may be sent without saying that it is one, once it is there: it has no type that a column could have. */
  private isVirtual(input: ExtrasInput): boolean {
    return isVirtualInput(input) || this.context.state.isVirtualField(this.name, input.name);
  }

  private addColumn(input: ExtrasInput): void {
    const added: NewField = readNewField(input, this.requireRules());
    const lower = added.definition.name.toLowerCase();
    if (this.newNames.has(lower))
      throw fail('schema.nameTaken', { name: added.definition.name, place: `table '${this.name}'` });
    this.newNames.add(lower);
    this.newFields.push(added.definition);
    if (added.reference) this.references.push(added.reference);
    if (this.table && added.definition.isPrimaryKey) this.keyChanges.set(added.definition.name, true);
  }

  private changeField(column: Column, input: ExtrasInput): void {
    const changed: ChangedField = readFieldChange(column, input, this.comparingRules());
    if (changed.change) this.fieldChanges.push({ column, change: changed.change });
    if (changed.newName !== undefined) this.fieldRenames.push({ column, newName: changed.newName });
    if (changed.isPrimaryKey !== undefined) this.keyChanges.set(column.native, changed.isPrimaryKey);
    if (changed.reference) this.references.push(changed.reference);
  }

  addReferences(references: (ReferenceInput | CompositeReferenceInput)[]): void {
    for (const reference of references)
      if ('columns' in reference) this.compositeReferences.push(reference);
      else this.references.push(reference);
  }

  dropField(name: string): void {
    const column = this.table?.column(name);
    if (!column) {
      this.plansBefore.push(planFieldDrop(name));
      return;
    }
    if (this.drops.includes(column)) return;
    this.drops.push(column);
    this.plansBefore.push(planColumnDrop(column.native));
  }

  /** Drops what a whole description leaves out (contract/database-schema.md §1, PUT). */
  dropOthers(fields: RecordInput[]): void {
    const names = fields.map((field) => stringifyInput(lowerCaseKeys(field).name));
    const kept = new Set(names.map((name) => name.trim().toLowerCase()));
    const keptColumns = new Set(names.map((name) => this.table?.column(name) ?? this.table?.column(name.trim())));
    for (const column of this.table?.columns ?? []) if (!keptColumns.has(column)) this.dropField(column.native);
    this.plansBefore.push((stored, context) =>
      rowsOf(stored.rows.db_field_extras, this.name)
        .filter((row) => row.is_virtual === 1 && !kept.has(row.field.toLowerCase()))
        .flatMap((row) => planFieldDrop(row.field)(stored, context)),
    );
  }

  /**
   * What a description tells of foreign keys beside its fields: their rules, and those over several columns, in its
   * `constraints` or, of older clients, in its relations.
   */
  addConstraints(constraints: unknown, related: RecordInput[]): void {
    const findNew = nameIndex(this.newFields, ({ name }) => name);
    const realName = (column: string) => findNew(column)?.name ?? this.table?.column(column)?.native;
    const byColumn = referencesByField(this.references);
    for (const { input, columns, refTable, refFields } of [
      ...readConstraints(this.name, constraints),
      ...readOwnRelations(related),
    ]) {
      const joined = columns.map((column) => realName(column) ?? column).join(',');
      if (columns.length === 0 || this.referring.has(joined)) continue;
      const rules = { onUpdate: readRule(input, 'ref_on_update'), onDelete: readRule(input, 'ref_on_delete') };
      if (columns.length === 1) {
        for (const reference of byColumn.get(joined) ?? [])
          if (reference.refTable.toLowerCase() === refTable.toLowerCase()) completeRules(reference, rules);
        continue;
      }
      const constraint = input.name;
      if (refFields.length !== columns.length)
        throw fail('schema.value', { name: constraint, key: 'constraints', problem: 'must name as many fields' });
      const realNames = columns.map((column) => {
        const found = realName(column);
        if (found !== undefined) return found;
        throw fail('schema.value', { name: constraint, key: 'column_name', problem: `names no field: '${column}'` });
      });
      this.referring.add(realNames.join(','));
      this.compositeReferences.push({ constraint, columns: realNames, refTable, refFields, ...rules });
    }
  }

  rename(newName: string | null): void {
    if (newName === null || newName === this.name || !this.table) return;
    if (!this.context.isAdmin) throw fail('schema.adminOnly', { what: 'the name of a table' });
    const place = schemaPrefix(this.table);
    const wanted = requireName({ name: newName, values: {} });
    const native = wanted.startsWith(place) ? wanted.slice(place.length) : wanted;
    // Of two points nobody knows which one ends the schema.
    if (place !== '' && native.includes('.'))
      throw fail('schema.value', {
        name: this.name.slice(0, 200),
        key: 'new_name',
        problem: `must be a name in its schema ('${place.slice(0, -1)}'), without another point`,
      });
    if (place + native !== this.name) this.newName = { name: place + native, native };
  }

  planExtras(plans: ChangePlan[]): void {
    this.plansAfter.push(...plans);
  }

  async finish(): Promise<TableChange> {
    const { table, name } = this;
    this.requireNames();
    const references = await this.resolveReferences();
    const change = this.toChange(references);
    if (change && !this.context.editor) throw fail('schema.notOffered');
    const newName = this.newName?.name;
    const isTaken = newName !== undefined && newName.toLowerCase() !== name.toLowerCase();
    if (isTaken && (await this.context.state.find(newName))) throw fail('schema.tableExists', { table: newName });
    const projected = this.project(references);
    const renames = new Map(this.fieldRenames.map(({ column, newName }) => [column.native, newName]));
    const isRenamed = newName !== undefined || renames.size > 0;
    return {
      name,
      ...(table ? { before: table } : {}),
      after: isRenamed ? renameTable(projected, newName ?? name, renames) : projected,
      ...(change ? { change } : {}),
      // Extras are stored under the old names until the last plan.
      planExtras: (extras, context) => {
        runPlans(extras, this.plansBefore, { ...context, table: table ?? projected });
        const after = { ...context, table: projected };
        runPlans(extras, this.plansAfter, after);
        if (isRenamed)
          extras.run(planRenames({ ...(newName === undefined ? {} : { table: newName }), fields: renames }), after);
      },
      redefined: [
        ...this.drops.map(({ native }) => native),
        ...this.fieldChanges.flatMap(({ column, change }) => (change.type || change.sql ? [column.native] : [])),
        ...(table ? this.newFields.map((field) => field.name) : []),
        ...this.retypedByExtras,
      ],
      moves: [
        ...this.drops.map((column) => ({ field: column.native })),
        ...[...renames].map(([field, newName]) => ({ field, newName })),
        ...(newName === undefined ? [] : [{ newName }]),
      ],
    };
  }

  /** There is a field left, and none gets the name of another one: letter case does not part them here. */
  private requireNames(): void {
    const { drops, fieldRenames, newFields, table } = this;
    const renamed = new Map(fieldRenames.map(({ column, newName }) => [column, newName]));
    const kept = (table?.columns ?? []).filter((column) => !drops.includes(column));
    const added = [...newFields.map((field) => field.name), ...renamed.values()];
    if (drops.length > 0 && kept.length + added.length === 0) throw fail('schema.noFields');
    const names = new Set(kept.filter((column) => !renamed.has(column)).map((column) => column.native.toLowerCase()));
    for (const each of added) {
      if (names.has(each.toLowerCase())) throw fail('schema.nameTaken', { name: each, place: `table '${this.name}'` });
      names.add(each.toLowerCase());
    }
  }

  private toChange(references: ReferenceDefinition[]): SchemaChange | undefined {
    const { table, name } = this;
    if (!table) return { kind: 'createTable', name, fields: this.newFields, references };
    const key = this.keyAfter();
    const steps: TableStep[] = [
      ...this.newFields.map((field): TableStep => ({ kind: 'addField', field })),
      ...this.fieldChanges.map((step): TableStep => ({ kind: 'changeField', ...step })),
      ...(key ? [{ kind: 'setPrimaryKey', columns: key } as const] : []),
      ...references.map((reference): TableStep => ({ kind: 'addReference', reference })),
      ...this.fieldRenames.map((step): TableStep => ({ kind: 'renameField', ...step })),
      ...this.drops.map((column): TableStep => ({ kind: 'dropField', column })),
      ...(this.newName === undefined ? [] : [{ kind: 'renameTable', newName: this.newName.native } as const]),
    ];
    return steps.length > 0 ? { kind: 'alterTable', table, steps } : undefined;
  }

  /** The columns of the key after the change; undefined when it stays. */
  private keyAfter(): string[] | undefined {
    if (this.keyChanges.size === 0) return undefined;
    const kept = (this.table?.description.primary_key ?? []).filter((column) => this.keyChanges.get(column) !== false);
    const added = [...this.keyChanges].flatMap(([column, isKey]) => (isKey && !kept.includes(column) ? [column] : []));
    return [...kept, ...added];
  }

  // ---- references ----

  private async resolveReferences(): Promise<ReferenceDefinition[]> {
    const resolved: ReferenceDefinition[] = [];
    const covered = new Set<string>();
    for (const reference of this.compositeReferences) {
      const { constraint, columns, refFields, refTable, ...rules } = reference;
      for (const column of columns) covered.add(column);
      if (await this.isToCome(refTable)) {
        this.context.state.defer(this.name, reference);
        continue;
      }
      const target = await this.findTarget(refTable, constraint);
      const refColumns = refFields.map((field) => columnOf(target, field, constraint));
      resolved.push({ columns, refTable: target.name, refColumns, ...rules });
    }
    for (const reference of this.references) {
      // Its parts are described with each field, too.
      if (covered.has(reference.field)) continue;
      if (await this.isToCome(reference.refTable)) {
        this.context.state.defer(this.name, reference);
        continue;
      }
      const target = await this.findTarget(reference.refTable, reference.field);
      resolved.push(toReference(reference, target));
    }
    return resolved;
  }

  /** Whether a table is made later in the same request. */
  private async isToCome(name: string): Promise<boolean> {
    const isOther = name.toLowerCase() !== this.name.toLowerCase();
    return isOther && this.context.state.isPending(name) && !(await this.context.state.find(name));
  }

  private async findTarget(name: string, field: string): Promise<Table> {
    const found = await this.context.state.find(name);
    const isItself = !this.table && found?.name !== name && name.toLowerCase() === this.name.toLowerCase();
    if (isItself) this.itself ??= this.project([]);
    const target = isItself ? this.itself : found;
    if (isItself && target) return target;
    if (!target || !this.context.isVisible(target.name))
      throw fail('schema.value', {
        name: field,
        key: 'ref_table',
        problem: `names no table: '${name.slice(0, 200)}' does not exist`,
      });
    return target;
  }

  /** Under its old name: what extras say of it is stored under that until it is renamed. */
  private project(references: ReferenceDefinition[]): Table {
    const { name, table, newFields, fieldChanges, drops } = this;
    const key = table ? (this.keyAfter() ?? table.description.primary_key) : this.newKey();
    return projectTable({ name, table, newFields, fieldChanges, drops, key, references }, this.context.editor);
  }

  private newKey(): string[] {
    return this.newFields.flatMap((field) => (field.isPrimaryKey ? [field.name] : []));
  }

  // ---- rules ----

  /** For what only an editor can do. */
  private requireRules(): FieldRules {
    if (!this.context.editor) throw fail('schema.notOffered');
    return { editor: this.context.editor, isAdmin: this.context.isAdmin };
  }

  /** To see whether anything differs, also where nothing could be changed: that is refused at the end. */
  private comparingRules(): FieldRules {
    return { editor: this.context.editor ?? readOnlyEditor, isAdmin: this.context.isAdmin };
  }
}

/** What stands before the names of the tables of a schema that is not the default one, with its point. */
const schemaPrefix = ({ name, native }: Table): string =>
  native.schema !== null && name === `${native.schema}.${native.name}` ? `${native.schema}.` : '';

/** By the field they are of. */
function referencesByField(references: readonly ReferenceInput[]): Map<string, ReferenceInput[]> {
  const byField = new Map<string, ReferenceInput[]>();
  for (const reference of references) appendTo(byField, reference.field, reference);
  return byField;
}

/** A description leaves the rules of a reference out of its field. */
function completeRules(
  reference: ReferenceInput,
  { onUpdate, onDelete }: Pick<ReferenceInput, 'onUpdate' | 'onDelete'>,
) {
  reference.onUpdate ??= onUpdate;
  reference.onDelete ??= onDelete;
}

/** Describes nothing: whatever differs is a difference. */
const readOnlyEditor: SchemaEditor = {
  isKnownType: () => true,
  describeType: () => undefined,
  plan: () => Promise.reject(fail('schema.notOffered')),
  apply: () => Promise.reject(fail('schema.notOffered')),
};
