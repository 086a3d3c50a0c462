// Random schemas for the property tests of writes of `_schema`, and how each engine describes them
// (contract/database-schema.md §2, §5).
import fc from 'fast-check';
import { type EngineName, forEngine, perEngine } from '../fixture/index.ts';

export interface FieldInput {
  name: string;
  type: string;
  [key: string]: unknown;
}

export interface TableInput {
  name: string;
  field: FieldInput[];
  constraints?: Record<string, unknown>;
}

/** A type that a field may be sent with. */
interface Kind {
  type: string;
  /** Simple type that it is described with. */
  described: unknown;
  /** Other keys that are sent, and are described as they were sent. */
  facts?: fc.Arbitrary<Record<string, unknown>>;
  defaults?: fc.Arbitrary<unknown>;
  /** An index can be made of it on every engine. */
  isIndexable?: true;
}

/** None beyond the basic plane: MariaDB's own catalogue tells such a default as `?`, though it uses it. */
const nastyTexts = [
  "it's",
  'a\\b',
  "\\'",
  '"',
  'NULL',
  'true',
  '12',
  '1.50',
  'now()',
  'CURRENT_TIMESTAMP',
  '(select 1)',
  "'); DROP TABLE team; --",
  "x'::text",
  '{x}',
  '%s',
  '?',
  '$1',
  ':a',
  '`',
  '--',
  '/* */',
  ' a ',
  '名前',
  'a\nb',
];
const nastyText = fc.constantFrom(...nastyTexts);
const whole = fc.integer({ min: -100, max: 100 });
/** Numbers that every engine prints as they were sent. */
const quarter = whole.map((number) => number / 4);
const stringOf = (type: object) => ({ type: 'string', described: 'string', ...type });

export const kinds: Kind[] = [
  { type: 'integer', described: 'integer', defaults: whole, isIndexable: true },
  { type: 'bigint', described: 'bigint', defaults: whole, isIndexable: true },
  { type: 'smallint', described: 'integer', defaults: whole, isIndexable: true },
  { type: 'mediumint', described: 'integer', defaults: whole },
  { type: 'tinyint', described: 'integer', defaults: whole },
  { type: 'boolean', described: 'boolean', defaults: fc.boolean() },
  stringOf({
    facts: fc.record({ length: fc.integer({ min: 25, max: 190 }) }),
    defaults: nastyText,
    isIndexable: true,
  }) as Kind,
  stringOf({ facts: fc.record({ length: fc.integer({ min: 30, max: 60 }), fixed_length: fc.constant(true) }) }) as Kind,
  stringOf({ facts: fc.constant({ supports_multibyte: true }), defaults: nastyText }) as Kind,
  { type: 'text', described: perEngine({ sqlite: 'text', pgsql: 'string', mysql: 'text' }) },
  { type: 'mediumtext', described: perEngine({ sqlite: 'text', pgsql: 'string', mysql: 'text' }) },
  { type: 'longtext', described: perEngine({ sqlite: 'text', pgsql: 'string', mysql: 'text' }) },
  { type: 'float', described: perEngine({ sqlite: 'float', pgsql: 'double', mysql: 'float' }), defaults: quarter },
  { type: 'double', described: 'double', defaults: quarter },
  {
    type: 'decimal',
    described: 'decimal',
    facts: fc.record({ precision: fc.integer({ min: 8, max: 20 }), scale: fc.integer({ min: 1, max: 5 }) }),
    isIndexable: true,
  },
  { type: 'money', described: perEngine({ sqlite: 'decimal', pgsql: 'money', mysql: 'decimal' }) },
  { type: 'date', described: 'date', defaults: fc.constant('2020-02-29'), isIndexable: true },
  { type: 'time', described: 'time', defaults: fc.constant('12:30:00') },
  { type: 'timetz', described: perEngine({ sqlite: 'time', pgsql: 'timetz', mysql: 'time' }) },
  {
    type: 'datetime',
    described: perEngine({ sqlite: 'datetime', pgsql: 'timestamp', mysql: 'datetime' }),
    defaults: fc.constant('2020-02-29 12:30:00'),
  },
  { type: 'datetimetz', described: perEngine({ sqlite: 'datetime', pgsql: 'timestamptz', mysql: 'datetime' }) },
  { type: 'timestamp', described: 'timestamp' },
  { type: 'timestamptz', described: perEngine({ sqlite: 'timestamp', pgsql: 'timestamptz', mysql: 'timestamp' }) },
  { type: 'binary', described: 'binary' },
  { type: 'uuid', described: 'uuid', isIndexable: true },
  { type: 'json', described: perEngine({ sqlite: 'string', pgsql: 'string', mysql: 'text' }) },
  { type: 'user_id', described: 'user_id' },
  { type: 'user_id_on_create', described: 'user_id_on_create' },
  { type: 'user_id_on_update', described: 'user_id_on_update' },
  { type: 'timestamp_on_create', described: 'timestamp_on_create' },
  { type: 'timestamp_on_update', described: 'timestamp_on_update' },
];

