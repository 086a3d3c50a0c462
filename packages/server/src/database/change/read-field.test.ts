import { Failure, type FieldDescription } from '@sluice/contract';
import { type Column, fieldDescription, type SchemaEditor, type TypeDefinition } from '@sluice/sql';
import { describe, expect, it } from 'vitest';
import { lowerCaseKeys } from '../extras/input.ts';
import { readFieldChange, readNewField } from './read-field.ts';

/** An engine with few types, each described by its own name. */
const simple = new Set(['string', 'integer', 'text', 'boolean', 'decimal', 'datetime', 'timestamp', 'id', 'reference']);
const editor: SchemaEditor = {
  isKnownType: (type) => simple.has(type) || /^varchar\(\d+\)$/.test(type),
  describeType({ type, length, scale, isFixedLength, isMultibyte }: TypeDefinition) {
    const size = /^varchar\((\d+)\)$/.exec(type);
    if (!size && !simple.has(type)) return undefined;
    const described = size ? 'string' : type;
    const stored = described === 'id' || described === 'reference' ? 'integer' : described;
    return {
      type: stored as FieldDescription['type'],
      db_type: size ? type : length === null ? stored : `${stored}(${length}${scale === null ? '' : `,${scale}`})`,
      length: size ? Number(size[1]) : length,
      precision: null,
      scale,
      fixed_length: isFixedLength,
      supports_multibyte: isMultibyte,
    };
  },
  plan: () => Promise.reject(new Error('nothing is planned here')),
  apply: () => Promise.reject(new Error('nothing is done here')),
};

