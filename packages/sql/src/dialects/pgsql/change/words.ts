// How names and values are written into statements that take no parameters.
import { fail } from '@sluice/contract';
import type { Table } from '../../../schema/index.ts';

/** Bytes a name may have; the database would cut a longer one without a word. */
export const maxNameBytes = 63;

/** The one way a name gets into DDL. */
export function quoteName(name: string): string {
  if (Buffer.byteLength(name) > maxNameBytes)
    throw fail('schema.unsupported', {
      table: name.slice(0, 200),
      problem: `a name has at most ${maxNameBytes} bytes`,
    });
  return `"${requireText(name).replaceAll('"', '""')}"`;
}

export const quoteTable = ({ schema, name }: Table['native']): string =>
  schema === null ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;

export const quoteNames = (names: readonly string[]): string => names.map(quoteName).join(', ');

/** The one way a value gets into DDL; read alike whatever `standard_conforming_strings` says. */
export function quoteLiteral(text: string): string {
  const quoted = requireText(text).replaceAll("'", "''");
  return quoted.includes('\\') ? `E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}

/** A NUL would end the statement in the middle, and the connection with it. */
export function requireText(text: string): string {
  if (text.includes('\0')) throw fail('record.database', { text: 'a text can not contain the character NUL' });
  return text;
}
