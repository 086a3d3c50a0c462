// What differs between two descriptions of a table, for the audit: whole tables would be too long to read.
import { isDeepStrictEqual } from 'node:util';
import type { TableDescription } from '@sluice/contract';

type Values = Record<string, unknown>;

/** The differing parts as they were and as they are, with the statements that were run. */
export function describeDifference(
  before: TableDescription | undefined,
  after: TableDescription | undefined,
  steps: readonly string[],
): { before?: Values; after?: Values } {
  const parts = (
    description: TableDescription | undefined,
    other: TableDescription | undefined,
  ): Values | undefined => {
    if (!description) return undefined;
    const { name, primary_key, field, constraints } = description;
    return {
      ...(name === other?.name ? {} : { name }),
      ...(isDeepStrictEqual(primary_key, other?.primary_key) ? {} : { primary_key }),
      ...differing('field', byName(field), other && byName(other.field)),
      ...differing('constraints', { ...constraints } as Values, other && ({ ...other.constraints } as Values)),
    };
  };
  const [old, current] = [parts(before, after), parts(after, before)];
  return { ...(old ? { before: old } : {}), after: { ...current, steps } };
}

const byName = (fields: TableDescription['field']): Values =>
  Object.fromEntries(fields.map((field) => [field.name, withoutBlanks(field)]));

/** Facts alone: what is null or false says nothing. */
const withoutBlanks = (field: object): Values =>
  Object.fromEntries(
    Object.entries(field).filter(
      ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** The entries of a part that the other one does not have like that; nothing without any. */
function differing(key: string, values: Values, others: Values | undefined): Values {
  const entries = Object.entries(values).filter(([name, value]) => !isDeepStrictEqual(value, others?.[name]));
  return entries.length > 0 ? { [key]: Object.fromEntries(entries) } : {};
}
