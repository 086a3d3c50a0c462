import type { QueryValue } from '../api/index.ts';
import type { DeleteQuery, Row } from '../list/index.ts';
import type { EditorTexts } from '../text/index.ts';

export type FormValues = Record<string, unknown>;

/** A screen's own text for a value of a field, or for one row of a list; undefined for the usual text. */
export type DescribeValue = (field: string, value: unknown) => string | undefined;

/** What an editor edits and how it is sent; its screen provides it. */
export interface EditorSource<F extends FormValues> {
  /** Records are at `system/{resource}`. */
  resource: string;
  related?: string;
  /**
   * Records are addressed by their names: where there is none, one is made at its own address, by a POST as changes are, and the
   * editor stays open (SCR-014, SCR-024).
   */
  isNamed?: boolean;
  /** Address of the section's list; the editor is at `{base}/{id}` or `{base}/create`. */
  base: string;
  /** Where closing leads to, for one that was not opened from a list; `base` when absent. */
  closeTo?: string;
  texts: EditorTexts;
  /** The form of a new record. */
  emptyForm: F;
  /** A loaded record as the form holds it; itself when absent. */
  toForm?: (record: Row) => F;
  /** The body of a save; the form itself when absent. */
  toRecord?: (form: F) => Row;
  /** What is wrong, by field name; runs before anything is sent. */
  validate?: (form: F) => Record<string, string>;
  /** The form's name of a field the server complains about; the same when absent. */
  fieldOf?: (serverField: string, form: F) => string;
  /** What the record is called; its `name` when absent. */
  nameOf?: (form: F) => string;
  /** The form without its secrets, to be kept as a draft. Without it no draft is kept. */
  toDraft?: (form: F) => Partial<F>;
  isDeletable?: (form: F) => boolean;
  /** Whether there is anything to save; if not, leaving asks nothing either. Always when absent. */
  canSave?: (form: F) => boolean;
  isReadOnly?: (form: F) => boolean;
  /** A save closes the editor of a stored record too (LIM-018). */
  closesOnSave?: boolean;
  /** Runs when a save found something wrong before anything was sent: messages by field. */
  onInvalid?: (errors: Record<string, unknown>) => void;
  /** Stands beside its list: a new record stays open once made (OPEN-083), and is dropped without a call (CFG-046). */
  inPane?: boolean;
  /** A warning about this record in the question before its deletion. */
  warning?: (form: F) => string | null | Promise<string | null>;
  /** More of the query that deletes; runs once the deletion was confirmed. */
  deleteQuery?: (form: F) => Promise<DeleteQuery>;
  /** More of the query that saves a new record: `send_invite` (C-PPL-02). */
  createQuery?: (form: F) => Record<string, QueryValue>;
  /** What a save says, where the words of the section do not name the record. */
  savedMessage?: (form: F) => string;
  /** Title of notices about writes that failed; that of other failed calls when absent. */
  noticeTitle?: string;
  /** Runs after a save, with the record the server answered. */
  onSaved?: (saved: Row) => void;
  /** Labels of fields in a conflict; those on the page when absent. */
  labels?: Readonly<Record<string, string>>;
  /** A text for a value that means little to a person: an id, a row of a list. */
  describeValue?: DescribeValue;
  /** Where the form leaves parts of the record out: form and record as one, to be compared, and back on top of a record. */
  toComparable?: (form: F, record: Row) => FormValues;
  fromComparable?: (comparable: FormValues, record: Row) => F;
}
