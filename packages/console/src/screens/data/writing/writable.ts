import { text } from '../../../text/index.ts';
import { notify, type Store } from '../../../ui/index.ts';
import type { Row, Schema } from '../place/sources.ts';
import type { Drafts } from '../values/values.ts';
import type { Edits } from './edits.ts';

/** What a table tells of itself to be written. */
export interface Writable {
  path: string;
  table: string;
  schema: Schema | undefined;
  store: Store<Edits>;
  /** Changes the store by a step that can be undone. */
  act: (next: Edits) => void;
  /** After it, nothing can be undone. */
  forgetSteps: () => void;
  /** What a new record starts with. */
  given: Drafts;
  /** The records that are ticked. */
  chosen: readonly Row[];
  reread: () => Promise<void>;
  /** Reads again when so many records are gone. */
  afterDelete: (gone: number) => Promise<void>;
  /** Shows a record that was not sent, where what is wrong with it is not in sight. */
  open: (key: readonly string[]) => void;
  close: () => void;
}

export const fail = (error: unknown): void => notify.error(text('data:title'), error);
