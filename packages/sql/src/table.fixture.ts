// Tables made up for tests of this package, and what their queries become in each dialect.

import type { SimpleType } from '@sluice/contract';
import { expect } from 'vitest';
import type { Compiled, Grammar } from './compile/index.ts';
import { grammar as memsql } from './dialects/memsql/grammar.ts';
import { grammar as mysql } from './dialects/mysql/grammar.ts';
import { grammar as pgsql } from './dialects/pgsql/grammar.ts';
import { grammar as redshift } from './dialects/redshift/grammar.ts';
import { grammar as sqlite } from './dialects/sqlite/grammar.ts';
import { fieldDescription, makeTable } from './table.ts';
import type { Column, Table } from './types.ts';

/** A table of columns `name: type`; `id` is its key. A trailing `!` makes a column refuse null. */
export function aTable(columns: Record<string, SimpleType | `${SimpleType}!`>, name = 'thing'): Table {
  const made = Object.entries(columns).map(([column, written]): Column => {
    const type = written.replace('!', '') as SimpleType;
    const description = fieldDescription({
      name: column,
      type,
      db_type: type === 'boolean' ? 'tinyint(1)' : type,
      allow_null: !written.endsWith('!'),
      auto_increment: type === 'id',
      is_primary_key: type === 'id',
    });
    return { name: column, native: column, description };
  });
  return makeTable({
    name,
    native: { schema: null, name },
    columns: made,
    description: {
      alias: null,
      name,
      label: name,
      description: null,
      native: [],
      plural: name,
      is_view: false,
      primary_key: made.filter((it) => it.description.is_primary_key).map((it) => it.native),
      name_field: null,
      field: made.map((it) => it.description),
      related: [],
      constraints: [],
    },
  });
}

/** The dialects whose SQL the tests write out. A new dialect is a new key, and the type checker lists what is missing. */
const grammars: Record<DialectName, Grammar> = { sqlite, mysql, pgsql };
export type DialectName = 'sqlite' | 'mysql' | 'pgsql';

/** Dialects built on others: their SQL is that of the other one where none is written out for them. */
const derived: Record<DerivedName, { grammar: Grammar; from: DialectName }> = {
  redshift: { grammar: redshift, from: 'pgsql' },
  memsql: { grammar: memsql, from: 'mysql' },
};
type DerivedName = 'redshift' | 'memsql';

/** One thing for each dialect. */
type Each<T> = Record<DialectName, T> & Partial<Record<DerivedName, T>>;

/** Asserts the SQL of a query word for word in every dialect, and its parameters, where they differ for each dialect. */
export function expectSql(
  compile: (grammar: Grammar) => Compiled,
  expected: Each<string>,
  parameters: unknown[] | Each<unknown[]>,
): void {
  const assert = (name: string, grammar: Grammar, text: string, values: unknown[]) =>
    expect(compile(grammar), name).toEqual({ sql: text, parameters: values });
  for (const name of Object.keys(grammars) as DialectName[])
    assert(name, grammars[name], expected[name], Array.isArray(parameters) ? parameters : parameters[name]);
  for (const name of Object.keys(derived) as DerivedName[]) {
    const { grammar, from } = derived[name];
    const values = Array.isArray(parameters) ? parameters : (parameters[name] ?? parameters[from]);
    assert(name, grammar, expected[name] ?? expected[from], values);
  }
}
