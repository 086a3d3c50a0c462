import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { RelationDescription } from '@sluice/contract';
import { IconArrowUpRight, IconDeviceFloppy, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { useText } from '../../../text/index.ts';
import classes from '../look/look.module.css';
import { tableAddress } from '../place/place.ts';
import { pageHost } from '../place/site.ts';
import { systemService } from '../place/sources.ts';
import { NewRecordPane, RecordPane } from '../record/record-pane.tsx';
import { childHost, initialDraftsOf, parentFilter, splitColumns } from '../record/related.ts';
import { Records } from '../records/records.tsx';
import type { Target } from '../reference/target.ts';
import { type Columns, useColumns } from '../table/columns.ts';
import { type TableState, useTable } from '../table/use-table.ts';
import { ActingBar } from '../toolbar/acting-bar.tsx';
import { ColumnMenu } from '../toolbar/column-menu.tsx';
import { Pager } from '../toolbar/pager.tsx';
import { Tool } from '../toolbar/tool.tsx';
import { ChildPanel, type Parent } from './child-panel.tsx';

interface ChildTableProps {
  parent: Parent;
  relation: RelationDescription;
  /** Where the records are. */
  place: Pick<Target, 'service' | 'table'>;
  /** The parent's values that they hold. */
  values: readonly string[];
  choice: ReactNode;
  frame: (below: ReactNode) => ReactNode;
}

/** The records that refer to one record, as a table of their own (TBL-029, TBL-043, C-DAT-09). */
export function ChildTable({ parent, relation, place, values, choice, frame }: ChildTableProps) {
  const { service, table } = place;
  const t = useText('data');
  const { state: above, schema: parentSchema, key } = parent;
  const names = splitColumns(relation.ref_field);
  const within = parentFilter(parentSchema, relation, names, values);
  const site = childHost(
    pageHost(above.service, above.table),
    key,
    relation.name,
    within,
    initialDraftsOf(names, values),
  );
  const state = useTable(service, table, site);
  const columns = useColumns(service, table, state.schema);
  const focusRow = useRef<() => void>(() => {});
  const location = useLocation();
  const openKey = site.parse(location)?.params.getAll('key') ?? [];
  const { schema, pane } = state;
  const label = schema?.label || table;
  useHotkeys([['mod+S', () => pane === null && void state.saveAll()]], ['INPUT', 'TEXTAREA', 'SELECT']);
  const close = () => {
    state.closePane();
    focusRow.current();
  };
  const whole =
    service === systemService ? null : `${tableAddress(service, table)}?${new URLSearchParams({ filter: within })}`;
  const canCreate = state.hasKey && !(relation.type === 'has_one' && state.count > 0);
  return (
    <>
      {frame(
        <ChildPanel
          title={relation.label || relation.name}
          isVirtual={relation.is_virtual}
          choice={choice}
          tools={<Tools state={state} columns={columns} whole={whole} canCreate={canCreate} />}
        >
          <Records
            state={state}
            columns={columns}
            label={label}
            focusRow={focusRow}
            emptyText={t('child.noneYet', { table: label })}
          />
          <ActingBar state={state} />
        </ChildPanel>,
      )}
      {schema && pane === 'record' && openKey.length > 0 ? (
        <RecordPane key={JSON.stringify(openKey)} state={state} schema={schema} recordKey={openKey} onClose={close} />
      ) : null}
      {schema && pane === 'new' && canCreate ? <NewRecordPane state={state} schema={schema} onClose={close} /> : null}
    </>
  );
}

interface ToolsProps {
  state: TableState;
  columns: Columns;
  /** The address of the whole table, filtered alike. */
  whole: string | null;
  canCreate: boolean;
}

function Tools({ state, columns, whole, canCreate }: ToolsProps) {
  const t = useText('data');
  const { schema, hasKey, isLoading, error } = state;
  return (
    <>
      {schema && !isLoading && !error ? <Pager state={state} /> : null}
      {schema && hasKey ? (
        <>
          <Tool label={t('save')} icon={IconDeviceFloppy} isExtra onClick={() => void state.saveAll()} />
          <Tool label={t('delete')} icon={IconTrash} isExtra onClick={() => void state.deleteSelected()} />
        </>
      ) : null}
      <Tool label={t('refresh')} icon={IconRefresh} onClick={() => void state.refresh()} />
      {schema ? <ColumnMenu schema={schema} columns={columns} /> : null}
      {whole ? (
        <Button
          component={Link}
          to={whole}
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
