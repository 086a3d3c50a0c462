// The names of GraphQL for services, tables and fields, whose own may hold any character: one-to-one, whatever else there is, so that
// no name depends on who asks or on a table they may not see (contract/services-other.md §10).

/** What a name of GraphQL stands for: a table of a service, and a word after it. */
export interface GraphqlTable {
  /** Lower-cased name. */
  service: string;
  table: string;
  suffix: string;
}

/** Words that follow the name of a table. */
const suffixes = ['List', 'Count', 'Answer', 'New', 'Change'];

/** A field or a relation: what is no letter, digit or underscore is `_0x20_`, by its code point. */
export function graphqlField(name: string): string {
  const escaped = name.replace(/_(?=0x)|[^A-Za-z0-9_]/gu, escapeCharacter);
  if (escaped.startsWith('__')) return `_0x5f_${escaped.slice(1)}`;
  return /^[0-9]/.test(escaped) ? `${escapeCharacter(escaped.charAt(0))}${escaped.slice(1)}` : escaped || '_0x_';
}

const escapeCharacter = (character: string): string => `_0x${(character.codePointAt(0) ?? 0).toString(16)}_`;

const readName = (name: string): string =>
  name === '_0x_' ? '' : name.replace(/_0x([0-9a-f]{1,6})_/g, (text, code: string) => characterOf(code) ?? text);

function characterOf(code: string): string | undefined {
  const point = Number.parseInt(code, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

/** What types of a table begin with, and its operations after their verb: `ShopTableProduct`. */
export const graphqlTable = (service: string, table: string): string =>
  `${servicePart(service)}Table${tablePart(table)}`;

/** Names of services do not differ by letter case alone: only the first letter is a capital, so `Table` begins nowhere else. */
function servicePart(service: string): string {
  const name = graphqlField(service.toLowerCase());
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A small first letter becomes a capital, before anything else stands an underscore. The words that follow tables end none. */
function tablePart(table: string): string {
  const name = graphqlField(table);
  const marked = /^[a-z]/.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : `_${name}`;
  const suffix = suffixes.find((word) => marked.endsWith(word));
  if (suffix === undefined) return marked;
  const start = marked.slice(0, -suffix.length);
  return `${start}${escapeCharacter(suffix.charAt(0))}${suffix.slice(1)}`;
}

/** Procedures and functions of a database, as names of GraphQL have them. */
export type RoutineWord = 'Procedure' | 'Function';

/** The field of a routine after its verb: `ShopProcedureClose_month`. */
export const graphqlRoutine = (service: string, word: RoutineWord, routine: string): string =>
  `${servicePart(service)}${word}${tablePart(routine)}`;

/** The routine of a name without its verb; undefined where it is none that `graphqlRoutine` makes. */
export function readGraphqlRoutine(name: string): { service: string; word: RoutineWord; routine: string } | undefined {
  const [, service, word, part] = /^(.[^A-Z]*)(Procedure|Function)(.+)$/s.exec(name) ?? [];
  if (service === undefined || part === undefined) return undefined;
  const read = { service: readService(service), word: word as RoutineWord, routine: readPart(part) };
  return graphqlRoutine(read.service, read.word, read.routine) === name ? read : undefined;
}

/** The table of a name of GraphQL without its verb; undefined where it is none that `graphqlTable` makes. */
export function readGraphqlTable(name: string): GraphqlTable | undefined {
  const [, service, rest] = /^(.[^A-Z]*)Table(.+)$/s.exec(name) ?? [];
  if (service === undefined || rest === undefined) return undefined;
  const suffix = suffixes.find((word) => rest.endsWith(word)) ?? '';
  const table = readPart(rest.slice(0, rest.length - suffix.length));
  const read = { service: readService(service), table, suffix };
  // A spelling that is made of nothing is none.
  return graphqlTable(read.service, read.table) + suffix === name ? read : undefined;
}

const readService = (part: string): string => readName(lowerFirst(part));

const readPart = (part: string): string =>
  part.startsWith('_') && !part.startsWith('_0x') ? readName(part.slice(1)) : lowerFirst(readName(part));

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
