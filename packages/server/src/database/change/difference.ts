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
    const { name, alias, label, plural, description: text, name_field } = description;
    const { primary_key, field, related, constraints } = description;
    const labels = { alias, label, plural, description: text, name_field };
    return {
      ...differingEntries(withoutBlanks({ name, ...labels }), other && { ...other }),
      ...(isDeepStrictEqual(primary_key, other?.primary_key) ? {} : { primary_key }),
      ...differing('field', byName(field), other && byName(other.field)),
      ...differing('related', byName(related.filter(isVirtual)), other && byName(other.related.filter(isVirtual))),
      ...differing('constraints', { ...constraints } as Values, other && ({ ...other.constraints } as Values)),
    };
  };
  const [old, current] = [parts(before, after), parts(after, before)];
  return { ...(old ? { before: old } : {}), after: { ...current, steps } };
}

/** Relations by foreign keys come and go with these. */
const isVirtual = ({ is_virtual }: TableDescription['related'][number]): boolean => is_virtual;

const byName = (parts: readonly { name: string }[]): Values =>
  Object.fromEntries(parts.map((part) => [part.name, withoutBlanks(part)]));

/** Facts alone: what is null or false says nothing. */
const withoutBlanks = (values: object): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );

const differingEntries = (values: Values, others: Values | undefined): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !isDeepStrictEqual(value, others?.[name])));

/** The entries of a part that the other one does not have like that; nothing without any. */
function differing(key: string, values: Values, others: Values | undefined): Values {
  const entries = differingEntries(values, others);
  return Object.keys(entries).length > 0 ? { [key]: entries } : {};
}
