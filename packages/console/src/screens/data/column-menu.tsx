import { ActionIcon, Button, Checkbox, Popover, Text, TextInput } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../../text/index.ts';
import menuClasses from './column-menu.module.css';
import type { Columns } from './columns.ts';
import classes from './data.module.css';
import type { Schema } from './sources.ts';

/** From so many fields on, one may look for them by name. */
const searchFrom = 12;

/** Which fields are columns (TBL-006, OPEN-115). */
export function ColumnMenu({ schema, columns }: { schema: Schema; columns: Columns }) {
  const t = useText('data');
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const words = typed.trim().toLocaleLowerCase();
  const { shown } = columns;
  const all = schema.field.length;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus width={288} withRoles>
      <Popover.Target>
        <ActionIcon aria-label={t('columns')} title={t('columns')} onClick={() => setOpen(!isOpen)}>
          <IconColumns3 className={classes.icon} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns')} className={menuClasses.columnMenu!}>
        <div className={menuClasses.columnMenuHead}>
          <Text fw={600}>{t('columns')}</Text>
          <Text size="xs" className={classes.soft}>
            {t('columnsShown', { shown: shown.length, all })}
          </Text>
        </div>
        {all >= searchFrom ? (
          <TextInput
            aria-label={t('findField')}
            placeholder={t('findField')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
          />
        ) : null}
        <Checkbox
          className={menuClasses.toggleAll!}
          label={t('toggleAll')}
          checked={shown.length === all}
          indeterminate={shown.length > 0 && shown.length < all}
          onChange={columns.toggleAll}
        />
        <ul className={menuClasses.columnList}>
          {schema.field
            .filter(({ name, label }) => `${name} ${label}`.toLocaleLowerCase().includes(words))
            .map(({ name, type }) => (
              <li key={name}>
                <Checkbox label={name} checked={shown.includes(name)} onChange={() => columns.toggle(name)} />
                <span className={classes.type}>{type}</span>
              </li>
            ))}
        </ul>
        {columns.isChosen ? (
          <Button variant="subtle" size="xs" onClick={columns.reset}>
            {t('columnsReset')}
          </Button>
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
}
