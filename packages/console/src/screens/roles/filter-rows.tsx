import { ActionIcon, Autocomplete, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { filterOperators, type RecordFilter } from '@sluice/contract';
import { IconPlus, IconX } from '@tabler/icons-react';
import { Fragment, useId, useState } from 'react';
import { useEditor } from '../../editor/index.ts';
import { useText } from '../../text/index.ts';
import { describeError, dropDownProps, FailedLine } from '../../ui/index.ts';
import { type AccessRow, filterPath, needsNoValue, newFilter } from './access.ts';
import { tableOf } from './matching.ts';
import type { RoleForm } from './record.ts';
import classes from './roles.module.css';
import { type Service, useFieldNames } from './sources.ts';

interface FilterRowsProps {
  row: AccessRow;
  service: Service | undefined;
  /** Whether the service knows record filters (ROL-018). */
  isAvailable: boolean;
  changeRow: (changes: Partial<AccessRow>) => void;
}

/** Advanced filters: only records that meet them (ROL-016, ROL-017, OPEN-162). */
export function FilterRows({ row, service, isAvailable, changeRow }: FilterRowsProps) {
  const t = useText('roles');
  const { form } = useEditor<RoleForm>();
  const id = useId();
  const { filters, filter_op } = row;
  const [isShown, setShown] = useState(filters.length > 0);
  const { fields, error, retry } = useFieldNames(isAvailable && isShown ? service : undefined, tableOf(row.component));
  const changeFilter = (index: number, changes: Partial<RecordFilter>) =>
    changeRow({ filters: filters.with(index, { ...(filters[index] as RecordFilter), ...changes }) });
  const addFilter = () => {
    changeRow({ filters: [...filters, newFilter] });
    setShown(true);
  };

  if (!isAvailable)
    return (
      <Text size="sm" c="var(--s-text-soft)">
        {t('filters.label')}: {t('access.na')}. {t('filters.notHere')}
      </Text>
    );
  return (
    <section aria-labelledby={id}>
      <Group gap="xs">
        <Text id={id} size="sm" fw={500}>
          {t('filters.label')} ({filters.length})
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isShown}
          onClick={() => (isShown || filters.length > 0 ? setShown(!isShown) : addFilter())}
        >
          {t(isShown ? 'filters.hide' : 'filters.show')}
        </Button>
      </Group>
      {isShown ? (
        <div className={classes.filters}>
          {filters.map((filter, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: filters have no id, and every input is controlled
            <Fragment key={index}>
              {index > 0 ? (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  className={classes.joiner ?? ''}
                  aria-label={t('filters.joiner', { word: t(`filters.${filter_op}`) })}
                  title={t('filters.joinerHint')}
                  onClick={() => changeRow({ filter_op: filter_op === 'OR' ? 'AND' : 'OR' })}
                >
                  {t(`filters.${filter_op}`)}
                </Button>
              ) : null}
              <div className={classes.filter}>
                <Autocomplete
                  {...dropDownProps}
                  aria-label={t('filters.of', { part: t('filters.field'), row: index + 1 })}
                  placeholder={t('filters.field')}
                  data={[...fields]}
                  limit={100}
                  value={filter.name}
                  onChange={(name) => changeFilter(index, { name })}
                  error={form.errors[filterPath(row.key, index)]}
                  classNames={{ ...dropDownProps.classNames, input: classes.mono ?? '' }}
                  autoComplete="off"
                  spellCheck={false}
                />
                <Select
                  {...dropDownProps}
                  aria-label={t('filters.of', { part: t('filters.operator'), row: index + 1 })}
                  data={operatorsWith(filter.operator)}
                  value={filter.operator}
                  onChange={(operator) => changeFilter(index, { operator: operator ?? '=' })}
                  allowDeselect={false}
                />
                <TextInput
                  aria-label={t('filters.of', { part: t('filters.value'), row: index + 1 })}
                  placeholder={t('filters.value')}
                  value={needsNoValue(filter.operator) ? '' : String(filter.value ?? '')}
                  disabled={needsNoValue(filter.operator)}
                  onChange={(event) => changeFilter(index, { value: event.currentTarget.value })}
                  classNames={{ input: classes.mono ?? '' }}
                  autoComplete="off"
                  spellCheck={false}
                />
                <ActionIcon
                  aria-label={t('filters.remove', { row: index + 1 })}
                  onClick={() => changeRow({ filters: filters.filter((_, other) => other !== index) })}
                >
                  <IconX className={classes.icon} aria-hidden />
                </ActionIcon>
              </div>
            </Fragment>
          ))}
          {error ? (
            <Text size="sm" c="var(--s-danger)">
              <FailedLine onRetry={retry}>
                {t('filters.fieldsFailed', { reason: describeError(error).messages.join(' ') })}
              </FailedLine>
            </Text>
          ) : null}
          <Group gap="sm">
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus className={classes.icon} aria-hidden />}
              onClick={addFilter}
            >
              {t('filters.add')}
            </Button>
            <Text size="xs" c="var(--s-text-soft)" className={classes.lookupHint}>
              {t('filters.hint')}
            </Text>
          </Group>
        </div>
      ) : null}
    </section>
  );
}

/** The operators on offer; a stored one nobody knows stays. */
const operatorsWith = (stored: string): string[] =>
  (filterOperators as readonly string[]).includes(stored) ? [...filterOperators] : [...filterOperators, stored];
