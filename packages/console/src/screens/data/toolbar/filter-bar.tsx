// The filters in force, and the panel that makes one: by field, or written in the filter language (TBL-004, OPEN-117).
import { Button, CloseButton, Select, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import { dropDownProps, SearchSelect } from '../../../ui/index.ts';
import {
  filterableFields,
  filterKind,
  filterText,
  isNumberText,
  type Operator,
  operandShape,
  operators,
  parseOperands,
} from '../address/filter.ts';
import classes from '../styles/shared.module.css';
import type { TableState } from '../table/use-table.ts';
import filterClasses from './filter-bar.module.css';

/** Whether the panel is open, and which filter it edits. */
export function useFilterPanel({ gridState, error }: TableState) {
  const [isOpen, setOpen] = useState(false);
  const [chosenFilter, setEditedFilter] = useState<string | null>(null);
  const element = useRef<HTMLDivElement>(null);
  const { filters } = gridState;
  /** The server's message about a filter it does not understand. */
  const refusal = error instanceof ApiError && error.status === 400 && filters.length > 0 ? error.message : null;
  const open = (filter: string | null = null) => {
    setEditedFilter(filter);
    setOpen(true);
    const selector = filter === null ? '[data-by="field"] input' : '[data-by="text"] input';
    requestAnimationFrame(() => element.current?.querySelector<HTMLInputElement>(selector)?.focus());
  };
  const close = () => {
    setOpen(false);
    setEditedFilter(null);
  };
  useHotkeys([['/', () => open()]]);
  return {
    element,
    refusal,
    isShown: isOpen || refusal !== null,
    /** The filter in force that is edited; null adds one. */
    editedFilter: chosenFilter ?? (refusal === null ? null : (filters.at(-1) ?? null)),
    open,
    close,
    toggle: () => (isOpen ? close() : open()),
    stopEditing: () => setEditedFilter(null),
  };
}

type FilterPanelState = ReturnType<typeof useFilterPanel>;

interface FilterProps {
  state: TableState;
  panel: FilterPanelState;
}

/** The button of the panel, and each filter in force: its text opens it for editing, its cross removes it. */
export function FilterRow({ state, panel }: FilterProps) {
  const t = useText('data');
  return (
    <div className={filterClasses.filterRow}>
      <Button
        variant={panel.isShown ? 'light' : 'default'}
        size="xs"
        leftSection={<IconFilter className={classes.smallIcon} aria-hidden />}
        aria-expanded={panel.isShown}
        aria-keyshortcuts="/"
        onClick={panel.toggle}
      >
        {t('filters')}
      </Button>
      {state.gridState.filters.map((filter) => (
        <span key={filter} className={filterClasses.chip} data-refused={panel.refusal !== null || undefined}>
          <button
            type="button"
            className={filterClasses.chipText}
            title={filter}
            aria-label={t('editFilter', { filter })}
            onClick={() => panel.open(filter)}
          >
            {filter}
          </button>
          <CloseButton
            size="xs"
            aria-label={t('removeFilter', { filter })}
            onClick={() => {
              state.removeFilter(filter);
              panel.stopEditing();
            }}
          />
        </span>
      ))}
    </div>
  );
}

export function FilterPanel({ state, panel }: FilterProps) {
  if (!panel.isShown) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the inputs inside belong to
    <div
      className={filterClasses.filterPanel}
      ref={panel.element}
      onKeyDown={(event) => {
        const isMenuOpen = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true';
        if (event.key === 'Escape' && !isMenuOpen) panel.close();
      }}
    >
      <FieldFilterForm state={state} />
      <TextFilterForm key={panel.editedFilter ?? ''} state={state} panel={panel} />
    </div>
  );
}

