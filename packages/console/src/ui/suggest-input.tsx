import { Autocomplete, type AutocompleteProps, Loader } from '@mantine/core';
import { useRef } from 'react';
import { dropDownProps } from './drop-down.ts';
import classes from './suggest-input.module.css';

/** Menus stay quick when a database has thousands of tables; typing narrows them. */
const maxOptions = 200;

interface SuggestInputProps
  extends Omit<AutocompleteProps, 'data' | 'value' | 'filter' | 'limit' | 'onFocus' | 'rightSection' | 'classNames'> {
  data: readonly string[];
  value: string;
  isLoading: boolean;
}

/** A path or the like, chosen from what there is or typed. The menu opens with all of it; only what is typed from then on filters. */
export function SuggestInput({ data, value, isLoading, ...props }: SuggestInputProps) {
  const textOnFocus = useRef(value);
  return (
    <Autocomplete
      {...dropDownProps}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="off"
      spellCheck={false}
      {...props}
      data={[...data]}
      value={value}
      onFocus={() => {
        textOnFocus.current = value;
      }}
      filter={({ options, search, limit }) => {
        const searched = search === textOnFocus.current ? '' : search.trim().toLowerCase();
        const matching = options.filter((option) => 'value' in option && option.value.toLowerCase().includes(searched));
        return matching.slice(0, limit);
      }}
      limit={maxOptions}
      rightSection={isLoading ? <Loader size="xs" aria-hidden /> : undefined}
      classNames={{ ...dropDownProps.classNames, input: classes.input! }}
    />
  );
}
