import { text } from '../../../text/index.ts';
import { notify, type Store } from '../../../ui/index.ts';
import type { Row, Schema } from '../address/sources.ts';
import type { Drafts } from '../values/values.ts';
import type { Edits } from './edits.ts';

/** What a table tells of itself to be written. */
export interface WritableTable {
  path: string;
  table: string;
  schema: Schema | undefined;
  store: Store<Edits>;
  /** Changes the store by a step that can be undone. */
  applyEdits: (next: Edits) => void;
  /** After it, nothing can be undone. */
  clearHistory: () => void;
  /** What a new record starts with. */
  initialDrafts: Drafts;
  /** The records that are ticked. */
  selectedRows: readonly Row[];
  reload: () => Promise<void>;
  /** Reads again when so many records are gone. */
  afterDelete: (gone: number) => Promise<void>;
  /** Shows a record that was not sent, where what is wrong with it is not in sight. */
  showInvalid: (key: readonly string[]) => void;
  closePane: () => void;
}

export const notifyError = (error: unknown): void => notify.error(text('data:title'), error);
