// A drop-down that searches another table and offers its records, ten at a time.
import { Combobox, type ComboboxStore, Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { pageCount } from '../../../list/index.ts';
import { useText } from '../../../text/index.ts';
import { describeError, dropDown } from '../../../ui/index.ts';
import { childPageSize } from '../place/place.ts';
import type { Row, Schema } from '../place/sources.ts';
import { valueText } from '../values/values.ts';
import ownClasses from './reference.module.css';
import { nameOf, type Target } from './target.ts';
import { Turner } from './turner.tsx';
import { useChoices } from './use-choices.ts';

/** How long one rests before what was typed is looked for. */
const pause = 200;

interface ChoiceListProps {
  store: ComboboxStore;
  target: Target;
  /** The value that is set, to be marked. */
  value: string | null;
  onChoose: (row: Row, schema: Schema) => void;
  /** What opens it. */
  children: ReactNode;
}

export function ChoiceList({ store, target, value, onChoose, children }: ChoiceListProps) {
  const { data, ...list } = useChoiceList(store, target);
  const rows = data?.resource ?? [];
  return (
    <Combobox
      {...dropDown.comboboxProps}
      store={store}
      width="min(24rem, calc(100vw - 2rem))"
      position="bottom-end"
      onOptionSubmit={(index) => {
        const row = rows[Number(index)];
        if (!row || !data) return;
        store.closeDropdown();
        onChoose(row, data.meta.schema);
      }}
    >
      <Combobox.DropdownTarget>{children}</Combobox.DropdownTarget>
      <Combobox.Dropdown className={ownClasses.dropdown!}>
        <Choices {...list} target={target} value={value} data={data} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** What is typed, which page is shown, and what was found. */
function useChoiceList(store: ComboboxStore, target: Target) {
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(1);
  const [wanted] = useDebouncedValue(typed, pause);
  const isOpen = store.dropdownOpened;
  const query = useChoices(target, wanted, page, isOpen);
  const pages = pageCount(query.data?.meta.count ?? 0, childPageSize);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first of what is found now is the one Enter takes
  useEffect(() => {
    if (isOpen) store.selectFirstOption();
  }, [isOpen, query.data]);
  useEffect(() => {
    if (isOpen) return;
    setTyped('');
    setPage(1);
  }, [isOpen]);
  return {
    data: query.data,
    error: query.error,
    isFetching: query.isFetching,
    typed,
    type: (text: string) => {
      setTyped(text);
      setPage(1);
    },
    page,
    turn: (by: number) => setPage(Math.min(pages, Math.max(1, page + by))),
  };
}

interface ChoicesProps extends ReturnType<typeof useChoiceList> {
  target: Target;
  value: string | null;
}

function Choices({ target, value, data, error, isFetching, typed, type, page, turn }: ChoicesProps) {
  const t = useText('data');
  const schema = data?.meta.schema;
  const label = schema?.label || target.table;
  const count = data?.meta.count ?? 0;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { PageDown: 1, PageUp: -1 }[event.key];
    if (by) turn(by);
    // The form around would be saved.
    if (by || event.key === 'Enter') event.preventDefault();
    if (event.key === 'Escape') event.stopPropagation();
  };
  return (
    <>
      <Combobox.Search
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        placeholder={t('reference.search', { table: label })}
        aria-label={t('reference.search', { table: label })}
        rightSection={isFetching ? <Loader size="xs" /> : null}
        spellCheck={false}
      />
      <Combobox.Options className={ownClasses.choices!} aria-label={label}>
        {schema && !error
          ? data.resource.map((row, index) => {
              const own = valueText(row[target.field]);
              const name = nameOf(schema, row);
              return (
                <Combobox.Option value={String(index)} key={own} active={own === value} className={ownClasses.choice!}>
                  <span className={ownClasses.choiceName}>{name}</span>
                  {own === name ? null : <span className={ownClasses.choiceValue}>{own}</span>}
                </Combobox.Option>
              );
            })
          : null}
        {error ? (
          <Combobox.Empty role="alert">{describeError(error).messages.join(' ')}</Combobox.Empty>
        ) : data?.resource.length === 0 ? (
          <Combobox.Empty>{t(typed ? 'reference.noMatch' : 'empty')}</Combobox.Empty>
        ) : null}
      </Combobox.Options>
      {data && count > 0 && !error ? (
        <Combobox.Footer>
          <Turner page={page} shown={data.resource.length} count={count} onTurn={turn} />
        </Combobox.Footer>
      ) : null}
    </>
  );
}
