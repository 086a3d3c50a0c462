// The pane of a table that is there: its field or its relation.

import { useTable } from '../address/sources.ts';
import { useClosePane, usePlace } from '../address/use-place.ts';
import { FieldPane } from '../field/field-pane.tsx';
import { RelationPane } from '../relation/relation-pane.tsx';

export function TablePanes({ service, table }: { service: string; table: string }) {
  const { pane } = usePlace();
  const close = useClosePane();
  const { data } = useTable(service, table);
  if (!pane || !data) return null;
  const key = JSON.stringify([table, pane]);
  return pane.part === 'field' ? (
    <FieldPane key={key} service={service} table={data} name={pane.name} onClose={close} />
  ) : (
    <RelationPane key={key} service={service} table={data} name={pane.name} onClose={close} />
  );
}
