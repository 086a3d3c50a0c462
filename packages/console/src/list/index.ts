// Lists: what every list screen does (state in the address, paging, filter, selection, deleting) and how it looks.
// A screen provides what is particular to it; a screen with another look uses `useListController` alone.

export { ActiveCell, activeColumn, switchActive } from './active.tsx';
export { type Column, cellText, column, idColumn, type Row } from './column.tsx';
export { FormatMenu } from './export-menu.tsx';
export { exportRecords } from './export-records.ts';
export { findRecords } from './find-records.ts';
export { allOf, prefetchList, resourceKey } from './list-query.ts';
export { useFocusKept, whenFocusIsFree } from './list-return.ts';
export { ListScreen, type ListScreenProps } from './list-screen.tsx';
export * from './list-state.ts';
export { isForbidden, type PermissionTexts, useForbidden } from './permission.ts';
export { rowLink, useRowKeys } from './row-keys.ts';
export type { RowAction } from './row-menu.tsx';
export { useRowOpener } from './row-opener.ts';
export { emptySelection, type Id, keepVisible, type Selection, toggle, toggleAll } from './selection.ts';
export { Tick } from './tick.tsx';
export { ListToolbar } from './toolbar.tsx';
export { useAddress } from './use-address.ts';
export { useFilterText } from './use-filter-text.ts';
export { type DeleteQuery, type ListController, type ListSource, useListController } from './use-list-controller.ts';
export { useRenderedRows } from './use-rendered-rows.ts';
