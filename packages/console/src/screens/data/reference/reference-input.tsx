// A field that refers to another table: the value itself, the record it refers to, and a search for another one (OPEN-129, OPEN-134).
import { ActionIcon, TextInput, type TextInputProps, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { FieldDescription } from '@sluice/contract';
import { IconArrowUpRight, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import { Link } from 'react-router';
import { ApiError } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import { isNumberText } from '../address/filter.ts';
import { recordPageLocation } from '../address/grid-host.ts';
import { keyOf } from '../address/grid-state.ts';
import { type Row, type Schema, systemService } from '../address/sources.ts';
import classes from '../styles/shared.module.css';
import { inputKind, valueText } from '../values/values.ts';
import { ChoiceList } from './choice-list.tsx';
import ownClasses from './reference.module.css';
import { type ReferenceTarget, recordName, referenceFilter } from './target.ts';
import { useReferencedRecord } from './use-choices.ts';

/** Milliseconds after the last key before the value is looked up. */
const lookupPause = 250;

interface ReferenceInputProps {
  field: FieldDescription;
  target: ReferenceTarget;
  value: string;
  onChange: (value: string) => void;
  isLocked: boolean;
  /** What every input of the pane has: id, description, placeholder. */
  inputProps: TextInputProps;
}

export function ReferenceInput({ field, target, value, onChange, isLocked, inputProps }: ReferenceInputProps) {
  const t = useText('data');
  const button = useRef<HTMLButtonElement>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const store = useCombobox({
    onDropdownOpen: () => store.focusSearchInput(),
    onDropdownClose: () => {
      store.resetSelectedOption();
      // Whether a record was chosen or not, the focus goes back to the input; after a click elsewhere it stays there.
      if (document.activeElement === document.body || button.current?.parentElement?.contains(document.activeElement))
        inputRef.current?.focus();
    },
  });
  const [debouncedValue] = useDebouncedValue(value.trim(), lookupPause);
  const isLookedUp = debouncedValue !== '' && (inputKind(field.type) !== 'integer' || isNumberText(debouncedValue));
  const reference = useReferencedRecord(target, isLookedUp ? referenceFilter(target, field, debouncedValue) : null);
  // While one types, the name found would be that of an earlier value.
  const isSettled = debouncedValue === value.trim();
  const isUnreadable = reference.error instanceof ApiError && [403, 404].includes(reference.error.status);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || isLocked || isUnreadable) return;
    event.preventDefault();
    store.openDropdown();
  };
  return (
    <>
      <TextInput
        {...inputProps}
        ref={inputRef}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        aria-keyshortcuts="ArrowDown"
        autoComplete="off"
        spellCheck={false}
        rightSection={
          isLocked || isUnreadable ? null : (
            <ChoiceList
              store={store}
              target={target}
              value={value}
              onChoose={(row) => {
                onChange(valueText(row[target.field]));
                inputRef.current?.focus();
              }}
            >
              <ActionIcon
                ref={button}
                aria-label={t('reference.choose', { field: field.label || field.name })}
                aria-expanded={store.dropdownOpened}
                onClick={() => store.toggleDropdown()}
              >
                <IconSearch className={classes.smallIcon} aria-hidden />
              </ActionIcon>
            </ChoiceList>
          )
        }
      />
      <p className={ownClasses.referred} aria-live="polite">
        {isUnreadable ? (
          t('reference.unreadable', { table: target.table })
        ) : reference.error ? (
          reference.error.message
        ) : isSettled && reference.record === null ? (
          t('reference.missing', { table: target.table, field: target.field })
        ) : isSettled && reference.record && reference.schema ? (
          <ReferencedRecord target={target} schema={reference.schema} record={reference.record} />
        ) : null}
      </p>
    </>
  );
}

/** The name of the record a value refers to, as a link to its page. */
function ReferencedRecord({ target, schema, record }: { target: ReferenceTarget; schema: Schema; record: Row }) {
  const t = useText('data');
  const name = recordName(schema, record);
  const key = keyOf(schema, record);
  // Records of the platform have screens of their own.
  if (!key || target.service === systemService) return name;
  return (
    <Link
      to={recordPageLocation(target.service, target.table, key)}
      className={ownClasses.link!}
      aria-label={t('reference.open', { record: name, table: schema.label || target.table })}
    >
      {name}
      <IconArrowUpRight className={classes.tinyIcon} aria-hidden />
    </Link>
  );
}
