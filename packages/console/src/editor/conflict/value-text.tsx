import { jsonText } from '../../list/json-text.ts';
import { useText } from '../../text/index.ts';
import type { DescribeValue, FormValues } from '../source.ts';
import classes from './conflict.module.css';
import { describingFields, isRows, ownerOf, rowChanges } from './differences.ts';

/** Longer texts and lists are cut: here one only has to tell them apart, not read them. */
const maxTextLength = 400;
const maxRows = 12;

interface ValueTextProps {
  field: string;
  value: unknown;
  /** As it base before; of a list, only what differs from it is written out. */
  base?: unknown;
  describeValue: DescribeValue | undefined;
}

/** A value in a few words. */
export function ValueText({ field, value, base, describeValue }: ValueTextProps) {
  const t = useText('editor');
  if (!isRows(value) || value.length === 0 || (base !== undefined && !isRows(base) && base !== null)) {
    const isList = isRows(value) && isRows(base) && base.length > 0;
    if (!isList) {
      const shown = describeValue?.(field, value) ?? plainValueText(value, { yes: t('stale.yes'), no: t('stale.no') });
      return shown === '' ? (
        <span className={classes.nothing}>{t('stale.empty')}</span>
      ) : (
        <span className={classes.value}>{truncate(shown)}</span>
      );
    }
  }
  const rows = value as FormValues[];
  if (base === undefined) return <span className={classes.value}>{t('stale.rows', { count: rows.length })}</span>;
  const ownerField = ownerOf(field);
  const { added, removed, changed, unchanged } = rowChanges((base ?? []) as FormValues[], rows, ownerField);
  const lines = [
    ...changed.map((row) => ({ sign: '~', kind: 'changed' as const, row })),
    ...added.map((row) => ({ sign: '+', kind: 'added' as const, row })),
    ...removed.map((row) => ({ sign: '−', kind: 'removed' as const, row })),
  ];
  return (
    <ul className={classes.rows}>
      {lines.slice(0, maxRows).map(({ sign, kind, row }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one comparison, in their order
        <li key={index} data-kind={kind}>
          <span aria-hidden>{sign} </span>
          <span className={classes.unseen}>{t(`stale.row.${kind}`)} </span>
          {truncate(describeValue?.(field, row) ?? rowText(row, ownerField))}
        </li>
      ))}
      {lines.length > maxRows ? <li>{t('stale.moreRows', { count: lines.length - maxRows })}</li> : null}
      {unchanged > 0 ? <li className={classes.nothing}>{t('stale.sameRows', { count: unchanged })}</li> : null}
    </ul>
  );
}

/** The text of a row: `name = value` where it has both, else its parts. */
function rowText(row: FormValues, ownerField: string | null): string {
  const fields = describingFields(row, ownerField);
  const { name, value } = Object.fromEntries(fields);
  if (name !== undefined && value !== undefined && fields.length <= 4) return `${jsonText(name)} = ${jsonText(value)}`;
  return fields.map(([fieldName, fieldValue]) => `${fieldName} ${jsonText(fieldValue)}`).join(' · ');
}

function plainValueText(value: unknown, { yes, no }: { yes: string; no: string }): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? yes : no;
  if (value instanceof File) return value.name;
  if (Array.isArray(value)) return value.map((item) => jsonText(item)).join(', ');
  return jsonText(value);
}

const truncate = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)} …` : text);
