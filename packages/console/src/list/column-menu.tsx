import { Button, Checkbox, Divider, Popover, Stack, Text } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useText } from '../text/index.ts';
import { ToolButton } from '../ui/index.ts';
import type { Column } from './column.tsx';
import type { useColumnChoice } from './column-choice.ts';
import classes from './list.module.css';

interface ColumnMenuProps {
  columns: readonly Column[];
  columnChoice: ReturnType<typeof useColumnChoice>;
  isCompact: boolean;
  setCompact: (isCompact: boolean) => void;
}

/** Which columns are shown and how dense; the column that opens a row cannot be hidden. */
export function ColumnMenu({ columns, columnChoice, isCompact, setCompact }: ColumnMenuProps) {
  const t = useText('list');
  const { choice, toggle, reset } = columnChoice;
  const isChanged = choice.hidden.length > 0 || Object.keys(choice.widths).length > 0;
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ToolButton label={t('columns')} icon={IconAdjustmentsHorizontal} />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns')}>
        <Stack gap="xs">
          <Text size="xs" c="var(--s-text-soft)" aria-hidden>
            {t('columns')}
          </Text>
          {columns.map((column) => (
            <Checkbox
              key={column.name}
              label={column.label}
              checked={!choice.hidden.includes(column.name)}
              disabled={column.opens}
              onChange={() => toggle(column.name)}
            />
          ))}
          <Text size="xs" c="var(--s-text-soft)" className={classes.menuHint}>
            {t('columnsHint')}
          </Text>
          <Button variant="subtle" size="compact-sm" disabled={!isChanged} onClick={reset}>
            {t('columnsReset')}
          </Button>
          <Divider />
          <Checkbox
            label={t('density')}
            checked={isCompact}
            onChange={(event) => setCompact(event.currentTarget.checked)}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
