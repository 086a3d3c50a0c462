import { Checkbox, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core';
import { memo } from 'react';
import { formatNumber, useText } from '../../../text/index.ts';
import type { Column, ColumnChoice } from './columns.ts';
import type { Reason } from './guess/guess-column.ts';
import { type ColumnType, columnTypes } from './guess/shapes.ts';
import classes from './paste.module.css';

type ChangeColumn = (index: number, choice: Partial<ColumnChoice>) => void;

interface ColumnListProps {
  columns: readonly Column[];
  /** What is wrong with each, or null. */
  problems: readonly (string | null)[];
  forgetsCount: boolean;
  onChange: ChangeColumn;
}

/** The columns of the data as fields, each with the reason of its guess. */
export function ColumnList({ columns, problems, forgetsCount, onChange }: ColumnListProps) {
  const t = useText('schema');
  return (
    <div className={classes.columns}>
      <div className={classes.columnHead} aria-hidden>
        <span>{t('paste.use')}</span>
        <span>{t('paste.name')}</span>
        <span>{t('paste.type')}</span>
        <span>{t('paste.length')}</span>
        <span>{t('paste.allowNull')}</span>
        <span>{t('paste.primaryKey')}</span>
      </div>
      <ul className={classes.columnList} aria-label={t('paste.columns')}>
        {columns.map((column, position) => (
          <ColumnRow
            key={column.index}
            column={column}
            problem={problems[position] ?? null}
            forgetsCount={forgetsCount && column.type === 'id'}
            onChange={onChange}
          />
        ))}
      </ul>
    </div>
  );
}

interface ColumnRowProps {
  column: Column;
  problem: string | null;
  forgetsCount: boolean;
  onChange: ChangeColumn;
}

const ColumnRow = memo(
  ({ column, problem, forgetsCount, onChange }: ColumnRowProps) => {
    const t = useText('schema');
    const { index, heading, name, type, length, scale, allowNull, isPrimaryKey, isUsed, guess, misfits } = column;
    const change = (choice: Partial<ColumnChoice>) => onChange(index, choice);
    const label = heading || t('paste.columnNumber', { number: formatNumber(index + 1) });
    return (
      <li className={classes.column} data-unused={!isUsed || undefined}>
        <Checkbox
          aria-label={t('paste.useColumn', { column: label })}
          checked={isUsed}
          onChange={(event) => change({ isUsed: event.currentTarget.checked })}
        />
        <TextInput
          aria-label={t('paste.nameOf', { column: label })}
          value={name}
          disabled={!isUsed}
          error={problem}
          onChange={(event) => change({ name: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <NativeSelect
          aria-label={t('paste.typeOf', { column: label })}
          value={type}
          disabled={!isUsed}
          data={columnTypes.map((value) => ({ value, label: t(`paste.types.${value}`) }))}
          onChange={(event) => change({ type: event.currentTarget.value as ColumnType })}
        />
        <span className={classes.sizes}>
          {type === 'string' || type === 'decimal' ? (
            <NumberInput
              aria-label={t(type === 'string' ? 'paste.lengthOf' : 'paste.digitsOf', { column: label })}
              value={length ?? ''}
              min={1}
              allowDecimal={false}
              hideControls
              disabled={!isUsed}
              onChange={(value) => change({ length: typeof value === 'number' ? value : null })}
            />
          ) : null}
          {type === 'decimal' ? (
            <NumberInput
              aria-label={t('paste.scaleOf', { column: label })}
              value={scale ?? ''}
              min={0}
              allowDecimal={false}
              hideControls
              disabled={!isUsed}
              onChange={(value) => change({ scale: typeof value === 'number' ? value : null })}
            />
          ) : null}
        </span>
        <Checkbox
          label={<span className={classes.phoneLabel}>{t('paste.allowNull')}</span>}
          aria-label={t('paste.allowNullOf', { column: label })}
          checked={allowNull}
          disabled={!isUsed || isPrimaryKey}
          onChange={(event) => change({ allowNull: event.currentTarget.checked })}
        />
        <Checkbox
          label={<span className={classes.phoneLabel}>{t('paste.primaryKey')}</span>}
          aria-label={t('paste.primaryKeyOf', { column: label })}
          checked={isPrimaryKey}
          disabled={!isUsed || type === 'id'}
          onChange={(event) => change({ isPrimaryKey: event.currentTarget.checked })}
        />
        <div className={classes.reason}>
          <Text size="xs">
            {heading && heading !== name ? <strong>{heading}: </strong> : null}
            <ReasonText reason={guess.reason} />
          </Text>
          {forgetsCount ? <Text size="xs">{t('paste.forgetsCount')}</Text> : null}
          {misfits > 0 ? (
            <Text size="xs" c="var(--s-danger)" role="status">
              {t('paste.misfits', { count: misfits, misfits: formatNumber(misfits) })}
            </Text>
          ) : null}
        </div>
      </li>
    );
  },
  (before, after) => before.column === after.column && before.problem === after.problem,
);

/** Why a type was guessed. */
function ReasonText({ reason: { key, count, numbers, example, longest } }: { reason: Reason }) {
  const t = useText('schema');
  return t(`paste.reasons.${key}`, {
    count,
    values: formatNumber(count),
    numbers: formatNumber(numbers ?? 0),
    longest: formatNumber(longest ?? 0),
    example: example ? shorten(example) : '',
  });
}

const maxExample = 30;
const shorten = (text: string): string => (text.length > maxExample ? `${text.slice(0, maxExample)}…` : text);
