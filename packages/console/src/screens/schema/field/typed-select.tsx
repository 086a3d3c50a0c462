import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { dropDownProps } from '../../../ui/index.ts';

/** Keys that mark another choice. */
const markingKeys = ['ArrowDown', 'ArrowUp', 'Home', 'End'];

/** Without what decides whether somebody is choosing. */
type TypedSelectProps = Omit<SelectProps, 'onInput' | 'onKeyDownCapture' | 'onOptionSubmit' | 'onBlur'>;

/**
 * A choice that can be typed: the first that fits is marked, and who goes on to the next field takes what is marked. Only while they
 * are choosing: of a list that was left the first choice may still be marked, and would take the place of what was chosen.
 */
export function TypedSelect(props: TypedSelectProps) {
  const [isChoosing, setChoosing] = useState(false);
  return (
    <Select
      {...dropDownProps}
      {...props}
      allowDeselect={false}
      searchable
      selectFirstOptionOnChange
      autoSelectOnBlur={isChoosing}
      onInput={(event) => setChoosing(event.currentTarget.value !== '')}
      onKeyDownCapture={({ key }) => {
        if (markingKeys.includes(key)) setChoosing(true);
      }}
      onOptionSubmit={() => setChoosing(false)}
      onBlur={() => setChoosing(false)}
    />
  );
}
