// The rows of the form around, and how inputs change them.
import { useCallback, useMemo, useRef } from 'react';
import { useEditor } from '../../editor/index.ts';
import {
  type AccessChanges,
  type AccessRow,
  currentRows,
  incompleteFilters,
  putRow,
  removeRow,
  storedRows,
} from './access.ts';
import type { RoleForm } from './record.ts';

/** How rows are changed from inside; the same function for as long as the tab is shown. */
export type ChangeRows = (next: (changes: AccessChanges, stored: readonly AccessRow[]) => AccessChanges) => void;

export const rowUpdate =
  (row: AccessRow) =>
  (changes: AccessChanges, stored: readonly AccessRow[]): AccessChanges =>
    putRow(stored, changes, row);
export const rowRemoval =
  (key: string) =>
  (changes: AccessChanges): AccessChanges =>
    removeRow(changes, key);

/** The rows as they would be saved, and the way to change them. */
export function useRows(): { rows: readonly AccessRow[]; changeRows: ChangeRows } {
  const { form, record } = useEditor<RoleForm>();
  const { access } = form.values;
  const stored = useMemo(() => storedRows(record?.role_service_access_by_role_id), [record]);
  const rows = useMemo(() => currentRows(stored, access), [stored, access]);
  const latest = useRef({ form, stored });
  latest.current = { form, stored };
  const changeRows = useCallback<ChangeRows>((next) => {
    const { form, stored } = latest.current;
    const changes = next(form.getValues().access, stored);
    const { errors } = form;
    // One field set by name would copy the whole form at every key; all of it set at once clears what is wrong elsewhere.
    form.setValues({ access: changes });
    const incomplete = new Set(incompleteFilters(changes));
    form.setErrors(
      Object.fromEntries(Object.entries(errors).filter(([path]) => !path.startsWith('access') || incomplete.has(path))),
    );
  }, []);
  return { rows, changeRows };
}
