import { ActionIcon, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useText } from '../../text/index.ts';
import { IdText } from '../../ui/index.ts';
import { type ContentRow, rowKey } from './content.ts';
import { type Place, placeKey } from './manifest.ts';
import classes from './package-manager.module.css';
import { useRenderedWindow } from './rendered-window.ts';

/** Of a row in the style sheet. */
const rowHeight = 44;

interface ContentTableProps {
  rows: readonly ContentRow[];
  places: readonly Place[];
  onRemove: (row: ContentRow) => void;
}

/** What is in the package (OPEN-216). */
export function ContentTable({ rows, places, onRemove }: ContentTableProps) {
  const t = useText('packages');
  const { scroller, isLong, indexes, before, after } = useRenderedWindow(rows.length, rowHeight);
  const placeOf = new Map(places.map((place) => [placeKey(place), place]));
  if (rows.length === 0)
    return (
      <Text c="var(--s-text-soft)" size="sm">
        {t('content.empty')}
      </Text>
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll
    <div
      ref={scroller}
      className={classes.tableBox}
      data-long={isLong || undefined}
      role="group"
      aria-label={t('content.title')}
    >
      <table className={classes.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col">{t('content.type')}</th>
            <th scope="col">{t('content.name')}</th>
            <th scope="col">{t('content.description')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {before > 0 ? <Spacer height={before} /> : null}
          {indexes.map((index) => {
            const row = rows[index]!;
            const place = placeOf.get(placeKey(row));
            const text = describeRow(row, place, t);
            return (
              <tr key={rowKey(row)} aria-rowindex={index + 2}>
                <td>{place?.typeLabel ?? ''}</td>
                <td>
                  <IdText>{row.name}</IdText>
                </td>
                <td className={classes.description} title={text}>
                  {text}
                </td>
                <td>
                  <ActionIcon
                    aria-label={t('content.remove', { name: `${row.name} ${text}` })}
                    title={t('content.removeShort')}
                    onClick={() => onRemove(row)}
                  >
                    <IconTrash className={classes.icon} aria-hidden />
                  </ActionIcon>
                </td>
              </tr>
            );
          })}
          {after > 0 ? <Spacer height={after} /> : null}
        </tbody>
      </table>
    </div>
  );
}

const Spacer = ({ height }: { height: number }) => (
  <tr aria-hidden className={classes.spacer}>
    <td colSpan={4} style={{ height }} />
  </tr>
);

function describeRow(row: ContentRow, place: Place | undefined, t: ReturnType<typeof useText<'packages'>>): string {
  const what =
    row.item === null ? t('content.all') : (place?.items.find(({ id }) => id === row.item)?.label ?? String(row.item));
  return row.withRecords ? t('content.withRecords', { what }) : what;
}
