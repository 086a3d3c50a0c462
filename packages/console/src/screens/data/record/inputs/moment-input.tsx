import { ActionIcon, Popover, Text, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar, IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../../../../text/index.ts';
import { dropDownProps } from '../../../../ui/index.ts';
import classes from '../../styles/shared.module.css';
import ownClasses from './inputs.module.css';
import { type MomentKind, parseMoment, withDate, withTime } from './moment.ts';

interface MomentInputProps {
  kind: MomentKind;
  /** The field's name, for the picker's button. */
  name: string;
  value: string;
  onChange: (value: string) => void;
  isLocked: boolean;
  inputProps: TextInputProps;
}

/** A date or time as the database writes it; the picker beside it changes one part and keeps zone and precision. */
export function MomentInput({ kind, name, value, onChange, isLocked, inputProps }: MomentInputProps) {
  const t = useText('data');
  const [isOpen, setOpen] = useState(false);
  const moment = parseMoment(value);
  const rest = moment ? `${moment.fraction ? `.${moment.fraction}` : ''}${moment.zone}` : '';
  const Icon = kind === 'time' ? IconClock : IconCalendar;
  const picker = (
    <Popover
      {...dropDownProps.comboboxProps}
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      closeOnEscape={false}
      radius="md"
    >
      <Popover.Target>
        <ActionIcon aria-label={t('pick', { field: name })} onClick={() => setOpen(!isOpen)}>
          <Icon className={classes.smallIcon} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown
        className={ownClasses.picker!}
        // The pane around it closes on Escape, too: the picker closes first.
        onKeyDownCapture={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          setOpen(false);
        }}
      >
        {kind === 'time' ? null : (
          <TextInput
            type="date"
            label={t('date')}
            value={moment?.date ?? ''}
            onChange={({ currentTarget }) =>
              currentTarget.value && onChange(withDate(value, kind, currentTarget.value))
            }
          />
        )}
        {kind === 'date' ? null : (
          <TextInput
            type="time"
            step={1}
            label={t('time')}
            value={moment?.time ?? ''}
            disabled={kind === 'datetime' && !moment?.date}
            onChange={({ currentTarget }) =>
              currentTarget.value && onChange(withTime(value, kind, currentTarget.value))
            }
          />
        )}
        {rest ? (
          <Text size="xs" className={classes.soft!}>
            {t('pickKeeps', { rest: rest.trim() })}
          </Text>
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
  return (
    <TextInput
      {...inputProps}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={isLocked || (value !== '' && !moment) ? null : picker}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
