// The words of a section: its list and its editor read them by the name of its area, so each area has them under the same
// keys. `people:user` is a part of an area; what the part does not say, the area does.
import type { Texts } from './en/index.ts';

/** What a list says. Generic words stand in for a key with a question mark. */
export interface ListTexts {
  /** 'Services': head of the page; notices and the permission message call the section so. */
  title: string;
  /** The two tabs: the list itself, and the editor of a new record. */
  manage: string;
  create: string;
  /** 'services', as in "Filter services". */
  things: string;
  empty: string;
  emptyHint: string;
  emptyAction: string;
  /** 'Delete selected services?' */
  deleteMany: string;
  /** What goes along with a deleted record, on the question's second line. */
  deleteImpact?: string;
  deleted: string;
  deletedMany: string;
  loadFailed?: string;
  /** Said when nothing matches the filter. */
  noMatch?: string;
}

/** What a list says that takes records in from a file. */
export interface ImportTexts extends ListTexts {
  /** 'Users imported successfully.' */
  imported: string;
}

/** What an editor says. Generic words stand in for a key with a question mark. */
export interface EditorTexts {
  title: string;
  /** 'Service', as in "Create Service". */
  thing: string;
  /** Without it the generic words call a saved record by its own name instead of its kind (APP-036). */
  saved?: string;
  updated?: string;
  deleted?: string;
  deleteImpact?: string;
}

type Parts<Area, Words> = {
  [P in keyof Area & string]: Area[P] extends { thing: string } ? (Area & Area[P] extends Words ? P : never) : never;
}[keyof Area & string];

type AreasWith<Words> = {
  [A in keyof Texts & string]: (Texts[A] extends Words ? A : never) | `${A}:${Parts<Texts[A], Words>}`;
}[keyof Texts & string];

/** The areas, and parts of areas, that a list may be given. */
export type ListArea = AreasWith<ListTexts>;
export type ImportArea = AreasWith<ImportTexts>;
export type EditorArea = AreasWith<EditorTexts>;
