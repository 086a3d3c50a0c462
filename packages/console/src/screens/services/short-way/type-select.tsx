import { useMemo } from 'react';
import { useText } from '../../../text/index.ts';
import { SearchSelect, ServiceTypeIcon } from '../../../ui/index.ts';
import { HindranceBadge } from '../type-chooser.tsx';
import { chooserGroups, filterGroups, type OfferedType } from '../types.ts';
import classes from './short-way.module.css';

interface TypeSelectProps {
  types: readonly OfferedType[];
  /** Name of the type chosen, or empty. */
  chosen: string;
  onChoose: (type: OfferedType | null) => void;
}

/** The types as a menu in the groups and the order of the chooser; typing finds them by all the names they go by. */
export function TypeSelect({ types, chosen, onChoose }: TypeSelectProps) {
  const t = useText('services');
  const groups = useMemo(() => chooserGroups(types), [types]);
  const byName = useMemo(() => new Map(types.map((type) => [type.name, type])), [types]);
  const type = byName.get(chosen);
  const toData = (shown: typeof groups) =>
    shown.map((group) => ({
      group: group.name,
      items: group.types.map(({ name, label }) => ({ value: name, label })),
    }));
  return (
    <SearchSelect
      label={t('shortWay.type')}
      placeholder={t('shortWay.typeAny')}
      data={toData(groups)}
      value={chosen === '' ? null : chosen}
      onChange={(name) => onChoose((name !== null && byName.get(name)) || null)}
      clearable
      clearButtonProps={{ 'aria-label': t('shortWay.typeClear') }}
      filter={({ search }) => toData(filterGroups(groups, search === type?.label ? '' : search))}
      nothingFoundMessage={t('shortWay.typeNone')}
      leftSection={type ? <ServiceTypeIcon type={type.name} group={type.group} /> : null}
      renderOption={({ option }) => {
        const offered = byName.get(option.value);
        return (
          <span className={classes.option}>
            <ServiceTypeIcon type={option.value} group={offered?.group} />
            <span>{option.label}</span>
            {offered ? <HindranceBadge type={offered} /> : null}
          </span>
        );
      }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
