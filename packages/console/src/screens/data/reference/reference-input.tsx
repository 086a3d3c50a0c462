// A field that refers to another table: the value itself, the record it refers to, and a search for another one (OPEN-129, OPEN-134).
import { ActionIcon, TextInput, type TextInputProps, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { FieldDescription } from '@sluice/contract';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import { useText } from '../../../text/index.ts';
import classes from '../styles/shared.module.css';
import { valueText } from '../values/values.ts';
import { ChoiceList } from './choice-list.tsx';
import { isUnreadable, LookupResult, lookupPause } from './lookup-result.tsx';
import { isLookedUp, type ReferenceTarget, referenceFilter } from './target.ts';
import { useReferencedRecord } from './use-choices.ts';

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
  const filter = isLookedUp(field, debouncedValue) ? referenceFilter(target, field, debouncedValue) : null;
  const lookup = useReferencedRecord(target, filter);
  const canChoose = !isLocked && !isUnreadable(lookup);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || !canChoose) return;
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
          canChoose ? (
            <ChoiceList
              store={store}
              target={target}
              fields={[target.field]}
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
          ) : null
        }
      />
      <LookupResult
        target={target}
        lookup={lookup}
        isSettled={debouncedValue === value.trim()}
        missingText={t('reference.missing', { table: target.table, field: target.field })}
        unreadableText={t('reference.unreadable', { table: target.table })}
      />
    </>
  );
}
