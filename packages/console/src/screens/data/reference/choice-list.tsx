// A drop-down that searches another table and offers its records, ten at a time.
import { Combobox, type ComboboxStore, Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { pageCount } from '../../../list/index.ts';
import { useText } from '../../../text/index.ts';
import { describeError, dropDownProps } from '../../../ui/index.ts';
import { childPageSize } from '../address/grid-state.ts';
import type { Row, Schema } from '../address/sources.ts';
import { valueText } from '../values/values.ts';
import { CompactPager } from './compact-pager.tsx';
import ownClasses from './reference.module.css';
import { type ReferenceTarget, recordName } from './target.ts';
import { useChoices } from './use-choices.ts';

/** Milliseconds after the last key before the search runs. */
const searchPause = 200;

interface ChoiceListProps {
  store: ComboboxStore;
  target: ReferenceTarget;
  /** The current value, which is marked. */
  value: string | null;
  onChoose: (row: Row, schema: Schema) => void;
  /** The button that opens it. */
  children: ReactNode;
}

export function ChoiceList({ store, target, value, onChoose, children }: ChoiceListProps) {
  const { data, ...list } = useChoiceList(store, target);
  const rows = data?.resource ?? [];
  return (
    <Combobox
      {...dropDownProps.comboboxProps}
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

/** The search text, the page, and the records found. */
function useChoiceList(store: ComboboxStore, target: ReferenceTarget) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [debouncedSearch] = useDebouncedValue(search, searchPause);
  const isOpen = store.dropdownOpened;
  const query = useChoices(target, debouncedSearch, page, isOpen);
  const pages = pageCount(query.data?.meta.count ?? 0, childPageSize);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first of what is found now is the one Enter takes
  useEffect(() => {
    if (isOpen) store.selectFirstOption();
  }, [isOpen, query.data]);
  useEffect(() => {
    if (isOpen) return;
    setSearch('');
    setPage(1);
  }, [isOpen]);
  return {
    data: query.data,
    error: query.error,
    isFetching: query.isFetching,
    search,
    changeSearch: (text: string) => {
      setSearch(text);
      setPage(1);
    },
    page,
    stepPage: (delta: number) => setPage(Math.min(pages, Math.max(1, page + delta))),
  };
}

interface ChoicesProps extends ReturnType<typeof useChoiceList> {
  target: ReferenceTarget;
  value: string | null;
}

function Choices({ target, value, data, error, isFetching, search, changeSearch, page, stepPage }: ChoicesProps) {
  const t = useText('data');
  const schema = data?.meta.schema;
  const label = schema?.label || target.table;
  const count = data?.meta.count ?? 0;
  const onKeyDown = (event: KeyboardEvent) => {
    const delta = { PageDown: 1, PageUp: -1 }[event.key];
    if (delta) stepPage(delta);
    // Enter would save the form around it.
    if (delta || event.key === 'Enter') event.preventDefault();
    if (event.key === 'Escape') event.stopPropagation();
  };
  return (
    <>
      <Combobox.Search
        value={search}
        onChange={(event) => changeSearch(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        placeholder={t('reference.search', { table: label })}
        aria-label={t('reference.search', { table: label })}
        rightSection={isFetching ? <Loader size="xs" /> : null}
        spellCheck={false}
      />
      <Combobox.Options className={ownClasses.choices!} aria-label={label}>
        {schema && !error
          ? data.resource.map((row, index) => {
              const recordValue = valueText(row[target.field]);
              const name = recordName(schema, row);
              return (
                <Combobox.Option
                  value={String(index)}
                  key={recordValue}
                  active={recordValue === value}
                  className={ownClasses.choice!}
                >
                  <span className={ownClasses.choiceName}>{name}</span>
                  {recordValue === name ? null : <span className={ownClasses.choiceValue}>{recordValue}</span>}
                </Combobox.Option>
              );
            })
          : null}
        {error ? (
          <Combobox.Empty role="alert">{describeError(error).messages.join(' ')}</Combobox.Empty>
        ) : data?.resource.length === 0 ? (
          <Combobox.Empty>{t(search ? 'reference.noMatch' : 'empty')}</Combobox.Empty>
        ) : null}
      </Combobox.Options>
      {data && count > 0 && !error ? (
        <Combobox.Footer>
          <CompactPager page={page} pageLength={data.resource.length} count={count} onStep={stepPage} />
        </Combobox.Footer>
      ) : null}
    </>
  );
}
