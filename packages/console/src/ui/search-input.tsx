import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Ref } from 'react';
import classes from './search-input.module.css';

interface SearchInputProps extends Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'label' | 'placeholder'> {
  ref?: Ref<HTMLInputElement>;
  /** What is searched, as in "Filter services". */
  label: string;
  /** Shows the label above the input; otherwise only the placeholder shows it. */
  withLabel?: boolean;
  placeholder?: string;
  value: string;
  onChange: (text: string) => void;
  /** Shows a button with this name that empties the input. */
  clearLabel?: string;
  onClear?: () => void;
}

/** An input whose text narrows down what stands below it. */
export const SearchInput = ({
  label,
  withLabel,
  placeholder,
  value,
  onChange,
  clearLabel,
  onClear,
  ...input
}: SearchInputProps) => (
  <TextInput
    type="search"
    {...(withLabel ? { label } : { 'aria-label': label })}
    placeholder={placeholder ?? label}
    leftSection={<IconSearch className={classes.icon} aria-hidden />}
    rightSection={
      clearLabel && value ? (
        <CloseButton size="sm" aria-label={clearLabel} onClick={onClear ?? (() => onChange(''))} />
      ) : null
    }
    autoComplete="off"
    spellCheck={false}
    {...input}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