const refusalOf = (read: () => unknown): string => {
  try {
    read();
    return 'none';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${error.status} ${error.message}`;
  }
};

const readNew = (values: Record<string, unknown>, isAdmin = true) =>
  readNewField({ name: 'x', values: lowerCaseKeys({ name: 'x', ...values }) }, { editor, isAdmin });

describe('a new field', () => {
  it.each<[Record<string, unknown>, object]>([
    [{ type: 'string' }, { type: { type: 'string', length: null }, allowNull: false, default: null }],
    [
      { TYPE: 'String', Length: '40', allow_null: 'true' },
      { type: { type: 'string', length: 40 }, allowNull: true },
    ],
    [{ type: 'decimal', size: 8, decimals: 2 }, { type: { type: 'decimal', length: 8, scale: 2 } }],
    [{ type: 'integer', required: false }, { allowNull: true }],
    [{ type: 'integer', required: false, allow_null: false }, { allowNull: false }],
    [{ type: 'pk' }, { isAutoIncrement: true, isPrimaryKey: true, allowNull: false, default: null }],
    [
      { type: 'integer', is_primary_key: true, is_unique: true, allow_null: true },
      { isPrimaryKey: true, isUnique: false, allowNull: false },
    ],
    [{ db_type: 'varchar(7)' }, { type: { type: 'varchar(7)' } }],
    // As it was described: the type of the database says more.
    [{ type: 'string', db_type: 'varchar(7)', length: 7 }, { type: { type: 'varchar(7)' } }],
    [{ type: 'string', db_type: 'varchar(7)', length: 9 }, { type: { type: 'string', length: 9 } }],
    [{ type: 'integer', db_type: 'varchar(7)' }, { type: { type: 'integer' } }],
    [{ type: 'string', db_type: 'character varying(7)', length: 7 }, { type: { type: 'string', length: 7 } }],
    // Of another engine, without a length.
    [{ type: 'string', db_type: 'text[]' }, { type: { type: 'text', length: null } }],
    [{ type: 'string', db_type: 'citext', is_unique: true }, { type: { type: 'string', length: null } }],
    [{ type: 'string', db_type: 'character varying(7)' }, { type: { type: 'text' } }],
    [{ type: 'integer', default: 3 }, { default: { value: 3 } }],
    [{ type: 'boolean', default: 'false' }, { default: { value: false } }],
    [{ type: 'string', default: '' }, { default: { value: '' } }],
    [{ type: 'string', default: 'now()' }, { default: { value: 'now()' } }],
    [{ type: 'datetime', default: 'now()' }, { default: { expression: 'CURRENT_TIMESTAMP' } }],
    [{ type: 'datetime', default: 'CURRENT_TIMESTAMP' }, { default: { expression: 'CURRENT_TIMESTAMP' } }],
    [{ type: 'datetime', default: 'now()', quote_default: true }, { default: { value: 'now()' } }],
    [{ type: 'datetime', default: "datetime('now')" }, { default: { expression: "datetime('now')" } }],
    [{ type: 'string', default: { expression: 'upper(1)' } }, { default: { expression: 'upper(1)' } }],
    [{ type: 'nothing_known' }, { type: { type: 'nothing_known' } }],
    [{ type: 'timestamp (3) odd' }, { type: { type: 'timestamp (3) odd' } }],
    [{ type: 'integer', sql: 'integer check (x > 1)' }, { sql: 'integer check (x > 1)' }],
  ])('%j', (values, expected) => expect(readNew(values).definition).toMatchObject(expected));

  it.each<[Record<string, unknown>, string, string | undefined]>([
    [{ type: 'reference', ref_table: 'team' }, 'team', undefined],
    [{ type: 'string', ref_table: 'team', ref_field: 'name' }, 'team', 'name'],
    [{ type: 'integer', is_foreign_key: true, ref_table: 'team', ref_field: 'id' }, 'team', 'id'],
  ])('references another table: %j', (values, refTable, refField) =>
    expect(readNew(values).reference).toMatchObject({ field: 'x', refTable, refField: refField ?? null }),
  );

  it('references nothing where it is said so', () =>
    expect(readNew({ type: 'integer', is_foreign_key: false, ref_table: 'team' }).reference).toBeUndefined());

  it.each<[string, Record<string, unknown>, boolean?]>([
    ['400 Invalid schema detected - no type or db_type element.', {}],
    ['400 Invalid schema detected - no table element for reference type of x.', { type: 'fk' }],
    ["400 The length of 'x' must be a whole number.", { type: 'string', length: -1 }],
    ["400 The length of 'x' must be a whole number.", { type: 'string', length: 1.5 }],
    ['400 The default of \'x\' must be a value or {"expression"}.', { type: 'string', default: [1] }],
    ["400 The default of 'x' must have a text as its expression.", { type: 'string', default: {} }],
    ["400 The default of 'x' is longer than 2000 characters.", { type: 'string', default: 'x'.repeat(2001) }],
    ["400 The db_type of 'x' is longer than 2000 characters.", { db_type: 'x'.repeat(2001) }],
    [
      "400 The ref_on_delete of 'x' must be one of NO ACTION, RESTRICT, CASCADE, SET NULL, SET DEFAULT.",
      { type: 'fk', ref_table: 'a', ref_on_delete: 'drop' },
    ],
    ['403 Only administrators may change the definition of a field by SQL.', { type: 'integer (1)' }, false],
    ['403 Only administrators may change the definition of a field by SQL.', { db_type: 'a b' }, false],
    ['403 Only administrators may change the definition of a field by SQL.', { type: 'integer', sql: 'x' }, false],
    [
      '403 Only administrators may change a default that is SQL.',
      { type: 'integer', default: { expression: '1 + 1' } },
      false,
    ],
  ])('is refused: %s', (expected, values, isAdmin = true) =>
    expect(refusalOf(() => readNew(values, isAdmin))).toBe(expected),
  );

  it('may name known expressions and types, from any caller', () => {
    expect(readNew({ type: 'datetime', default: { expression: 'now()' } }, false).definition.default).toEqual({
      expression: 'CURRENT_TIMESTAMP',
    });
    expect(readNew({ type: 'varchar(7)' }, false).definition.type.type).toBe('varchar(7)');
    expect(readNew({ type: 'citext' }, true).definition.type.type).toBe('citext');
    expect(() => readNew({ type: 'citext' }, false)).toThrow(/Only administrators/);
    // What only looks like SQL is a text.
    expect(readNew({ type: 'datetime', default: 'f()' }, false).definition.default).toEqual({ value: 'f()' });
  });
});

describe('a field that is there', () => {
  const columnOf = (facts: Partial<FieldDescription>): Column => ({
    name: 'x',
    native: 'x',
    description: fieldDescription({
      name: 'x',
      type: 'string',
      db_type: 'string(40)',
      length: 40,
      allow_null: false,
      ...facts,
    }),
  });
  const read = (facts: Partial<FieldDescription>, values: Record<string, unknown>, isAdmin = true) =>
    readFieldChange(columnOf(facts), { name: 'x', values: lowerCaseKeys(values) }, { editor, isAdmin });

  it.each<[object, Record<string, unknown>]>([
    [{}, {}],
    [{}, { label: 'X', default: 'other' }],
    [{}, { type: 'string' }],
    [{}, { type: 'STRING', size: '40', allow_null: '0', required: true }],
    [{}, { length: 40, db_type: 'STRING(40)', is_unique: false }],
    [{ default: 'a' }, { required: false }],
    [{ type: 'integer', db_type: 'integer', length: null }, { type: 'user_id' }],
    [{ type: 'id', db_type: 'integer', length: null, auto_increment: true, is_primary_key: true }, { type: 'id' }],
    [{ type: 'timestamp', db_type: 'timestamp', length: null }, { type: 'timestamp_on_create' }],
    [
      { type: 'reference', db_type: 'integer', length: null, is_foreign_key: true, ref_table: 'team', ref_field: 'id' },
      { type: 'reference', ref_table: 'TEAM' },
    ],
    [{ allow_null: true }, { allow_null: null, length: null }],
  ])('%j stays as %j says', (facts, values) => expect(read(facts, values)).toEqual({}));

  it('stays as its whole description says', () => {
    const column = columnOf({ default: 'a', is_index: true });
    expect(
      readFieldChange(column, { name: 'x', values: { ...column.description } }, { editor, isAdmin: false }),
    ).toEqual({});
  });

  it.each<[object, Record<string, unknown>, object]>([
    [{}, { length: 80 }, { change: { type: { type: 'string', length: 80 } } }],
    [{}, { type: 'integer' }, { change: { type: { type: 'integer', length: null } } }],
    [{}, { type: 'string', db_type: 'varchar(9)' }, { change: { type: { type: 'varchar(9)' } } }],
    [{}, { allow_null: true }, { change: { allowNull: true } }],
    [{ allow_null: true }, { required: true }, { change: { allowNull: false } }],
    [{}, { allow_null: true, default: 'z' }, { change: { allowNull: true, default: { value: 'z' } } }],
    [{ default: 'z' }, { allow_null: true, default: 'z' }, { change: { allowNull: true } }],
    [{ default: 'z' }, { allow_null: true, default: null }, { change: { allowNull: true, default: null } }],
    [{}, { is_unique: 'true', is_index: 1 }, { change: { isUnique: true, isIndex: true } }],
    [
      { type: 'integer', length: null, db_type: 'integer' },
      { type: 'id' },
      { change: { isAutoIncrement: true }, isPrimaryKey: true },
    ],
    [{ is_primary_key: true }, { is_primary_key: false }, { isPrimaryKey: false }],
    [{}, { new_name: 'y' }, { newName: 'y' }],
    [{}, { is_foreign_key: true, ref_table: 'team' }, { reference: { field: 'x', refTable: 'team', refField: null } }],
    [{}, { sql: 'text not null' }, { change: { sql: 'text not null' } }],
  ])('%j with %j differs by %j', (facts, values, expected) => {
    const changed = read(facts, values);
    expect(changed).toMatchObject(expected);
    expect(Object.keys(changed).sort()).toEqual(Object.keys(expected).sort());
    expect(Object.keys(changed.change ?? {})).toEqual(Object.keys((expected as { change?: object }).change ?? {}));
  });

  it.each<[string, object, Record<string, unknown>, boolean?]>([
    [
      "400 The is_foreign_key of 'x' can not change: a reference is dropped with its field.",
      { is_foreign_key: true, ref_table: 'a' },
      { is_foreign_key: false },
    ],
    [
      "400 The ref_table of 'x' can not change: a reference is dropped with its field.",
      { is_foreign_key: true, ref_table: 'a' },
      { ref_table: 'b' },
    ],
    ['403 Only administrators may change the name of a field.', {}, { new_name: 'y' }, false],
    ['403 Only administrators may change the definition of a field by SQL.', {}, { type: 'varchar(1) x' }, false],
    [
      "400 The name of 'a/b' must be a name of up to 64 letters, digits, underscores, blanks, dots and dashes.",
      {},
      { new_name: 'a/b' },
    ],
  ])('is refused: %s', (expected, facts, values, isAdmin = true) =>
    expect(refusalOf(() => read(facts, values, isAdmin))).toBe(expected),
  );
});
