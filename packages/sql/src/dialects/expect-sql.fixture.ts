// What a query becomes in each dialect.
import { expect } from 'vitest';
import type { Compiled, Grammar } from '../compile/index.ts';
import { grammar as memsql } from './memsql/grammar.ts';
import { grammar as mysql } from './mysql/grammar.ts';
import { grammar as pgsql } from './pgsql/grammar.ts';
import { grammar as redshift } from './redshift/grammar.ts';
import { grammar as sqlite } from './sqlite/grammar.ts';

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
