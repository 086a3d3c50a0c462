// When someone else was first: three versions of a record side by side, as they are shown. differences.ts compares, conflict-dialog.tsx asks.
import { secretMask } from '@sluice/contract';
import type { Row } from '../../list/index.ts';
import type { EditorSource, FormValues } from '../source.ts';
import { compareForms, type Difference } from './differences.ts';

/** A difference as it is shown: secrets masked, with the name its field has on the page. */
export interface ShownDifference extends Difference {
  label: string;
  shownMine: unknown;
}

/** What stands between an editor and its save or deletion. */
export interface Conflict {
  action: 'save' | 'delete';
  /** The record as someone else stored it; null when they deleted it. */
  theirs: Row | null;
  differences: ShownDifference[];
  /** Writes once more, on top of theirs. */
  retry: () => Promise<void>;
}

/** A form as it is compared: itself, unless its screen keeps parts of the record out of it. */
export const toComparable = <F extends FormValues>(source: EditorSource<F>, form: F, record: Row): FormValues =>
  source.toComparable?.(form, record) ?? form;

/** What differs between the form as it was loaded, the form as typed and theirs, ready to be shown. */
export function describeDifferences<F extends FormValues>(
  source: EditorSource<F>,
  base: { form: F; record: Row },
  mine: F,
  theirs: { form: F; record: Row },
): ShownDifference[] {
  const draft = source.toDraft?.(mine);
  const values = draft === undefined ? mine : source.toComparable ? { ...mine, ...draft } : draft;
  const shown = toComparable(source, values as F, base.record);
  const labels = labelsOnPage();
  const differences = compareForms(
    toComparable(source, base.form, base.record),
    toComparable(source, mine, base.record),
    toComparable(source, theirs.form, theirs.record),
  );
  return differences.map((difference) => ({
    ...difference,
    label: source.labels?.[difference.field] ?? labels.get(difference.field) ?? labelFromName(difference.path.at(-1)),
    shownMine: shownValue(difference, valueAt(shown, difference.path)),
  }));
}

/** What a draft would not keep is not shown either. */
const shownValue = ({ field, mine }: Difference, shown: unknown): unknown =>
  typeof mine === 'string' && mine !== '' && (shown === undefined || secretName.test(field)) ? secretMask : shown;
const secretName = /password|passphrase|secret|private_key|token|security_answer/i;

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (part as FormValues | null | undefined)?.[name], value);

/** The words beside the inputs of the part that is shown, by name. */
const labelsOnPage = (): Map<string, string> =>
  new Map(
    [...document.querySelectorAll<HTMLInputElement>('main form [name], form [name]')].map((input) => [
      input.name,
      (input.labels?.[0]?.textContent ?? input.name).replace(/\s*\*$/, ''),
    ]),
  );

/** `first_name` as words, where nothing on the page names it. */
const labelFromName = (name = ''): string => {
  const readableName = name.replace(/_by_\w+$/, '').replaceAll('_', ' ');
  return readableName.charAt(0).toUpperCase() + readableName.slice(1);
};
