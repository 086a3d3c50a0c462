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
import { recordName, type TableRef } from './target.ts';
import { type ChoiceSource, useChoices } from './use-choices.ts';

/** Milliseconds after the last key before the search runs. */
const searchPause = 200;

interface ChoiceListProps {
  store: ComboboxStore;
  target: TableRef;
  /** The fields that references name a record by; their values stand beside its name. */
  fields: readonly string[];
  /** Records that do not match it are not offered. */
  filter?: string | undefined;
  /** The current value, which is marked. */
  value: string | null;
  onChoose: (row: Row, schema: Schema) => void;
  /** The button that opens it. */
  children: ReactNode;
}

export function ChoiceList({ store, target, fields, filter, value, onChoose, children }: ChoiceListProps) {
  const { data, ...list } = useChoiceList(store, { ...target, fields, filter });
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
        <Choices {...list} target={target} fields={fields} value={value} data={data} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The search text, the page, and the records found. */
function useChoiceList(store: ComboboxStore, source: ChoiceSource) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [debouncedSearch] = useDebouncedValue(search, searchPause);
  const isOpen = store.dropdownOpened;
  const query = useChoices(source, debouncedSearch, page, isOpen);
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
  target: TableRef;
  fields: readonly string[];
  value: string | null;
}

function Choices({ target, fields, value, data, error, search, page, ...list }: ChoicesProps) {
  const t = useText('data');
  const schema = data?.meta.schema;
  const label = schema?.label || target.table;
  const count = data?.meta.count ?? 0;
  const onKeyDown = (event: KeyboardEvent) => {
    const delta = { PageDown: 1, PageUp: -1 }[event.key];
    if (delta) list.stepPage(delta);
    // Enter would save the form around it.
    if (delta || event.key === 'Enter') event.preventDefault();
    if (event.key === 'Escape') event.stopPropagation();
  };
  return (
    <>
      <Combobox.Search
        value={search}
        onChange={(event) => list.changeSearch(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        placeholder={t('reference.search', { table: label })}
        aria-label={t('reference.search', { table: label })}
        rightSection={list.isFetching ? <Loader size="xs" /> : null}
        spellCheck={false}
      />
      <Combobox.Options className={ownClasses.choices!} aria-label={label}>
        {schema && !error
          ? data.resource.map((row, index) => {
              const recordValue = fields.map((field) => valueText(row[field])).join(' / ');
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
          <CompactPager page={page} pageLength={data.resource.length} count={count} onStep={list.stepPage} />
        </Combobox.Footer>
      ) : null}
    </>
  );
}
