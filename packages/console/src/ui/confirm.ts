import type { ReactNode } from 'react';
import { createStore } from './store.ts';

export interface ConfirmOptions {
  /** The question, which is the head of the dialog; the documents' texts stay word for word. */
  message: string;
  /** What it touches, under the question. */
  impact?: string | undefined;
  /** More about it. The dialog is outside the router: links are plain ones. */
  details?: ReactNode;
  /** Something is lost by it: red button, and Cancel has the focus. */
  danger?: boolean;
  /** A name to type before the button works. */
  typeToConfirm?: string;
  confirmLabel?: string;
  cancelLabel?: string;
}

/** `save` is offered by questions about unsaved changes only. */
export type Answer = 'yes' | 'no' | 'save';

export interface ConfirmQuestion extends ConfirmOptions {
  /** The button that saves first; absent where there is nothing to save. */
  saveLabel?: string | undefined;
  answer: (answer: Answer) => void;
}

export const question = createStore<ConfirmQuestion | null>(null);

/** Asks; Escape, the mask and Cancel mean no. A second question while one is open answers the first with no. */
export const ask = (options: Omit<ConfirmQuestion, 'answer'>): Promise<Answer> =>
  new Promise((answer) => {
    question.get()?.answer('no');
    question.set({ ...options, answer });
  });

/** Asks before doing something, as `ask` does. */
export const confirm = async (options: ConfirmOptions): Promise<boolean> => (await ask(options)) === 'yes';
