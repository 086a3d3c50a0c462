import { useState } from 'react';

/** Holds an editor still while it writes, and keeps why the last write failed. */
export function useHold() {
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const during = async (write: () => Promise<void>): Promise<void> => {
    setSaving(true);
    setFailure(null);
    try {
      await write();
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, failure, setFailure, during };
}

export type Hold = ReturnType<typeof useHold>;
