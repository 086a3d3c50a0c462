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

/** As `splitList` for names: one in double quotes may hold commas, and blanks at its ends (`quotedStart` reads it). */
export function splitNames(text: string, limit = batchLimit): string[] {
  if (!text.includes('"')) return splitList(text, limit);
  const parts: string[] = [];
  for (let start = 0; start <= text.length && parts.length <= limit; ) {
    while (start < text.length && /\s/.test(text[start]!)) start += 1;
    const comma = text.indexOf(',', quotedEnd(text, start) ?? start);
    const end = comma < 0 ? text.length : comma;
    const part = text.slice(start, end).trimEnd();
    if (part !== '') parts.push(part);
    start = end + 1;
  }
  return parts;
}

/** Behind the name in double quotes that begins at a position. */
function quotedEnd(text: string, start: number): number | undefined {
  if (text[start] !== '"') return undefined;
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 2))
    if (text[quote + 1] !== '"') return quote + 1;
  return undefined;
}

/** A name in double quotes at the start of a text, with one quote for each doubled one, and what follows it. */
export function quotedStart(text: string): { name: string; rest: string } | undefined {
  const end = quotedEnd(text, 0);
  if (end === undefined) return undefined;
  return { name: text.slice(1, end - 1).replaceAll('""', '"'), rest: text.slice(end) };
}

/** A list without its quoted names: what is forbidden in it may stand in names. */
export const withoutQuotedNames = (text: string): string =>
  text.includes('"')
    ? splitNames(text)
        .map((part) => quotedStart(part)?.rest ?? part)
        .join(',')
    : text;

/** A name as lists, orders and filters take it, whatever it holds. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A name as a parameter takes it: in quotes only where it holds more than letters, digits and `_`, or is a word of the filter language. */
export const parameterName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !filterWords.has(name.toLowerCase()) ? name : quoteName(name);

const filterWords = new Set([
  'and',
  'or',
  'not',
  'nand',
  'nor',
  'xor',
  'in',
  'is',
  'like',
  'between',
  'null',
  'true',
  'false',
]);

/**
 * `'a, b,'` → `['a', 'b']`. Reads no further than one part more than `limit`, by which a list is known to be too long: a
 * caller may send megabytes of commas; only callers with access get the error.
 */
export function splitList(text: string, limit = batchLimit): string[] {
  const parts: string[] = [];
  for (const [part] of text.matchAll(/[^,\s][^,]*/g)) if (parts.push(part.trimEnd()) > limit) break;
  return parts;
}
