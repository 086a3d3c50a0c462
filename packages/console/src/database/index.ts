// What the screens on databases share: the layout with its picker of tables, and the pane at the edge.

export { default as layout } from './layout.module.css';
export { default as serviceCardsClasses } from './service-cards.module.css';
export { ServiceCards } from './service-cards.tsx';
export { default as sidePaneClasses } from './side-pane.module.css';
export { SidePane } from './side-pane.tsx';
export { type DatabaseService, type TableSummary, useTableSummaries } from './sources.ts';
export { PhonePicker, TablePicker, type TablePickerProps } from './table-picker.tsx';
