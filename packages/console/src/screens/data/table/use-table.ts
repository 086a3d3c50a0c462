// One table on the screen: the state of its grid (use-grid-state), its records (use-records, use-row-nodes, and use-windows while one
// scrolls through all of it), the selected records (use-selection) and the visible columns (columns). Edits of records belong to
// writing/. Renders nothing.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pageAfterDelete } from '../../../list/index.ts';
import { type GridHost, pageHost } from '../address/grid-host.ts';
import { type GridState, keyText, tableAddress } from '../address/grid-state.ts';
import { tableQueryKey } from '../address/sources.ts';
import { usePendingEdits } from '../writing/use-pending-edits.ts';
import { useUnsavedEdits } from '../writing/use-unsaved-edits.ts';
import { useWrites } from '../writing/use-writes.ts';
import { useGridState } from './use-grid-state.ts';
import { useRecords } from './use-records.ts';
import { useRowNodes } from './use-row-nodes.ts';
import { useSelection } from './use-selection.ts';

/** Everything a table shows and does, on a page of its own or in the place `host` says. */
export function useTable(service: string, table: string, host: GridHost = pageHost(service, table)) {
  const client = useQueryClient();
  const { updateGridState, showsOtherRecords, correctPage, ...navigation } = useGridState(host);
  const { gridState, openRecord, closePane } = navigation;
  const { isPastLastPage, availableCount, rowAt, ...records } = useRecords(service, table, gridState, host);
  const { schema, rows, count, pages, pageSize, path } = records;
  const allPendingEdits = usePendingEdits(host);
  const { store, applyEdits, clearHistory, allEdits: _edits, ...pendingEdits } = allPendingEdits;
  const rowNodes = useRowNodes({ schema, availableCount, rowAt, newRows: pendingEdits.newRows });
  useEffect(() => {
    if (isPastLastPage) correctPage(pages);
  }, [isPastLastPage, pages, correctPage]);
  const { selectedRows, ...selection } = useSelection(schema, rows, records.isContinuous);

  const reload = () => client.invalidateQueries({ queryKey: tableQueryKey(service, table) });
  const { initialDrafts } = host;
  const { saveToLeave, ...writes } = useWrites({
    path,
    table,
    schema,
    store,
    applyEdits,
    clearHistory,
    initialDrafts,
    selectedRows,
    reload,
    afterDelete: async (deletedCount) => {
      selection.clearSelection();
      const page = pageAfterDelete(gridState.page, count - deletedCount, pageSize);
      await reload();
      if (page !== gridState.page) correctPage(page);
    },
    closePane,
  });

  const { settleEdits, draft } = useUnsavedEdits({
    service,
    table,
    schema,
    host,
    pendingEdits: allPendingEdits,
    saveToLeave,
  });

  return {
    service,
    table,
    home: tableAddress(service, table),
    /** What a new record starts with. */
    initialDrafts,
    /** A table without a key is read-only: nothing would name the record to write. */
    hasKey: (schema?.primary_key.length ?? 0) > 0,
    ...navigation,
    ...records,
    ...rowNodes,
    ...selection,
    ...pendingEdits,
    ...writes,
    draft,
    /** Opens a record with what is wrong in it, where the list cannot show that: a hidden column, a card. */
    openWrongRecord: () => {
      const wrongEdit = pendingEdits.dirtyEdits.find(({ errors }) => Object.keys(errors).length > 0);
      if (wrongEdit) openRecord(wrongEdit.key);
    },
    /** Whether the open pane shows something wrong itself. */
    isPaneWrong:
      navigation.pane === 'new'
        ? Object.keys(pendingEdits.newRecord?.errors ?? {}).length > 0
        : pendingEdits.dirtyEdits.some(
            ({ key, errors }) => keyText(key) === navigation.openKey && Object.keys(errors).length > 0,
          ),
    goToPage: (page: number) => updateGridState({ page: Math.min(pages, Math.max(1, page)) }),
    /** Applies the filters and the order of a saved view; false when someone stays with unsaved edits. */
    applyView: async (next: Pick<GridState, 'filters' | 'order'>): Promise<boolean> => {
      const isLoss = pendingEdits.isUnsaved && showsOtherRecords(next);
      if (isLoss && !(await settleEdits('all'))) return false;
      updateGridState(next);
      return true;
    },
    /** Reads again. Unsaved edits would be compared with other values, so they are saved or discarded first (TBL-016). */
    refresh: async () => {
      if (!(await settleEdits('grid'))) return;
      await reload();
    },
  };
}

export type TableState = ReturnType<typeof useTable>;
