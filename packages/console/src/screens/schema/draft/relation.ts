// A relation as it is edited: what a new one begins with, what is missing of it, the name it gets, and what is sent.
import type { RelationDescription, RelationKind } from '@sluice/contract';
import { schemaPath } from '../address/sources.ts';
import type { SchemaWrite } from '../address/write.ts';

/** The parts that name fields: those of the table, of the one it leads to, and of the one in between. */
export type FieldsPart = 'field' | 'ref_field' | 'junction_field' | 'junction_ref_field';

/**
 * A relation in a form: texts are empty in place of null, and fields are lists, with an empty text for one that is not chosen.
 * A service of null is that of the table.
 */
export interface RelationDraft extends Record<FieldsPart, string[]> {
  alias: string;
  /** Empty: the label the server makes of the name. */
  label: string;
  description: string;
  always_fetch: boolean;
  type: RelationKind | null;
  ref_service_id: number | null;
  ref_table: string | null;
  junction_service_id: number | null;
  junction_table: string | null;
}

/** What can be missing of a relation. */
export type RequiredPart = 'type' | 'ref_table' | 'junction_table' | FieldsPart;

/** What a new relation begins with (OPEN-174). */
export const newRelation = (): RelationDraft => ({
  alias: '',
  label: '',
  description: '',
  always_fetch: false,
  type: null,
  field: [''],
  ref_service_id: null,
  ref_table: null,
  ref_field: [''],
  junction_service_id: null,
  junction_table: null,
  junction_field: [''],
  junction_ref_field: [''],
});

/** A relation as the server described it, in a form. */
export const relationDraft = (relation: RelationDescription): RelationDraft => ({
  alias: relation.alias ?? '',
  label: relation.label === labelOf(relation.name) ? '' : relation.label,
  description: relation.description ?? '',
  always_fetch: relation.always_fetch,
  type: relation.type,
  field: splitFields(relation.field),
  ref_service_id: relation.ref_service_id,
  ref_table: relation.ref_table,
  ref_field: splitFields(relation.ref_field),
  junction_service_id: relation.junction_service_id,
  junction_table: relation.junction_table,
  junction_field: splitFields(relation.junction_field),
  junction_ref_field: splitFields(relation.junction_ref_field),
});

const splitFields = (list: string | null): string[] => (list ?? '').split(',');

/** The label a server makes of a name (contract/database-schema.md §2). */
export const labelOf = (name: string): string =>
  name.replaceAll('_', ' ').replace(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());

/** The lists that are joined, each field of one with that at the same place of the other. */
export const pairsOf = (type: RelationKind | null): [FieldsPart, FieldsPart][] =>
  type === 'many_many'
    ? [
        ['field', 'junction_field'],
        ['junction_ref_field', 'ref_field'],
      ]
    : [['field', 'ref_field']];

/** A draft whose paired lists are equally long. */
export function withEqualLengths(draft: RelationDraft): RelationDraft {
  const padded = { ...draft };
  for (const [one, other] of pairsOf(draft.type)) {
    const length = Math.max(draft[one].length, draft[other].length);
    for (const part of [one, other]) padded[part] = Array.from({ length }, (_, index) => draft[part][index] ?? '');
  }
  return padded;
}

export const isBlankList = (fields: readonly string[]): boolean => fields.every((name) => name === '');

/** What still has to be chosen before a virtual relation can be saved (SCH-020). */
export function missingParts(draft: RelationDraft): Set<RequiredPart> {
  const missing = new Set<RequiredPart>();
  if (draft.type === null) missing.add('type');
  if (draft.ref_table === null) missing.add('ref_table');
  if (draft.type === 'many_many' && draft.junction_table === null) missing.add('junction_table');
  for (const part of pairsOf(draft.type).flat()) if (draft[part].includes('')) missing.add(part);
  return missing;
}

/**
 * The name the server makes of what a virtual relation joins (contract/database-tables.md §6.1); null while that is not known.
 * `otherService` is the name of the service it leads to when that is another one.
 */
export function relationNameOf(draft: RelationDraft, otherService: string | null): string | null {
  const { type, ref_table: refTable } = draft;
  if (type === null || refTable === null) return null;
  const fields = type === 'belongs_to' ? draft.field : draft.ref_field;
  const joinedBy = type === 'many_many' ? (draft.junction_table ?? '') : fields.includes('') ? '' : fields.join('_');
  if (joinedBy === '') return null;
  return `${otherService === null ? '' : `${otherService}.`}${refTable}_by_${joinedBy}`;
}

/** A relation as it is sent; `original` is null for a new one. Of one by a foreign key only what is said of it changes. */
export function relationToSend(draft: RelationDraft, original: RelationDescription | null, serviceId: number) {
  const isThrough = draft.type === 'many_many';
  const fieldsOf = (part: FieldsPart) => draft[part].join(',');
  const ends = {
    type: draft.type,
    field: fieldsOf('field'),
    ref_service_id: draft.ref_service_id ?? serviceId,
    ref_table: draft.ref_table,
    ref_field: fieldsOf('ref_field'),
    junction_service_id: isThrough ? (draft.junction_service_id ?? serviceId) : null,
    junction_table: isThrough ? draft.junction_table : null,
    junction_field: isThrough ? fieldsOf('junction_field') : null,
    junction_ref_field: isThrough ? fieldsOf('junction_ref_field') : null,
  };
  return {
    ...(original ?? { name: null, is_virtual: true }),
    ...(original?.is_virtual === false ? {} : ends),
    alias: draft.alias.trim() || null,
    label: draft.label.trim() || null,
    description: draft.description.trim() || null,
    always_fetch: draft.always_fetch,
  };
}

/** A new relation as it is sent (SCH-035, C-SCH-14). */
export const createRelationWrite = (table: string, relation: object): SchemaWrite => ({
  verb: 'POST',
  path: schemaPath(table, '_related'),
  body: { resource: [relation] },
});

/** A relation that is there, as it is sent (SCH-036, C-SCH-15). The server replaces one that now joins something else. */
export const changeRelationWrite = (table: string, relation: object): SchemaWrite => ({
  verb: 'PATCH',
  path: schemaPath(table, '_related'),
  body: { resource: [relation] },
});

/** SCH-038, C-SCH-17. */
export const deleteRelationWrite = (table: string, name: string): SchemaWrite => ({
  verb: 'DELETE',
  path: schemaPath(table, '_related', name),
});