/** Names that an API takes and a database may stumble over; all of them differ in more than letter case. */
export const nastyNames = [
  'Order No',
  'select',
  'Größe',
  '名前',
  'a.b',
  'a-b',
  'x$',
  '$y'.slice(1),
  '1st',
  'constructor',
  'toString',
  'hasOwnProperty',
  'group',
  'CamelCase',
  '_rowid',
  'current_user',
  'default',
  'null',
  'n'.repeat(60),
  'ä'.repeat(30),
];
const plainNames = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
/** A dot would part a table from its schema. */
const tableNames = [
  ...nastyNames.filter((name) => !name.includes('.')).map((name) => `${name} t`.slice(-60).trimStart()),
  'order',
  'table',
  'user',
  't_a',
  't_b',
  't_c',
  'constructor',
  'T D',
];

/** A field of no key and without reference. */
const plainField: fc.Arbitrary<FieldInput> = fc.constantFrom(...kinds).chain((kind) =>
  fc
    .record({
      facts: kind.facts ?? fc.constant({}),
      allowNull: fc.constantFrom(true, true, false, undefined),
      default: kind.defaults ? fc.option(kind.defaults, { nil: undefined, freq: 2 }) : fc.constant(undefined),
      index: fc.constantFrom(undefined, undefined, 'is_unique', 'is_index'),
    })
    .map(({ facts, allowNull, default: value, index }) => ({
      name: '',
      type: kind.type,
      ...facts,
      ...(allowNull === undefined ? {} : { allow_null: allowNull }),
      ...(value === undefined ? {} : { default: value }),
      ...(index && kind.isIndexable ? { [index]: true } : {}),
    })),
);

/** The key of a table: what is sent of its fields. */
const keys: fc.Arbitrary<Omit<FieldInput, 'name'>[]> = fc.constantFrom<Omit<FieldInput, 'name'>[]>(
  [{ type: 'id' }],
  [{ type: 'pk' }],
  [{ type: 'bigid' }],
  [{ type: 'integer', is_primary_key: true }],
  [{ type: 'string', length: 30, is_primary_key: true }],
  [
    { type: 'integer', is_primary_key: true },
    { type: 'integer', is_primary_key: true },
  ],
  [
    { type: 'string', length: 20, is_primary_key: true },
    { type: 'integer', is_primary_key: true },
  ],
  [],
);

