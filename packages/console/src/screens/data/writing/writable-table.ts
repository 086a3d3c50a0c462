import { text } from '../../../text/index.ts';
import { notify, type Store } from '../../../ui/index.ts';
import type { Row, Schema } from '../address/sources.ts';
import type { Drafts } from '../values/values.ts';
import type { Edits } from './edits.ts';

/** What writing needs of a table. */
export interface WritableTable {
  path: string;
  table: string;
  schema: Schema | undefined;
  store: Store<Edits>;
  /** Changes the store in a step that can be undone. */
  applyEdits: (next: Edits) => void;
  /** After it, no step can be undone. */
  clearHistory: () => void;
  /** What a new record starts with. */
  initialDrafts: Drafts;
  /** The selected records. */
  selectedRows: readonly Row[];
  reload: () => Promise<void>;
  /** Reads the records again after some were deleted. */
  afterDelete: (deletedCount: number) => Promise<void>;
  closePane: () => void;
}

export const notifyError = (error: unknown): void => notify.error(text('data:title'), error);
