import { SegmentedControl } from '@mantine/core';
import { useText } from '../../../text/index.ts';
import { type TableView, tableViews } from '../address/addresses.ts';

interface ViewSwitchProps {
  view: TableView;
  /** Without it, all there are. */
  views?: readonly TableView[];
  onView: (view: TableView) => void;
}

/** How a table is shown: as a form, as JSON, drawn, or by its history. */
export function ViewSwitch({ view, views = tableViews, onView }: ViewSwitchProps) {
  const t = useText('schema');
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('table.views')}
      value={view}
      onChange={(next) => onView(next as TableView)}
      data={views.map((value) => ({ value, label: t(`table.view.${value}`) }))}
    />
  );
}
