import { text } from '../../../text/index.ts';
import { missingParts, type RelationDraft } from '../draft/relation.ts';

/** A relation in words: 'Each todo record has one team record, the one whose id is its team_id.' */
export function relationSentence(draft: RelationDraft, table: string): string {
  const { type, ref_table: ref, junction_table: junction } = draft;
  if (type === null || ref === null || missingParts(draft).size > 0) return text('schema:relation.sentence.open');
  const and = (clauses: string[]) => clauses.join(text('schema:relation.sentence.and'));
  if (type === 'many_many' && junction !== null) {
    const link = (far: string[], near: string[], to: string) =>
      far.map((field, index) =>
        text('schema:relation.sentence.link', { far: field, near: near[index] ?? '', table: to }),
      );
    const clauses = and([
      ...link(draft.junction_field, draft.field, table),
      ...link(draft.junction_ref_field, draft.ref_field, ref),
    ]);
    return text('schema:relation.sentence.many_many', { table, ref, junction, clauses });
  }
  const clauses = and(
    draft.ref_field.map((far, index) => {
      const near = draft.field[index] ?? '';
      return text(type === 'has_many' ? 'schema:relation.sentence.whoseMany' : 'schema:relation.sentence.whose', {
        far,
        near,
      });
    }),
  );
  return text(`schema:relation.sentence.${type}`, { table, ref, clauses });
}
