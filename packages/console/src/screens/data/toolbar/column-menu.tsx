import { ActionIcon, Button, Checkbox, Popover, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../../../text/index.ts';
import { ToolButton } from '../../../ui/index.ts';
import type { Schema } from '../address/sources.ts';
import classes from '../styles/shared.module.css';
import type { Columns } from '../table/columns.ts';
import menuClasses from './column-menu.module.css';

/** From so many fields on, they can be searched by name. */
const searchFrom = 12;

/** Which fields are columns (TBL-006, OPEN-115), and in what order: the visible ones first, in the order of the grid. */
export function ColumnMenu({ schema, columns }: { schema: Schema; columns: Columns }) {
  const t = useText('data');
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const searchText = search.trim().toLocaleLowerCase();
  const { visible } = columns;
  const all = schema.field.length;
  const orderedFields = [
    ...visible.flatMap((name) => schema.field.find((field) => field.name === name) ?? []),
    ...schema.field.filter(({ name }) => !visible.includes(name)),
  ];
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus width={320} withRoles>
      <Popover.Target>
        <ToolButton
          label={t('columns')}
          word={t('words.columns')}
          icon={IconColumns3}
          onClick={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns')} className={menuClasses.columnMenu!}>
        <div className={menuClasses.columnMenuHead}>
          <Text fw={600}>{t('columns')}</Text>
          <Text size="xs" className={classes.soft}>
            {t('columnsShown', { shown: visible.length, all })}
          </Text>
        </div>
        {all >= searchFrom ? (
          <TextInput
            aria-label={t('findField')}
            placeholder={t('findField')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
          />
        ) : null}
        <Checkbox
          className={menuClasses.toggleAll!}
          label={t('toggleAll')}
          checked={visible.length === all}
          indeterminate={visible.length > 0 && visible.length < all}
          onChange={columns.toggleAll}
        />
        <ul className={menuClasses.columnList}>
          {orderedFields
            .filter(({ name, label }) => `${name} ${label}`.toLocaleLowerCase().includes(searchText))
            .map(({ name, type }) => (
              <li key={name}>
                <Checkbox label={name} checked={visible.includes(name)} onChange={() => columns.toggle(name)} />
                <span className={classes.type}>{type}</span>
                {visible.includes(name) ? <MoveButtons name={name} columns={columns} /> : null}
              </li>
            ))}
        </ul>
        {columns.isCustomized ? (
          <Button variant="subtle" size="xs" onClick={columns.reset}>
            {t('columnsReset')}
          </Button>
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
}

function MoveButtons({ name, columns }: { name: string; columns: Columns }) {
  const t = useText('data');
  const index = columns.visible.indexOf(name);
  return (
    <span className={menuClasses.movers}>
      <ActionIcon
        size="sm"
        aria-label={t('grid.moveUp', { field: name })}
        disabled={index === 0}
        onClick={() => columns.move(name, index - 1)}
      >
        <IconChevronUp className={classes.smallIcon} aria-hidden />
      </ActionIcon>
      <ActionIcon
        size="sm"
        aria-label={t('grid.moveDown', { field: name })}
        disabled={index === columns.visible.length - 1}
        onClick={() => columns.move(name, index + 1)}
      >
        <IconChevronDown className={classes.smallIcon} aria-hidden />
      </ActionIcon>
    </span>
  );
}
