import { useState } from 'react';

/** Whether an editor writes just now, and why its last write failed. */
export function useWriteState() {
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  /** Runs a write, during which the editor holds still. */
  const run = async <T>(write: () => Promise<T>): Promise<T> => {
    setSaving(true);
    setFailure(null);
    try {
      return await write();
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, failure, setFailure, run };
}

export type WriteState = ReturnType<typeof useWriteState>;
