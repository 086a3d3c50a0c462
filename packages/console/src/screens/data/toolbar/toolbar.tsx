// The row above the records: filters, what can be done with records, paging, columns (OPEN-116). views/, export/ and api/ have the
// larger menus; action-bar.tsx is the row below.
import { Button } from '@mantine/core';
import { IconArrowAutofitHeight, IconDeviceFloppy, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useText } from '../../../text/index.ts';
import type { Columns } from '../table/columns.ts';
import type { TableState } from '../table/use-table.ts';
import { ApiButton } from './api/api-button.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { ExportMenu } from './export/export-menu.tsx';
import { Pager } from './pager.tsx';
import { Tool } from './tool.tsx';
import classes from './toolbar.module.css';
import { ViewMenu } from './views/view-menu.tsx';

interface ToolbarProps {
  state: TableState;
  columns: Columns;
  /** Stand at the left. */
  filters: ReactNode;
  /** Where the table itself is altered; null for no link. */
  schemaAddress: string | null;
}

export function Toolbar({ state, columns, filters, schemaAddress }: ToolbarProps) {
  const t = useText('data');
  const { schema, selection, pendingCounts } = state;
  return (
    <div className={classes.toolbar}>
      {schema ? <ViewMenu state={state} columns={columns} /> : null}
      {filters}
      <div className={classes.tools}>
        <div className={`${classes.pages} ${classes.actions}`}>
          {schema && state.hasKey ? (
            <>
              <Tool
                label={t('save')}
                icon={IconDeviceFloppy}
                isDesktopOnly
                isHidden={pendingCounts.records > 0}
                aria-keyshortcuts="Meta+S Control+S"
                onClick={() => void state.saveAll()}
              />
              <Tool
                label={t('delete')}
                icon={IconTrash}
                isDesktopOnly
                isHidden={selection.ids.size > 0}
                onClick={() => void state.deleteSelected()}
              />
            </>
          ) : null}
          <Tool
            label={t('refresh')}
            word={t('words.refresh')}
            icon={IconRefresh}
            onClick={() => void state.refresh()}
          />
          {schema ? (
            <>
              <ExportMenu state={state} columns={columns} />
              <ColumnMenu schema={schema} columns={columns} />
            </>
          ) : null}
          {schema ? <ApiButton state={state} schema={schema} columns={columns} /> : null}
          {schema && schemaAddress ? (
            <Button component={Link} to={schemaAddress} variant="subtle" color="gray" size="compact-sm">
              {t('schema.link')}
            </Button>
          ) : null}
        </div>
        <div className={classes.paging}>
          {schema && !state.isLoading && !state.error ? <Pager state={state} /> : null}
          {schema && state.pages > 1 ? (
            <Tool
              label={t('grid.whole')}
              word={t('words.whole')}
              icon={IconArrowAutofitHeight}
              isDesktopOnly
              isPressed={state.gridState.isContinuous}
              onClick={() => state.setContinuous(!state.gridState.isContinuous)}
            />
          ) : null}
        </div>
      </div>
    </div>
  );
}
