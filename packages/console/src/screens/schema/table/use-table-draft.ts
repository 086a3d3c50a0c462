import { useMemo, useState } from 'react';
import { changesOf, tableFromJson, tableToJson } from '../draft/json.ts';
import type { TableDraft } from '../draft/table.ts';

/** What is typed: what differs in the form, and the JSON where that is shown. */
export interface TableTyped {
  changes: Partial<TableDraft>;
  json: string | null;
}

/** A table while it is edited, as a form and as JSON; what is not changed follows `base`. */
export function useTableDraft(base: TableDraft) {
  const [changes, setChanges] = useState<Partial<TableDraft>>({});
  /** What is typed in the JSON view; null while that shows the draft. */
  const [json, setJson] = useState<string | null>(null);
  const draft = useMemo(() => ({ ...base, ...changes }), [base, changes]);
  /** With what the JSON view says; null while that is no JSON. */
  const current = useMemo((): TableDraft | null => {
    if (json === null) return draft;
    const table = tableFromJson(json);
    return table && { ...base, ...changesOf(table, base) };
  }, [json, draft, base]);
  const currentChanges = useMemo(() => (current ? changesOf(current, base) : null), [current, base]);

  const typed = useMemo((): TableTyped => ({ changes, json }), [changes, json]);

  return {
    draft,
    current,
    /** What saving would send beside the name; null while the JSON is invalid. */
    changes: currentChanges,
    isDirty: currentChanges === null || Object.keys(currentChanges).length > 0,
    change: (part: Partial<TableDraft>) => setChanges((present) => changesOf({ ...base, ...present, ...part }, base)),
    json: json ?? tableToJson(draft),
    hasJson: json !== null,
    setJson,
    /** Takes the JSON over into the form, or back into shape; false when it is none. */
    applyJson: (): boolean => {
      if (!currentChanges) return false;
      setChanges(currentChanges);
      setJson(null);
      return true;
    },
    typed,
    restore: (earlier: TableTyped) => {
      setChanges(earlier.changes);
      setJson(earlier.json);
    },
    reset: () => {
      setChanges({});
      setJson(null);
    },
  };
}

export type TableDraftState = ReturnType<typeof useTableDraft>;
