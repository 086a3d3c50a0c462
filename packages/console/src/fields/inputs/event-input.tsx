import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useMemo } from 'react';
import { useText } from '../../text/index.ts';
import { dropDownProps } from '../../ui/index.ts';
import { groupEvents, serviceOfAllEvents } from './events.ts';
import type { FieldProps } from './field.ts';

/** How many events the menu draws; typing narrows it down. */
const maxOptions = 100;

interface EventInputProps extends FieldProps<string> {
  events: readonly string[];
  isBare?: boolean;
}

/** An event by name: free text with a menu of what the platform knows (OPEN-145, OPEN-152). */
export function EventInput({
  label,
  description,
  error,
  required,
  disabled,
  value,
  onChange,
  events,
  isBare,
}: EventInputProps) {
  const t = useText('fields');
  const data = useMemo(
    () => groupEvents(events).map((group) => ({ group: group.service, items: group.events })),
    [events],
  );
  const renderOption: AutocompleteProps['renderOption'] = ({ option }) => {
    const service = serviceOfAllEvents(String(option.value));
    return service === null ? String(option.value) : t('events.all', { service });
  };
  return (
    <Autocomplete
      {...dropDownProps}
      {...(isBare ? { 'aria-label': label } : { label, description })}
      error={error}
      required={required ?? false}
      disabled={disabled ?? false}
      value={value}
      onChange={onChange}
      data={data}
      limit={maxOptions}
      placeholder={t('events.placeholder')}
      renderOption={renderOption}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
