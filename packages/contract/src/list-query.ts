// The query parameters of lists, with their other spellings (contract/http-basics.md §10, contract/database-tables.md §2).

/** Parameter → accepted names, the first one being the documented one. */
export const listParameters = {
  fields: ['fields', 'select'],
  related: ['related'],
  filter: ['filter', 'where'],
  limit: ['limit', 'top'],
  offset: ['offset', 'skip'],
  after: ['after'],
  order: ['order', 'sort', 'order_by'],
  group: ['group', 'group_by'],
  ids: ['ids'],
  id_field: ['id_field'],
  include_count: ['include_count'],
  include_schema: ['include_schema'],
  count_only: ['count_only'],
  as_list: ['as_list'],
  continue: ['continue'],
  rollback: ['rollback'],
  force: ['force'],
  refresh: ['refresh'],
} as const;

export type ListParameter = keyof typeof listParameters;

const trueWords = new Set(['true', '1', 'yes', 'on', 'y', 't']);

/**
 * The contract's booleans: true/1/yes/on/y/t in any case; everything else is false. An object is never asked for its
 * text: it may have a `toString` of its own, that is none.
 */
export const truthy = (value: unknown): boolean =>
  value === true || (typeof value !== 'object' && trueWords.has(String(value).toLowerCase()));

/** How many records one batch may hold. */
export const batchLimit = 10_000;
/** How deep JSON, XML and filters may nest. */
export const nestingLimit = 100;

/**
 * `'a, b,'` → `['a', 'b']`. Reads no further than one part more than `limit`, by which a list is known to be too long: a
 * caller may send megabytes of commas; only callers with access get the error.
 */
export function splitList(text: string, limit = batchLimit): string[] {
  const parts: string[] = [];
  for (const [part] of text.matchAll(/[^,\s][^,]*/g)) if (parts.push(part.trimEnd()) > limit) break;
  return parts;
}
