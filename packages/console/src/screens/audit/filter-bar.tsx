import { ActionIcon, Autocomplete, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { auditActions } from '@sluice/contract';
import { IconFilterOff, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useFilterText } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { dropDownProps, SearchInput } from '../../ui/index.ts';
import classes from './audit.module.css';
import { type AuditState, maxTextLength } from './audit-state.ts';
import { resourceNames } from './sources.ts';

interface FilterBarProps {
  state: AuditState;
  changeState: (changes: Partial<AuditState>, isTyping?: boolean) => void;
  /** Absent while there is nothing to clear. */
  clear: (() => void) | undefined;
}

/** What narrows the audit; all of it is in the address. */
export function FilterBar({ state, changeState, clear }: FilterBarProps) {
  const t = useText('audit');
  const box = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => box.current?.focus()]]);
  const text = useFilterText(state.text, (nextText) => changeState({ text: nextText }, true));
  const who = useFilterText(state.who, (nextText) => changeState({ who: nextText }, true));
  const resource = useFilterText(state.resource, (nextText) => changeState({ resource: nextText, record: '' }, true));
  // With texts of their own: what is typed into a day stands there before the address has it.
  const since = useFilterText(state.since, (day) => changeState({ since: day }));
  const until = useFilterText(state.until, (day) => changeState({ until: day }));
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      <SearchInput
        ref={box}
        className={classes.text ?? ''}
        label={t('text')}
        withLabel
        placeholder={t('textHint')}
        maxLength={maxTextLength}
        aria-keyshortcuts="/"
        value={text.text}
        onChange={text.set}
        onKeyDown={applyOnEnter(text)}
      />
      <TextInput
        label={t('who')}
        placeholder={t('whoHint')}
        maxLength={maxTextLength}
        autoComplete="off"
        spellCheck={false}
        value={who.text}
        onChange={(event) => who.set(event.currentTarget.value)}
        onKeyDown={applyOnEnter(who)}
      />
      <Select
        {...dropDownProps}
        label={t('action')}
        placeholder={t('any')}
        data={auditActions.map((action) => ({ value: action, label: t(`actions.${action}`) }))}
        value={state.action || null}
        onChange={(action) => changeState({ action: (action ?? '') as AuditState['action'] })}
        clearable
      />
      <Autocomplete
        {...dropDownProps}
        label={t('resource')}
        placeholder={t('any')}
        data={resourceNames}
        maxLength={maxTextLength}
        spellCheck={false}
        value={resource.text}
        onChange={resource.set}
        onOptionSubmit={resource.applyNow}
        onKeyDown={applyOnEnter(resource)}
      />
      <TextInput
        type="date"
        label={t('since')}
        value={since.text}
        max={state.until || undefined}
        onChange={applyDay(since)}
      />
      <TextInput
        type="date"
        label={t('until')}
        value={until.text}
        min={state.since || undefined}
        onChange={applyDay(until)}
      />
      {state.record !== '' ? (
        <span className={classes.chip}>
          {t('onlyRecord', { resource: state.resource, id: state.record })}
          <Tooltip label={t('everyRecord')}>
            <ActionIcon size="sm" aria-label={t('everyRecord')} onClick={() => changeState({ record: '' })}>
              <IconX size="1em" aria-hidden />
            </ActionIcon>
          </Tooltip>
        </span>
      ) : null}
      {clear ? (
        <Button
          variant="subtle"
          className={classes.clear ?? ''}
          leftSection={<IconFilterOff className={classes.icon} aria-hidden />}
          onClick={clear}
        >
          {t('clear')}
        </Button>
      ) : null}
    </search>
  );
}

/** Enter applies a filter at once. */
const applyOnEnter = (typed: ReturnType<typeof useFilterText>) => (event: React.KeyboardEvent) => {
  if (event.key === 'Enter') typed.applyNow();
};

/** A day applies as soon as it is one. */
const applyDay = (day: ReturnType<typeof useFilterText>) => (event: React.ChangeEvent<HTMLInputElement>) => {
  day.set(event.currentTarget.value);
  day.applyNow(event.currentTarget.value);
};
