import { useText } from '../../text/index.ts';
import type { FormValues, WordsOf } from '../source.ts';
import classes from './stale.module.css';
import { isRows, ownerOf, rowChanges, tellingParts } from './stale.ts';

/** Longer texts and lists are cut: they are to be told apart here, not read. */
const longestText = 400;
const mostRows = 12;

interface ValueWordsProps {
  field: string;
  value: unknown;
  /** As it was before; of a list, only what differs from it is written out. */
  was?: unknown;
  wordsOf: WordsOf | undefined;
}

/** A value in a few words. */
export function ValueWords({ field, value, was, wordsOf }: ValueWordsProps) {
  const t = useText('editor');
  if (!isRows(value) || value.length === 0 || (was !== undefined && !isRows(was) && was !== null)) {
    const isList = isRows(value) && isRows(was) && was.length > 0;
    if (!isList) {
      const words = wordsOf?.(field, value) ?? plainWords(value, { yes: t('stale.yes'), no: t('stale.no') });
      return words === '' ? (
        <span className={classes.nothing}>{t('stale.empty')}</span>
      ) : (
        <span className={classes.value}>{cut(words)}</span>
      );
    }
  }
  const rows = value as FormValues[];
  if (was === undefined) return <span className={classes.value}>{t('stale.rows', { count: rows.length })}</span>;
  const owner = ownerOf(field);
  const { added, removed, changed, same } = rowChanges((was ?? []) as FormValues[], rows, owner);
  const lines = [
    ...changed.map((row) => ({ sign: '~', kind: 'changed' as const, row })),
    ...added.map((row) => ({ sign: '+', kind: 'added' as const, row })),
    ...removed.map((row) => ({ sign: '−', kind: 'removed' as const, row })),
  ];
  return (
    <ul className={classes.rows}>
      {lines.slice(0, mostRows).map(({ sign, kind, row }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one comparison, in their order
        <li key={index} data-kind={kind}>
          <span aria-hidden>{sign} </span>
          <span className={classes.unseen}>{t(`stale.row.${kind}`)} </span>
          {cut(wordsOf?.(field, row) ?? rowWords(row, owner))}
        </li>
      ))}
      {lines.length > mostRows ? <li>{t('stale.moreRows', { count: lines.length - mostRows })}</li> : null}
      {same > 0 ? <li className={classes.nothing}>{t('stale.sameRows', { count: same })}</li> : null}
    </ul>
  );
}

/** A row by what it says: `name = value` where it has both, else its parts. */
function rowWords(row: FormValues, owner: string | null): string {
  const parts = tellingParts(row, owner);
  const { name, value } = Object.fromEntries(parts);
  if (name !== undefined && value !== undefined && parts.length <= 4) return `${one(name)} = ${one(value)}`;
  return parts.map(([part, said]) => `${part} ${one(said)}`).join(' · ');
}

const one = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function plainWords(value: unknown, { yes, no }: { yes: string; no: string }): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? yes : no;
  if (value instanceof File) return value.name;
  if (Array.isArray(value)) return value.map(one).join(', ');
  return one(value);
}

const cut = (words: string): string => (words.length > longestText ? `${words.slice(0, longestText)} …` : words);
