import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { RelationDescription } from '@sluice/contract';
import { IconArrowUpRight, IconDeviceFloppy, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { useText } from '../../../text/index.ts';
import { DraftNotice } from '../../../unsaved/index.ts';
import { pageHost } from '../address/grid-host.ts';
import { tableAddress } from '../address/grid-state.ts';
import { systemService } from '../address/sources.ts';
import { NewRecordPane, RecordPane } from '../record/record-pane.tsx';
import { childHost, initialDraftsOf, type ParentReference } from '../record/related.ts';
import { Records } from '../records/records.tsx';
import type { TableRef } from '../reference/target.ts';
import classes from '../styles/shared.module.css';
import { type Columns, useColumns } from '../table/columns.ts';
import { type TableState, useTable } from '../table/use-table.ts';
import { ActionBar } from '../toolbar/action-bar.tsx';
import { ApiButton } from '../toolbar/api/api-button.tsx';
import { ColumnMenu } from '../toolbar/column-menu.tsx';
import { Pager } from '../toolbar/pager.tsx';
import { Tool } from '../toolbar/tool.tsx';
import { ChildPanel, type Parent } from './child-panel.tsx';

interface ChildTableProps {
  parent: Parent;
  relation: RelationDescription;
  /** The table of the records. */
  target: TableRef;
  /** How the records refer to the parent. */
  reference: ParentReference;
  choice: ReactNode;
  renderInParent: (below: ReactNode) => ReactNode;
}

/** The records that refer to one record, as a table of their own (TBL-029, TBL-043, C-DAT-09). */
export function ChildTable({ parent, relation, target, reference, choice, renderInParent }: ChildTableProps) {
  const { service, table } = target;
  const t = useText('data');
  const { state: parentState, key } = parent;
  const host = childHost(
    pageHost(parentState.service, parentState.table),
    key,
    relation.name,
    reference.filter,
    initialDraftsOf(reference),
  );
  const state = useTable(service, table, host);
  const columns = useColumns(service, table, state.schema);
  const focusRow = useRef<() => void>(() => {});
  const location = useLocation();
  const openKey = host.parse(location)?.params.getAll('key') ?? [];
  const { schema, pane } = state;
  const label = schema?.label || table;
  useHotkeys([['mod+S', () => pane === null && void state.saveAll()]], ['INPUT', 'TEXTAREA', 'SELECT']);
  const close = () => {
    state.closePane();
    focusRow.current();
  };
  const fullTableAddress =
    service === systemService
      ? null
      : `${tableAddress(service, table)}?${new URLSearchParams({ filter: reference.filter })}`;
  const canCreate = state.hasKey && !(relation.type === 'has_one' && state.count > 0);
  return (
    <>
      {renderInParent(
        <ChildPanel
          title={relation.label || relation.name}
          isVirtual={relation.is_virtual}
          choice={choice}
          tools={
            <ChildTools state={state} columns={columns} fullTableAddress={fullTableAddress} canCreate={canCreate} />
          }
        >
          {state.draft ? <DraftNotice {...state.draft} /> : null}
          <Records
            state={state}
            columns={columns}
            label={label}
            focusRow={focusRow}
            emptyText={t('child.noneYet', { table: label })}
          />
          <ActionBar state={state} />
        </ChildPanel>,
      )}
      {schema && pane === 'record' && openKey.length > 0 ? (
        <RecordPane key={JSON.stringify(openKey)} state={state} schema={schema} recordKey={openKey} onClose={close} />
      ) : null}
      {schema && pane === 'new' && canCreate ? <NewRecordPane state={state} schema={schema} onClose={close} /> : null}
    </>
  );
}

interface ChildToolsProps {
  state: TableState;
  columns: Columns;
  /** The address of the table's own page, with the same filter. */
  fullTableAddress: string | null;
  canCreate: boolean;
}

function ChildTools({ state, columns, fullTableAddress, canCreate }: ChildToolsProps) {
  const t = useText('data');
  const { schema, hasKey, isLoading, error } = state;
  return (
    <>
      {schema && !isLoading && !error ? <Pager state={state} /> : null}
      {schema && hasKey ? (
        <>
          <Tool label={t('save')} icon={IconDeviceFloppy} isDesktopOnly onClick={() => void state.saveAll()} />
          <Tool label={t('delete')} icon={IconTrash} isDesktopOnly onClick={() => void state.deleteSelected()} />
        </>
      ) : null}
      <Tool label={t('refresh')} icon={IconRefresh} onClick={() => void state.refresh()} />
      {schema ? <ColumnMenu schema={schema} columns={columns} /> : null}
      {schema ? <ApiButton state={state} schema={schema} columns={columns} /> : null}
      {fullTableAddress ? (
        <Button
          component={Link}
          to={fullTableAddress}
          variant="subtle"
          size="xs"
          rightSection={<IconArrowUpRight className={classes.tinyIcon} aria-hidden />}
        >
          {t('child.whole')}
        </Button>
      ) : null}
      {canCreate ? (
        <Button
          component={Link}
          to={state.newRecordLocation}
          size="xs"
          leftSection={<IconPlus className={classes.smallIcon} aria-hidden />}
        >
          {t('create')}
        </Button>
      ) : null}
    </>
  );
}
