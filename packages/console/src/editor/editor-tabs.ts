import type { PageTab } from '../ui/index.ts';
import type { FormValues } from './source.ts';
import type { EditorController } from './use-editor-controller.ts';

/** A part of a form, which stands at an address of its own. */
export interface EditorTab extends PageTab {
  /** Whether a field stands there: what is wrong with it leads there. Names are those of the form's errors. */
  holds: (field: string) => boolean;
}

interface EditorTabsOptions<T extends string> {
  /** The first one stands at the editor's own address, the others below it. */
  tabs: readonly T[];
  labelOf: (tab: T) => string;
  /** The tab where a field stands; names of fields are those of the form's errors. */
  tabOf: (field: string) => T;
}

/** The parts of a large form as tabs, each with the number of its errors. */
export const editorTabs = <T extends string, F extends FormValues>(
  { address, form }: Pick<EditorController<F>, 'address' | 'form'>,
  { tabs, labelOf, tabOf }: EditorTabsOptions<T>,
): EditorTab[] =>
  tabs.map((tab, index) => {
    const holds = (field: string) => tabOf(field) === tab;
    const count = Object.keys(form.errors).filter(holds).length;
    return {
      label: count > 0 ? `${labelOf(tab)} (${count})` : labelOf(tab),
      to: index === 0 ? address : `${address}/${tab}`,
      end: true,
      holds,
    };
  });
