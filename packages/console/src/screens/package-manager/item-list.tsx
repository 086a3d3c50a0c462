import { Button, Checkbox, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { formatNumber, useText } from '../../text/index.ts';
import { SearchInput } from '../../ui/index.ts';
import { findItems, type ItemId, type Place } from './manifest.ts';
import classes from './package-manager.module.css';
import { useRenderedWindow } from './rendered-window.ts';

/** How long the filter of names waits for more typing, in milliseconds (PKG-035). */
export const nameFilterDelay = 500;
/** Of `.item` in the style sheet. */
const rowHeight = 36;

interface ItemListProps {
  place: Place;
  /** Ids of items that are in the package already. */
  added: ReadonlySet<ItemId>;
  isAllAdded: boolean;
  onAdd: (items: readonly ItemId[], withRecords: boolean) => void;
  onAddAll: (withRecords: boolean) => void;
  problem: string | null;
}

/** The items of a place, ticked and added to the package (OPEN-213, OPEN-214). It is mounted for each place separately. */
export function ItemList({ place, added, isAllAdded, onAdd, onAddAll, problem }: ItemListProps) {
  const t = useText('packages');
  const [typed, setTyped] = useState('');
  const [searchText, setSearchText] = useState('');
  const [ticked, setTicked] = useState<ReadonlySet<ItemId>>(new Set());
  const [withRecords, setWithRecords] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSearchText(typed), nameFilterDelay);
    return () => clearTimeout(timer);
  }, [typed]);
  const shown = useMemo(() => findItems(place.items, searchText), [place.items, searchText]);
  const isSearching = typed.trim() !== '' || searchText.trim() !== '';
  const tickedCount = useMemo(() => shown.filter(({ id }) => ticked.has(id)).length, [shown, ticked]);

  if (place.items.length === 0)
    return (
      <Text c="var(--s-text-soft)" role="status">
        {t('choose.nothing')}
      </Text>
    );

  const tick = (ids: readonly ItemId[], isTicked: boolean) =>
    setTicked((ticked) => {
      const next = new Set(ticked);
      for (const id of ids) {
        if (isTicked) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  return (
    <div className={classes.items}>
      <SearchInput
        label={t('choose.search')}
        value={typed}
        onChange={setTyped}
        clearLabel={t('choose.clearSearch')}
        onClear={() => {
          setTyped('');
          setSearchText('');
        }}
      />
      {shown.length === 0 ? (
        <Text c="var(--s-text-soft)" role="status" className={classes.noMatch!}>
          {t('choose.noMatch', { text: searchText.trim() })}
        </Text>
      ) : (
        <>
          <Checkbox
            className={classes.selectAll!}
            label={t(isSearching ? 'choose.selectFound' : 'choose.selectAll', {
              count: shown.length,
              number: formatNumber(shown.length),
            })}
            checked={tickedCount === shown.length}
            indeterminate={tickedCount > 0 && tickedCount < shown.length}
            onChange={(event) =>
              tick(
                shown.map(({ id }) => id),
                event.currentTarget.checked,
              )
            }
          />
          <Rows items={shown} ticked={ticked} added={added} isAllAdded={isAllAdded} label={place.name} onTick={tick} />
        </>
      )}
      {place.kind === 'database' ? (
        <Checkbox
          label={t('choose.withRecords')}
          description={t('choose.withRecordsHint')}
          checked={withRecords}
          onChange={(event) => setWithRecords(event.currentTarget.checked)}
        />
      ) : null}
      {problem ? (
        <Text size="sm" className={classes.problem!} role="alert">
          {problem}
        </Text>
      ) : null}
      <div className={classes.buttons}>
        <Button
          variant="default"
          disabled={ticked.size === 0}
          onClick={() => {
            onAdd([...ticked], withRecords);
            setTicked(new Set());
          }}
        >
          {ticked.size === 0 ? t('choose.add') : t('choose.addCounted', { number: formatNumber(ticked.size) })}
        </Button>
        {isSearching ? null : (
          <Button variant="default" onClick={() => onAddAll(withRecords)}>
            {t('choose.addAll', { number: formatNumber(place.items.length) })}
          </Button>
        )}
      </div>
    </div>
  );
}

interface RowsProps {
  items: Place['items'];
  ticked: ReadonlySet<ItemId>;
  added: ReadonlySet<ItemId>;
  isAllAdded: boolean;
  label: string;
  onTick: (ids: readonly ItemId[], isTicked: boolean) => void;
}

function Rows({ items, ticked, added, isAllAdded, label, onTick }: RowsProps) {
  const t = useText('packages');
  const { scroller, isLong, indexes, before, after, scrollTo } = useRenderedWindow(items.length, rowHeight);
  const focus = (index: number) => {
    const box = () => scroller.current?.querySelector<HTMLInputElement>(`[data-index="${index}"] input`);
    if (!box()) scrollTo(index);
    requestAnimationFrame(() => box()?.focus());
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll
    <div ref={scroller} className={classes.scroller} data-long={isLong || undefined} role="group" aria-label={label}>
      <div style={{ height: before }} aria-hidden />
      {indexes.map((index) => {
        const { id, label: itemLabel } = items[index]!;
        return (
          <label key={String(id)} className={classes.item} data-index={index}>
            <input
              type="checkbox"
              className={classes.tick}
              checked={ticked.has(id)}
              onChange={(event) => onTick([id], event.currentTarget.checked)}
              onKeyDown={(event) => {
                const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
                if (!step) return;
                event.preventDefault();
                focus(Math.min(items.length - 1, Math.max(0, index + step)));
              }}
            />
            <span className={classes.itemLabel} title={itemLabel}>
              {itemLabel}
            </span>
            {isAllAdded || added.has(id) ? <span className={classes.soft}>{t('choose.added')}</span> : null}
          </label>
        );
      })}
      <div style={{ height: after }} aria-hidden />
    </div>
  );
}
