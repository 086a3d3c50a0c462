import type { ReactNode } from 'react';
import { createStore } from './store.ts';

export interface ConfirmOptions {
  /** Head of the dialog; "Please confirm" when absent. */
  title?: string;
  /** The question; the documents' texts stay word for word. */
  message: string;
  /** What it touches, on a second line. */
  impact?: string;
  /** More about it, under the question. The dialog is outside the router: links are plain ones. */
  details?: ReactNode;
  /** Can't be undone: red button, and Cancel has the focus. */
  danger?: boolean;
  /** A name to type before the button works. */
  typeToConfirm?: string;
  confirmLabel?: string;
  cancelLabel?: string;
}

export interface ConfirmQuestion extends ConfirmOptions {
  answer: (isYes: boolean) => void;
}

export const question = createStore<ConfirmQuestion | null>(null);

/** Asks before doing something; Escape, the mask and Cancel mean no. A second question while one is open answers the first with no. */
export const confirm = (options: ConfirmOptions): Promise<boolean> =>
  new Promise((answer) => {
    question.get()?.answer(false);
    question.set({ ...options, answer });
  });
