import { Button, Input, Menu } from '@mantine/core';
import { type Verb, verbs } from '@sluice/contract';
import { IconChevronDown } from '@tabler/icons-react';
import { useId } from 'react';
import { useText } from '../../text/index.ts';
import type { FieldProps } from './field.ts';
import { chosenVerbs, toggleAllVerbs, toggleVerb, type VerbChoice } from './verb-choice.ts';

interface VerbPickerProps<T extends VerbChoice> extends FieldProps<T> {
  /** Without a visible label, as in a table: the label is only a name for those who cannot see it. */
  isBare?: boolean;
  /** The verbs offered, in this order; all five in the order of masks when absent (OPEN-058). */
  offeredVerbs?: readonly Verb[];
}

/** Chooses verbs from a menu; works on a mask or on a list of names and answers in the same shape (OPEN-055). */
export function VerbPicker<T extends VerbChoice>(props: VerbPickerProps<T>) {
  const { label, description, error, required, disabled, value, onChange, isBare, offeredVerbs = verbs } = props;
  const t = useText('fields');
  const id = useId();
  const chosen = chosenVerbs(value);
  const summary =
    chosen.length === 0 ? t('verbs.none') : chosen.length === 1 ? chosen[0] : t('verbs.many', { count: chosen.length });

  const picker = (
    <Menu closeOnItemClick={false} position="bottom-start" withinPortal={false} floatingStrategy="fixed">
      <Menu.Target>
        <Button
          id={id}
          variant="default"
          rightSection={<IconChevronDown size="1em" aria-hidden />}
          justify="space-between"
          disabled={disabled ?? false}
          aria-label={`${label}: ${summary}`}
          fullWidth={isBare ?? false}
          data-error={error ? true : undefined}
        >
          {summary}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item fw={600} onClick={() => onChange(toggleAllVerbs(value) as T)}>
          {t('verbs.toggle')}
        </Menu.Item>
        <Menu.Divider />
        {offeredVerbs.map((verb) => (
          <Menu.CheckboxItem
            key={verb}
            checked={chosen.includes(verb)}
            onChange={() => onChange(toggleVerb(value, verb) as T)}
          >
            {t(`verbs.${verb}`)}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );

  if (isBare) return picker;
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error} required={required ?? false}>
      <div>{picker}</div>
    </Input.Wrapper>
  );
}
