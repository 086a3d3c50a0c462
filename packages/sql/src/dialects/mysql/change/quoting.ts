// Names and literals in DDL, which takes no bound values. Literals are written for the SQL mode that `sessionMode` sets:
// backslashes escape, double quotes do not quote names.
import type { DefaultDefinition } from '../../../change/index.ts';
import type { Table } from '../../../schema/index.ts';

/** The longest name of a table, a column, an index or a foreign key, in characters. */
export const maxNameLength = 64;

export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

export const quoteNames = (names: readonly string[]): string => names.map(quoteName).join(', ');

/** A table where it is: bare in the database that is connected to. */
export const quoteTable = ({ schema, name }: Table['native']): string =>
  schema === null ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;

const escapes = new Map([
  ['\\', '\\\\'],
  ["'", "''"],
  ['\0', '\\0'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\x1a', '\\Z'],
]);

export function quoteLiteral(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what has to be escaped
  return `'${value.replace(/[\\'\0\n\r\x1a]/g, (character) => escapes.get(character) as string)}'`;
}

/** What MySQL wants bare; every other expression it wants in parentheses. */
const bareExpression = /^(?:(?:current_timestamp|now|localtimestamp|localtime)\b|\(|null$)/i;

export function defaultSql(value: DefaultDefinition, inParentheses: boolean): string {
  if ('value' in value) {
    const literal = quoteLiteral(value.value);
    return inParentheses ? `(${literal})` : literal;
  }
  const expression = value.expression.trim();
  return bareExpression.test(expression) ? expression : `(${expression})`;
}
