// Somebody changed a record after it was loaded: asks what of both changes is to stay, as editors of system records do.
import { type Conflict, type ConflictChoice, compareForms, type Difference } from '../../../editor/index.ts';
import { createStore } from '../../../ui/index.ts';
import { keyOf } from '../address/grid-state.ts';
import type { Row, Schema } from '../address/sources.ts';
import { isDirty, toDraft } from '../values/values.ts';
import type { RecordEdit } from './edits.ts';
import { readStored } from './loaded.ts';

/** What the dialog answers: the choices for a save, `delete` to delete all the same; null keeps everything as it is. */
type Answer = Readonly<Record<string, ConflictChoice>> | 'delete' | null;

export interface StaleQuestion {
  conflict: Omit<Conflict, 'retry'>;
  schema: Schema;
  /** What the record is called. */
  name: string;
  answer: (answer: Answer) => void;
}

export const staleQuestion = createStore<StaleQuestion | null>(null);

const ask = (question: Omit<StaleQuestion, 'answer'>): Promise<Answer> =>
  new Promise((resolve) => {
    staleQuestion.set({
      ...question,
      answer: (answer) => {
        staleQuestion.set(null);
        resolve(answer);
      },
    });
  });

/**
 * The edit on top of what is stored now; `kept` when the person wants to think about it, `gone` when the record
 * is, `unclear` when nothing differs that one could see.
 */
export async function mergeStale(path: string, schema: Schema, edit: RecordEdit, changes: Row) {
  const { original } = edit;
  const theirs = await readStored(path, schema, original);
  if (!theirs) return 'gone';
  if (isSame(original, theirs)) return 'unclear';
  const differences = compareForms(original, { ...original, ...changes }, theirs);
  const isOnlyMine = differences.every(({ changedBy }) => changedBy === 'me');
  const answer = isOnlyMine ? {} : await ask(questionOf('save', schema, original, theirs, differences));
  return answer === null || answer === 'delete' ? 'kept' : rebaseEdit(edit, theirs, differences, answer);
}

/** The record as it is stored now where it is to be deleted all the same, else null. */
export async function confirmStaleDelete(path: string, schema: Schema, row: Row): Promise<Row | null> {
  const theirs = await readStored(path, schema, row);
  if (!theirs || isSame(row, theirs)) return null;
  const differences = compareForms(row, row, theirs);
  const isSure = differences.length === 0 || (await ask(questionOf('delete', schema, row, theirs, differences)));
  return isSure ? theirs : null;
}

/** Trying again would be refused again. */
const isSame = (a: Row, b: Row): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What is kept as mine, on top of theirs. Pure. */
export function rebaseEdit(
  { key, drafts }: RecordEdit,
  theirs: Row,
  differences: readonly Difference[],
  choices: Readonly<Record<string, ConflictChoice>>,
): RecordEdit {
  const isMine = (name: string) => {
    const difference = differences.find(({ field }) => field === name);
    // Where both have the same value now, nothing differs any more.
    if (!difference) return false;
    return difference.changedBy === 'me' || (difference.changedBy === 'both' && choices[name] !== 'theirs');
  };
  const kept = Object.fromEntries(Object.entries(drafts).filter(([name]) => isMine(name)));
  return { key, original: theirs, drafts: kept, errors: {} };
}

/** Whether a merged edit still has something to save. */
export const hasChanges = ({ original, drafts }: RecordEdit): boolean => isDirty(original, drafts);

const questionOf = (
  action: Conflict['action'],
  schema: Schema,
  base: Row,
  theirs: Row,
  differences: readonly Difference[],
): Omit<StaleQuestion, 'answer'> => ({
  schema,
  name: recordName(schema, base),
  conflict: {
    action,
    theirs,
    differences: differences.map((difference) => ({
      ...difference,
      label: schema.field.find(({ name }) => name === difference.field)?.label || difference.field,
      shownMine: difference.mine,
    })),
  },
});

/** Its table and key; beside them the text that names it, where the table has one. */
function recordName(schema: Schema, row: Row): string {
  const key = `${schema.label || schema.name} ${(keyOf(schema, row) ?? []).join(' / ')}`;
  const name = schema.name_field ? toDraft(row[schema.name_field]) : null;
  return name ? `${key} (${name})` : key;
}