/** Field, operator, value. */
function FieldFilterForm({ state }: { state: TableState }) {
  const t = useText('data');
  const fields = filterableFields(state.fields);
  const isUnfiltered = state.gridState.filters.length === 0 && state.gridState.order === null;
  const [name, setName] = useState<string | null>(null);
  const [operator, setOperator] = useState<Operator>('=');
  const [value, setValue] = useState('');
  const [upper, setUpper] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const field = fields.find((candidate) => candidate.name === name);
  const kind = field && filterKind(field);
  const choices: readonly Operator[] = kind ? operators[kind] : [];
  const currentOperator = choices.includes(operator) ? operator : (choices[0] ?? '=');
  const shape = operandShape(currentOperator);
  const filter = field ? filterText(field, currentOperator, value, upper) : null;

  const applyCondition = (event: FormEvent) => {
    event.preventDefault();
    if (filter === null) return;
    const hasBadNumber =
      kind === 'number' && parseOperands(currentOperator, value, upper).some((operand) => !isNumberText(operand));
    setInvalid(hasBadNumber);
    if (!hasBadNumber) state.addFilter(filter);
  };
  const clear = () => {
    setValue('');
    setUpper('');
    setInvalid(false);
  };
  const { filters } = state.gridState;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed stays until the filter is in force
  useEffect(clear, [filters.length]);
  const isLike = currentOperator === 'like' || currentOperator === 'not like';
  const percent = isLike ? <span className={classes.soft}>%</span> : undefined;

  return (
    <form className={filterClasses.filterForm} onSubmit={applyCondition} data-by="field">
      <SearchSelect
        label={t('filterBy')}
        data={fields.map((candidate) => candidate.name)}
        value={name}
        onChange={(next) => {
          setName(next);
          const nextField = fields.find((candidate) => candidate.name === next);
          const nextKind = nextField && filterKind(nextField);
          if (nextKind) setOperator(operators[nextKind][0]);
          clear();
        }}
        openOnFocus={false}
        className={filterClasses.filterField!}
      />
      {choices.length > 1 ? (
        <Select
          {...dropDownProps}
          label={t('operator')}
          data={choices.map((choice) => ({
            value: choice,
            label: isWordOperator(choice) ? t(`operators.${choice}`) : choice,
          }))}
          value={currentOperator}
          onChange={(next) => {
            setOperator(choices.find((choice) => choice === next) ?? currentOperator);
            setInvalid(false);
          }}
          allowDeselect={false}
          className={filterClasses.operator!}
        />
      ) : null}
      {shape === 'none' ? null : kind === 'boolean' ? (
        <Select
          {...dropDownProps}
          label={t('filterValue')}
          data={['TRUE', 'FALSE']}
          value={value || null}
          onChange={(next) => setValue(next ?? '')}
          className={filterClasses.filterValue!}
        />
      ) : (
        <TextInput
          label={t('filterValue')}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          disabled={!field}
          error={isInvalid ? t('notANumber') : undefined}
          placeholder={shape === 'list' ? t('listHint') : ''}
          title={shape === 'list' ? t('listHint') : undefined}
          inputMode={kind === 'number' && shape !== 'list' ? 'decimal' : 'text'}
          className={filterClasses.filterValue!}
          leftSection={percent}
          rightSection={percent}
          autoComplete="off"
        />
      )}
      {shape === 'two' ? (
        <TextInput
          label={t('filterTo')}
          value={upper}
          onChange={(event) => setUpper(event.currentTarget.value)}
          error={isInvalid}
          className={filterClasses.filterValue!}
          autoComplete="off"
        />
      ) : null}
      <Button type="submit" className={filterClasses.apply!} disabled={filter === null}>
        {t('apply')}
      </Button>
      <Button
        variant="default"
        className={filterClasses.apply!}
        disabled={isUnfiltered}
        onClick={state.clearFiltersAndOrder}
      >
        {t('remove')}
      </Button>
    </form>
  );
}

type WordOperator = Exclude<Operator, `${'<' | '>' | '!' | ''}${'=' | '<' | '>' | ''}`>;

/** Operators that are words are translated. */
const isWordOperator = (operator: Operator): operator is WordOperator => /[a-z]/.test(operator);

/** The filter language itself, with the server's error beside it. */
function TextFilterForm({ state, panel }: FilterProps) {
  const t = useText('data');
  const { editedFilter, refusal } = panel;
  const [value, setValue] = useState(editedFilter ?? '');
  const { filters } = state.gridState;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed stays until the filter is in force
  useEffect(() => setValue(editedFilter ?? ''), [filters.length]);
  const applyText = (event: FormEvent) => {
    event.preventDefault();
    const filter = value.trim();
    if (editedFilter !== null) state.replaceFilter(editedFilter, filter);
    else if (filter) state.addFilter(filter);
    panel.stopEditing();
  };
  return (
    <form className={filterClasses.filterForm} onSubmit={applyText} data-by="text">
      <TextInput
        label={t('raw')}
        description={t('rawHint')}
        error={refusal}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        className={filterClasses.raw!}
        classNames={{ input: classes.mono! }}
        autoComplete="off"
        spellCheck={false}
        rightSection={
          editedFilter !== null && refusal === null ? (
            <CloseButton size="sm" aria-label={t('cancel')} onClick={panel.stopEditing} />
          ) : null
        }
      />
      <Button
        type="submit"
        variant="default"
        className={filterClasses.apply!}
        disabled={value.trim() === '' && editedFilter === null}
      >
        {editedFilter === null ? t('apply') : t('replaceFilter')}
      </Button>
    </form>
  );
}
