import type { UseFormReturnType } from '@mantine/form';
import type { EditorSource, FormValues } from '../source.ts';
import type { Hold } from './use-hold.ts';
import type { Meetings } from './use-meetings.ts';
import type { Version } from './use-version.ts';

/** What an editor tells of itself to be written. */
export interface Writable<F extends FormValues> {
  source: EditorSource<F>;
  form: UseFormReturnType<F>;
  name: string;
  canSave: boolean;
  /** Goes away without asking, back to the list or to an address. */
  leave: (to?: string) => void;
}

/** What saving and deleting have in common. */
export interface Writing<F extends FormValues> extends Writable<F> {
  hold: Hold;
  version: Version<F>;
  meetings: Meetings;
  /** What was typed is stored now, and what was read of the resource is old. */
  markStored: () => void;
}