/** Tables that reference each other and themselves. */
export const schemas: fc.Arbitrary<TableInput[]> = fc
  .record({
    tables: fc.array(
      fc.record({
        key: keys,
        fields: fc.array(plainField, { minLength: 1, maxLength: 7 }),
        names: fc.shuffledSubarray([...nastyNames, ...plainNames], { minLength: 15 }),
        references: fc.array(
          fc.record({
            target: fc.nat(20),
            rule: fc.constantFrom(undefined, 'CASCADE', 'SET NULL', 'NO ACTION', 'RESTRICT'),
            isIndex: fc.boolean(),
          }),
          { maxLength: 3 },
        ),
      }),
      { minLength: 2, maxLength: 5 },
    ),
    names: fc.shuffledSubarray(tableNames, { minLength: 5, maxLength: 5 }),
  })
  .map(({ tables, names }) => {
    const made = tables.map(({ key, fields, names: fieldNames }, index): TableInput => {
      const all = [...key, ...fields];
      return {
        name: names[index] as string,
        field: all.map((field, at) => ({ ...field, name: fieldNames[at] as string }) as FieldInput),
      };
    });
    for (const [index, { references, names: fieldNames, key, fields }] of tables.entries()) {
      const table = made[index] as TableInput;
      for (const [at, { target: number, rule }] of references.entries()) {
        const nameOf = (part: number) => fieldNames[fieldNames.length - 1 - at * 2 - part] as string;
        if (key.length + fields.length + at * 2 + 2 > fieldNames.length) continue;
        const target = made[number % made.length] as TableInput;
        addReference(table, target, nameOf, rule);
      }
    }
    return made;
  });

const isKey = ({ type, is_primary_key }: FieldInput) => /^(id|pk|bigid)$/.test(type) || is_primary_key === true;

function addReference(
  table: TableInput,
  target: TableInput,
  nameOf: (part: number) => string,
  rule: string | undefined,
): void {
  const key = target.field.filter(isKey);
  const [first, second] = key;
  const rules = rule === undefined ? {} : { ref_on_delete: rule };
  if (!first) return;
  if (!second) {
    const type: Record<string, unknown> =
      first.type === 'string'
        ? { type: 'string', length: first.length, is_foreign_key: true }
        : first.type === 'bigid'
          ? { type: 'bigint', is_foreign_key: true }
          : { type: 'reference' };
    table.field.push({
      name: nameOf(0),
      ...(type as { type: string }),
      allow_null: true,
      ref_table: target.name,
      ref_field: first.name,
      ...rules,
    });
    return;
  }
  const columns = key.map((field, part) => {
    const column: FieldInput = {
      name: nameOf(part),
      type: field.type,
      allow_null: true,
      ...(field.length === undefined ? {} : { length: field.length }),
      is_foreign_key: true,
      ref_table: target.name,
      ref_field: field.name,
    };
    return column;
  });
  table.field.push(...columns);
  table.constraints = {
    ...table.constraints,
    [`c${Object.keys(table.constraints ?? {}).length}`]: {
      constraint_type: 'FOREIGN KEY',
      column_name: columns.map(({ name }) => name).join(','),
      referenced_table_name: target.name,
      referenced_column_name: key.map(({ name }) => name).join(','),
      ...(rule === undefined ? {} : { delete_rule: rule }),
    },
  };
}

/** What a field has to be described with, by what was sent of it. */
export function describedField(engine: EngineName, sent: FieldInput): Record<string, unknown> {
  const kind = kinds.find(({ type }) => type === sent.type);
  const isCounted = /^(id|pk|bigid)$/.test(sent.type);
  const isReference = sent.type === 'reference' || sent.is_foreign_key === true;
  const allowNull = !isKey(sent) && sent.allow_null === true;
  const type = isCounted
    ? 'id'
    : isReference && /^(reference|integer|bigint)$/.test(sent.type) && sent.is_foreign_key !== true
      ? 'reference'
      : forEngine(engine, kind?.described);
  const { name, type: _type, ref_on_delete: _rule, ...facts } = sent;
  return {
    ...facts,
    ...(sent.type === 'decimal' ? { length: sent.precision } : {}),
    ...(sent.supports_multibyte && engine !== 'sqlite' ? { supports_multibyte: false } : {}),
    name,
    ...(isReference ? {} : { type }),
    allow_null: allowNull,
    is_primary_key: isKey(sent),
    auto_increment: isCounted,
    is_foreign_key: isReference,
    ...(sent.default === undefined && !/^timestamp/.test(sent.type) ? { default: null } : {}),
    ...(isReference || isKey(sent) ? {} : { is_unique: sent.is_unique === true, is_index: sent.is_index === true }),
  };
}
