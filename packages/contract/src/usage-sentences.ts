// What a plan says of the places that name a table or a field (docs/adr/0014): data, so that clients can tell it in other
// languages. Each sentence has an id, and {{blanks}}. Ids are never renamed.

export const usageSentences = {
  more: 'There are more places than are listed.',
  rowOfAnyCase: "Row '{{component}}' is for every table of that name, in any letter case. It is not changed.",
  row: "Row '{{component}}' is for the table. After a drop it is for nothing, until there is a table of that name again.",
  rowByAlias:
    "Row '{{component}}' is for the table by its alias, which a rename does not change. After a drop it is for nothing, until there is a table of that name again.",
  rowOfPattern:
    "Row '{{component}}' is for all whose name begins so. It is not changed, whatever this table is called.",
  rowOfNewName: "Row '{{component}}' has the new name already: it is for this table from now on.",
  rowOfRelation:
    "Row '{{component}}' is for a relation by its name, which may be another after a rename. It is not changed.",
  rowOfField: "Row '{{component}}' is for the field. After a drop it is for nothing.",
  filter:
    "The record filter of row '{{component}}' goes by the field. After a drop, until the condition is taken out, calls that it is for are refused.",
  filterByAlias:
    "The record filter of row '{{component}}' goes by the field by its alias, which a rename does not change. After a drop, until the condition is taken out, calls that it is for are refused.",
  filterOfTables:
    "The record filter of row '{{component}}' goes by a field of that name in every table it is for. It is not changed: where the field has another name or is gone, until the condition is taken out, calls that it is for are refused.",
  saysOfTable: 'Says of the table: {{said}}.',
  saysOfNamedField: 'Says of the field {{field}}: {{said}}.',
  saysOfRelation: 'Says of the relation {{relation}}: {{said}}.',
  saysOfField: 'Says of the field: {{said}}.',
  namesRecords: 'Its values name the records of the table.',
  function:
    'The db_function of field {{field}} of table {{table}} has the name in its SQL, which is not changed: calls that use the field fail once the name is gone.',
  relationByField: 'The virtual relation {{relation}} of table {{table}} joins by the field.',
  relationOfTable: 'The virtual relation {{relation}} of table {{table}} joins the table.',
  foreignKey:
    'The foreign key of {{table}} ({{fields}}) leads here. It follows a rename; a drop goes by the rules of the database, most of which refuse it.',
} as const;

export type UsageSentenceId = keyof typeof usageSentences;

/** A sentence as data. */
export interface UsageSentence {
  id: UsageSentenceId;
  values: Record<string, string>;
}
