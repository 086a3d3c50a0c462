import { IconCode } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useText } from '../../../../text/index.ts';
import type { Schema } from '../../address/sources.ts';
import type { Columns } from '../../table/columns.ts';
import type { TableState } from '../../table/use-table.ts';
import { Tool } from '../tool.tsx';
import { recordCall, recordsCall, type ShownCall } from './shown-call.ts';

const ApiDrawer = lazy(async () => ({ default: (await import('../../../../calls/drawer/api-drawer.tsx')).ApiDrawer }));

interface ApiButtonProps {
  state: TableState;
  schema: Schema;
  columns: Columns;
}

/** Opens the call for what is shown. */
export function ApiButton({ state, schema, columns }: ApiButtonProps) {
  const t = useText('calls');
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const { service, table, openKey } = state;
  const label = schema.label || table;
  return (
    <>
      <Tool label={t('drawer.open')} icon={IconCode} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      {isOpen === null ? null : (
        <Suspense>
          <ApiDrawer
            isOpen={isOpen}
            onClose={() => setOpen(false)}
            title={t(openKey ? 'drawer.titleRecord' : 'drawer.title', { table: label })}
            {...shownCall(state, schema, columns)}
            relations={schema.related.filter(({ name }) => !name.includes(','))}
            service={service}
            table={table}
          />
        </Suspense>
      )}
    </>
  );
}

function shownCall(state: TableState, schema: Schema, columns: Columns): ShownCall {
  const { path, filter, gridState, pageSize, openKey } = state;
  if (openKey) return recordCall(path, schema, JSON.parse(openKey));
  const { first, last } = state.visibleRange.get();
  const isPart = state.isContinuous && last >= first;
  return recordsCall({
    path,
    schema,
    filter,
    order: gridState.order,
    fields: columns.visible,
    limit: isPart ? last - first + 1 : pageSize,
    offset: isPart ? first : (gridState.page - 1) * pageSize,
  });
}
