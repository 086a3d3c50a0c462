// Asking for a new key, from anywhere; the dialog stands once, around everything.
import type { ApiKeyAnswer } from '@sluice/contract';
import { createStore } from '../../ui/store.ts';
import type { KeyPurpose } from './key-form.ts';

/** What the dialog begins with. */
export interface KeyPreset {
  /** Absent: a program. */
  purpose?: KeyPurpose | undefined;
  service?: string | undefined;
  table?: string | undefined;
}

interface KeyRequest extends KeyPreset {
  answer: (created: ApiKeyAnswer | null) => void;
}

export const keyRequest = createStore<KeyRequest | null>(null);

/** Closes the dialog, with the key that was made or without one. */
export const closeCreateKey = (created: ApiKeyAnswer | null = null): void => {
  keyRequest.get()?.answer(created);
  keyRequest.set(null);
};

/** Opens "Create API key"; the key that was made once the dialog is closed, or null. */
export const openCreateKey = (preset: KeyPreset = {}): Promise<ApiKeyAnswer | null> =>
  new Promise((answer) => {
    closeCreateKey();
    keyRequest.set({ ...preset, answer });
  });
