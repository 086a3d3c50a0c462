// Tables made up for tests of this package, and what their queries become in each dialect.

import type { SimpleType } from '@sluice/contract';
import { expect } from 'vitest';
import type { Compiled, Grammar } from './compile/index.ts';
import { grammar as mysql } from './dialects/mysql/grammar.ts';
import { grammar as pgsql } from './dialects/pgsql/grammar.ts';
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

/** Asserts the SQL of a query word for word in every dialect, and its parameters, where they differ for each dialect. */
export function expectSql(
  compile: (grammar: Grammar) => Compiled,
  expected: Record<DialectName, string>,
  parameters: unknown[] | Record<DialectName, unknown[]>,
): void {
  for (const [name, text] of Object.entries(expected) as [DialectName, string][]) {
    const values = Array.isArray(parameters) ? parameters : parameters[name];
    expect(compile(grammars[name]), name).toEqual({ sql: text, parameters: values });
  }
}
