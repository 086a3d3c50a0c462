import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useState } from 'react';
import { dropDownProps } from './drop-down.ts';
import classes from './search-multi-select.module.css';
import { isEnter, markedOption } from './search-select.tsx';

type SearchMultiSelectProps = Omit<
  MultiSelectProps,
  'selectFirstOptionOnChange' | 'onInput' | 'onKeyDownCapture' | 'onBlurCapture' | 'classNames'
>;

/** Several of many, which can be typed: like `SearchSelect`, Enter takes what is marked, and sends no form while the list is open. */
export function SearchMultiSelect({ onOptionSubmit, ...props }: SearchMultiSelectProps) {
  const [isTyping, setTyping] = useState(false);
  return (
    <MultiSelect
      searchable
      {...dropDownProps}
      {...props}
      classNames={{ ...dropDownProps.classNames, pillsList: classes.pills! }}
      selectFirstOptionOnChange={isTyping}
      onInput={() => setTyping(true)}
      onKeyDownCapture={(event) => {
        if (!isEnter(event) || !event.currentTarget.hasAttribute('data-expanded')) return;
        event.preventDefault();
        event.stopPropagation();
        markedOption(event.currentTarget)?.click();
      }}
      onBlurCapture={() => setTyping(false)}
      onOptionSubmit={(value) => {
        setTyping(false);
        onOptionSubmit?.(value);
      }}
    />
  );
}
