import type { FormErrors, UseFormReturnType } from '@mantine/form';
import type { EditorSource, FormValues } from '../source.ts';
import type { Conflicts } from './use-conflicts.ts';
import type { Version } from './use-version.ts';
import type { WriteState } from './use-write-state.ts';

/** The form of an editor, and what belongs to it. */
export interface EditedForm<F extends FormValues> {
  source: EditorSource<F>;
  form: UseFormReturnType<F>;
  /** What inputs find wrong by themselves, by path. */
  inputProblems: ReadonlyMap<string, string>;
  name: string;
  canSave: boolean;
  /** Shows what is wrong beside the fields, and leads there. */
  showErrors: (errors: FormErrors) => void;
  /** Goes away without asking, back to the list or to an address. */
  leave: (to?: string) => void;
  /** Lets someone go on to where they were going, without asking. */
  letGo: () => void;
}

/** What saving and deleting have in common. */
export interface WriteContext<F extends FormValues> extends EditedForm<F> {
  writeState: WriteState;
  version: Version<F>;
  conflicts: Conflicts;
  /** Runs when what was typed is stored: what was read of the resource is old then. */
  markStored: () => void;
}
