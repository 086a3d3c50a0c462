import { Select, type SelectProps } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { dropDownProps } from './drop-down.ts';

/** Without what decides what is marked, and when it is taken. */
interface SearchSelectProps
  extends Omit<
    SelectProps,
    | 'selectFirstOptionOnChange'
    | 'autoSelectOnBlur'
    | 'onInput'
    | 'onKeyDownCapture'
    | 'onBlurCapture'
    | 'onFocusCapture'
  > {
  /** Who chooses and goes on to the next field takes what is marked, without Enter. */
  takesOnLeave?: boolean;
}

/**
 * A choice that can be typed, unless `searchable` is false: typing replaces what was chosen, the first that fits is marked, and Enter
 * takes what is seen to be marked. Mantine's own Enter and leaving go by a number, which a timer from the opening of the list may have
 * reset since; the form would be sent without the choice.
 */
export function SearchSelect({ takesOnLeave = false, onOptionSubmit, ...props }: SearchSelectProps) {
  // A list that only opens marks nothing.
  const [isTyping, setTyping] = useState(false);
  return (
    <Select
      searchable
      {...dropDownProps}
      {...props}
      selectFirstOptionOnChange={isTyping}
      onFocusCapture={({ currentTarget }) => {
        if (!currentTarget.readOnly) currentTarget.select();
      }}
      onInput={() => setTyping(true)}
      onKeyDownCapture={(event) => {
        const marked = isEnter(event) ? markedOption(event.currentTarget) : null;
        if (!marked) return;
        event.preventDefault();
        event.stopPropagation();
        marked.click();
      }}
      onBlurCapture={({ currentTarget }) => {
        // Who deleted what they typed chose nothing.
        const isTaken = takesOnLeave && !(isTyping && currentTarget.value === '');
        if (isTaken) markedOption(currentTarget)?.click();
        setTyping(false);
      }}
      onOptionSubmit={(value) => {
        setTyping(false);
        onOptionSubmit?.(value);
      }}
    />
  );
}

const selectRoots = '.mantine-Select-root, .mantine-MultiSelect-root';

/** Enter, but not one that ends the composing of a character. */
export const isEnter = ({ key, nativeEvent }: KeyboardEvent) => key === 'Enter' && !nativeEvent.isComposing;

/** The option that is marked in the open list of an input, which is rendered beside it; null where nothing is marked. */
export function markedOption(input: HTMLElement): HTMLElement | null {
  const list = input.hasAttribute('data-expanded') ? input.closest(selectRoots)?.nextElementSibling : null;
  return list?.querySelector<HTMLElement>('[data-combobox-selected]') ?? null;
}
