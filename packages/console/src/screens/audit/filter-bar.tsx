import { ActionIcon, Autocomplete, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { auditActions } from '@sluice/contract';
import { IconFilterOff, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useFilterText } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { dropDown, SearchInput } from '../../ui/index.ts';
import classes from './audit.module.css';
import { type AuditPlace, longestText } from './place.ts';
import { resourceNames } from './sources.ts';

interface FilterBarProps {
  place: AuditPlace;
  change: (parts: Partial<AuditPlace>, isTyping?: boolean) => void;
  /** Absent while there is nothing to clear. */
  clear: (() => void) | undefined;
}

/** What narrows the audit; all of it is in the address. */
export function FilterBar({ place, change, clear }: FilterBarProps) {
  const t = useText('audit');
  const box = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => box.current?.focus()]]);
  const text = useFilterText(place.text, (words) => change({ text: words }, true));
  const who = useFilterText(place.who, (words) => change({ who: words }, true));
  const resource = useFilterText(place.resource, (words) => change({ resource: words, record: '' }, true));
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      <SearchInput
        ref={box}
        className={classes.text ?? ''}
        label={t('text')}
        withLabel
        placeholder={t('textHint')}
        maxLength={longestText}
        aria-keyshortcuts="/"
        value={text.text}
        onChange={text.set}
        onKeyDown={applyOnEnter(text)}
      />
      <TextInput
        label={t('who')}
        placeholder={t('whoHint')}
        maxLength={longestText}
        autoComplete="off"
        spellCheck={false}
        value={who.text}
        onChange={(event) => who.set(event.currentTarget.value)}
        onKeyDown={applyOnEnter(who)}
      />
      <Select
        {...dropDown}
        label={t('action')}
        placeholder={t('any')}
        data={auditActions.map((action) => ({ value: action, label: t(`actions.${action}`) }))}
        value={place.action || null}
        onChange={(action) => change({ action: (action ?? '') as AuditPlace['action'] })}
        clearable
      />
      <Autocomplete
        {...dropDown}
        label={t('resource')}
        placeholder={t('any')}
        data={resourceNames}
        maxLength={longestText}
        spellCheck={false}
        value={resource.text}
        onChange={resource.set}
        onOptionSubmit={resource.applyNow}
        onKeyDown={applyOnEnter(resource)}
      />
      <TextInput
        type="date"
        label={t('since')}
        value={place.since}
        max={place.until || undefined}
        onChange={(event) => change({ since: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('until')}
        value={place.until}
        min={place.since || undefined}
        onChange={(event) => change({ until: event.currentTarget.value })}
      />
      {place.record !== '' ? (
        <span className={classes.chip}>
          {t('onlyRecord', { resource: place.resource, id: place.record })}
          <Tooltip label={t('everyRecord')}>
            <ActionIcon size="sm" aria-label={t('everyRecord')} onClick={() => change({ record: '' })}>
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
