// What a relation probably joins, judged by keys, foreign keys and names. Pure.
import type { FieldDescription, TableDescription } from '@sluice/contract';
import { type FieldsPart, isBlankList, type RelationDraft } from '../draft/relation.ts';

/** The names a field may call a table by: `categories` is `category` there, `app.boxes` is `box`. */
function wordsFor(table: string): string[] {
  const word = table.toLowerCase().split('.').at(-1) ?? '';
  return [word, word.replace(/ies$/, 'y'), word.replace(/es$/, ''), word.replace(/s$/, '')];
}

/** Whether a field is called like the key of a table: `team_id`, `teamId`. */
const isNamedAfter = (field: string, table: string): boolean => {
  const [, word] = /^(.+?)_?id$/.exec(field.toLowerCase()) ?? [];
  return word !== undefined && wordsFor(table).includes(word);
};

/** The field that seems to hold the key of a table: the one foreign key to it, else one of such a name. */
function keyFieldTo(fields: readonly FieldDescription[], table: string): string {
  const declared = fields.filter(({ ref_table }) => ref_table === table);
  const found = declared.length === 1 ? declared[0] : fields.find(({ name }) => isNamedAfter(name, table));
  return found?.name ?? '';
}

/** The tables a relation leads to and through, as far as they are known. */
export interface Ends {
  ref?: TableDescription | undefined;
  junction?: TableDescription | undefined;
}

/** The fields a relation probably joins, read as a belongs_to while its type is open. What nothing is known of is absent. */
export function likelyFields(
  { type, ref_table, junction_table }: RelationDraft,
  own: TableDescription,
  { ref, junction }: Ends,
): Partial<Record<FieldsPart, string[]>> {
  const likely: Partial<Record<FieldsPart, string[]>> = {};
  const propose = (part: FieldsPart, fields: string[]) => {
    if (!isBlankList(fields)) likely[part] = fields;
  };
  if (ref && ref.name === ref_table) {
    if (type === 'has_one' || type === 'has_many') {
      propose('field', own.primary_key.slice(0, 1));
      propose('ref_field', [keyFieldTo(ref.field, own.name)]);
    } else {
      propose('ref_field', type === 'many_many' ? ref.primary_key.slice(0, 1) : ref.primary_key);
      propose('field', type === 'many_many' ? own.primary_key.slice(0, 1) : [keyFieldTo(own.field, ref.name)]);
    }
  }
  if (type === 'many_many' && junction && junction.name === junction_table) {
    propose('junction_field', [keyFieldTo(junction.field, own.name)]);
    if (ref_table !== null) propose('junction_ref_field', [keyFieldTo(junction.field, ref_table)]);
  }
  return likely;
}

/** A field that seems to hold the key of a table without a relation saying so. */
export interface Suggestion {
  field: string;
  table: string;
}

export function suggestionsFor(own: TableDescription, tables: readonly string[]): Suggestion[] {
  const joined = new Set(own.related.flatMap(({ type, field }) => (type === 'belongs_to' ? [field] : [])));
  return own.field.flatMap(({ name, is_foreign_key: isForeignKey, is_virtual: isVirtual }) => {
    const table = tables.find((candidate) => isNamedAfter(name, candidate));
    return table === undefined || isForeignKey || isVirtual || joined.has(name) ? [] : [{ field: name, table }];
  });
}

const numbers = /^(id|integer|bigint|reference|float|double|decimal|money|user_id.*)$/;
const texts = /^(string|text|uuid)$/;
const moments = /^(datetime|timestamp)/;
const kindOf = (type: string): string =>
  numbers.test(type) ? 'number' : texts.test(type) ? 'text' : moments.test(type) ? 'moment' : type.replace(/tz$/, '');

/** Whether values of two fields can be equal, by their simple types. */
export const canMatch = (one: FieldDescription, other: FieldDescription): boolean =>
  kindOf(one.type) === kindOf(other.type);
