// The text of a CREATE TABLE, taken apart and changed part by part: what no change names stays as it was written.
// The grammar is https://sqlite.org/lang_createtable.html, with what SQLite takes beyond it: constraints of a table
// without a comma between them, names of constraints without a constraint.
import { endOfGroup, isMark, isWord, nameOf, quoteName, type Token, tokensOf } from './tokens.ts';

/** A CREATE TABLE. Texts have the blanks and comments around them, and no commas. */
export interface TableText {
  columns: ColumnText[];
  constraints: string[];
  /** What follows the closing parenthesis. */
  options: string;
}

export interface ColumnText {
  name: string;
  text: string;
}

export type PartKind =
  | 'primary key'
  | 'unique'
  | 'not null'
  | 'null'
  | 'check'
  | 'default'
  | 'collate'
  | 'references'
  | 'foreign key'
  | 'generated'
  | 'name'
  | 'deferrable';

/** A constraint, with its name where it has one, by its place in a text. */
export interface Part {
  kind: PartKind;
  start: number;
  end: number;
  /** Of a constraint of a table: the columns it names; an expression has no name. */
  columns: (string | undefined)[];
  /** Of a primary key. */
  isAutoIncrement: boolean;
}

/** A text that no CREATE TABLE can be: SQLite itself would not have kept it. */
export class UnreadableTextError extends Error {}

const unreadable = (sql: string): never => {
  throw new UnreadableTextError(`its definition can not be read: ${sql.slice(0, 200)}`);
};

const constraintWords = ['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN'];

/** Takes a CREATE TABLE apart. */
export function parseTable(sql: string): TableText {
  const tokens = tokensOf(sql);
  const open = tokens.findIndex((token) => isMark(token, '('));
  const end = open < 0 ? undefined : endOfGroup(tokens, open);
  if (end === undefined || !isWord(tokens[0], 'CREATE')) return unreadable(sql);
  const entries: { start: number; end: number; first: Token | undefined }[] = [];
  let start = tokens[open]!.end;
  let first: Token | undefined;
  let depth = 0;
  for (const token of tokens.slice(open + 1, end)) {
    if (depth === 0 && (isMark(token, ',') || isMark(token, ')'))) {
      entries.push({ start, end: token.start, first });
      start = token.end;
      first = undefined;
      continue;
    }
    first ??= token;
    if (isMark(token, '(')) depth += 1;
    if (isMark(token, ')')) depth -= 1;
  }
  const table: TableText = { columns: [], constraints: [], options: sql.slice(start) };
  for (const entry of entries) {
    if (!entry.first) return unreadable(sql);
    const text = sql.slice(entry.start, entry.end);
    if (isWord(entry.first, ...constraintWords)) table.constraints.push(text);
    else table.columns.push({ name: nameOf(entry.first), text });
  }
  return table;
}

/** The statement that makes such a table under a name. */
export const writeTable = (name: string, { columns, constraints, options }: TableText): string =>
  `CREATE TABLE ${quoteName(name)} (${[...columns.map(({ text }) => text), ...constraints].join(',')})${options}`;

/** The parts of the definition of a column. */
export interface ColumnParts {
  /** Where the name ends. */
  nameEnd: number;
  /** The type, where there is one. */
  type: { start: number; end: number } | undefined;
  parts: Part[];
}

/** Words a type cannot have: they begin what follows it. */
const typeEnds = [
  ...['CONSTRAINT', 'PRIMARY', 'NOT', 'NULL', 'UNIQUE', 'CHECK', 'DEFAULT', 'COLLATE', 'REFERENCES', 'AS'],
  ...['DEFERRABLE', 'ON'],
];

export function parseColumn(text: string): ColumnParts {
  const tokens = tokensOf(text);
  const [name] = tokens;
  if (!name) return unreadable(text);
  let index = 1;
  const isTypeWord = (token: Token | undefined) =>
    token !== undefined &&
    (token.kind === 'name' || token.kind === 'string' || (token.kind === 'word' && !isWord(token, ...typeEnds)));
  while (isTypeWord(tokens[index])) {
    if (isWord(tokens[index], 'GENERATED') && isWord(tokens[index + 1], 'ALWAYS')) break;
    index += 1;
  }
  if (index > 1 && isMark(tokens[index], '(')) index = endOfGroup(tokens, index) ?? unreadable(text);
  const type = index > 1 ? { start: tokens[1]!.start, end: tokens[index - 1]!.end } : undefined;
  return { nameEnd: name.end, type, parts: parseParts(text, tokens, index) };
}

/** The constraints in a text of constraints of a table. */
export const parseConstraints = (text: string): Part[] => parseParts(text, tokensOf(text), 0);

function parseParts(text: string, tokens: Token[], from: number): Part[] {
  const parts: Part[] = [];
  let index = from;
  const word = (...words: string[]) => isWord(tokens[index], ...words);
  const skip = (...words: string[]) => {
    if (word(...words)) index += 1;
  };
  /** Passes over a group, if there is one. */
  const group = () => {
    if (isMark(tokens[index], '(')) index = endOfGroup(tokens, index) ?? unreadable(text);
  };
  const onConflict = () => {
    if (word('ON') && isWord(tokens[index + 1], 'CONFLICT')) index += 3;
  };
  const references = () => {
    index += 2;
    group();
    for (;;) {
      if (word('ON') && isWord(tokens[index + 1], 'DELETE', 'UPDATE', 'INSERT'))
        index += isWord(tokens[index + 2], 'SET', 'NO') ? 4 : 3;
      else if (word('MATCH')) index += 2;
      else if (word('NOT') && isWord(tokens[index + 1], 'DEFERRABLE')) index += 1;
      else if (word('DEFERRABLE')) {
        index += 1;
        if (word('INITIALLY')) index += 2;
      } else return;
    }
  };
  while (index < tokens.length) {
    const first = tokens[index] as Token;
    let columns: Part['columns'] = [];
    let isAutoIncrement = false;
    let kind: PartKind;
    if (word('CONSTRAINT')) index += 2;
    const begin = index;
    if (index >= tokens.length || word('CONSTRAINT')) kind = 'name';
    else if (word('PRIMARY')) {
      kind = 'primary key';
      index += 2;
      columns = namesOfGroup(tokens, index);
      group();
      skip('ASC', 'DESC');
      onConflict();
      skip('AUTOINCREMENT');
      isAutoIncrement = tokens.slice(begin, index).some((token) => isWord(token, 'AUTOINCREMENT'));
    } else if (word('UNIQUE')) {
      kind = 'unique';
      index += 1;
      columns = namesOfGroup(tokens, index);
      group();
      onConflict();
    } else if (word('NOT') && isWord(tokens[index + 1], 'NULL')) {
      kind = 'not null';
      index += 2;
      onConflict();
    } else if (word('NULL')) {
      kind = 'null';
      index += 1;
      onConflict();
    } else if (word('CHECK')) {
      kind = 'check';
      index += 1;
      group();
      onConflict();
    } else if (word('DEFAULT')) {
      kind = 'default';
      index += 1;
      if (isMark(tokens[index], '(')) group();
      else {
        if (isMark(tokens[index], '-') || isMark(tokens[index], '+')) index += 1;
        index += 1;
      }
    } else if (word('COLLATE')) {
      kind = 'collate';
      index += 2;
    } else if (word('REFERENCES')) {
      kind = 'references';
      references();
    } else if (word('FOREIGN')) {
      kind = 'foreign key';
      index += 2;
      columns = namesOfGroup(tokens, index);
      group();
      references();
    } else if (word('GENERATED', 'AS')) {
      kind = 'generated';
      index += word('AS') ? 1 : 3;
      group();
      skip('STORED', 'VIRTUAL');
    } else if (word('DEFERRABLE') || (word('NOT') && isWord(tokens[index + 1], 'DEFERRABLE'))) {
      kind = 'deferrable';
      skip('NOT');
      index += 1;
      if (word('INITIALLY')) index += 2;
    } else return unreadable(text);
    const last = tokens[index - 1];
    if (!last || index > tokens.length) return unreadable(text);
    parts.push({ kind, start: first.start, end: last.end, columns, isAutoIncrement });
  }
  return parts;
}

/** The names in a group, also those with an order or a collation; undefined for an expression. */
function namesOfGroup(tokens: Token[], open: number): Part['columns'] {
  const end = isMark(tokens[open], '(') ? endOfGroup(tokens, open) : undefined;
  if (end === undefined) return [];
  const names: Part['columns'] = [];
  let piece: Token[] = [];
  let depth = 0;
  for (const token of tokens.slice(open + 1, end)) {
    if (depth === 0 && (isMark(token, ',') || isMark(token, ')'))) {
      const [name, next] = piece;
      const isName = name && name.kind !== 'mark' && (!next || isWord(next, 'ASC', 'DESC', 'COLLATE', 'AUTOINCREMENT'));
      names.push(isName ? nameOf(name) : undefined);
      piece = [];
      continue;
    }
    piece.push(token);
    if (isMark(token, '(')) depth += 1;
    if (isMark(token, ')')) depth -= 1;
  }
  return names;
}

/** The definition with another type; without one, where the word is empty. */
export function withType(text: string, word: string): string {
  const { nameEnd, type } = parseColumn(text);
  if (type) return splice(text, type.start, type.end, word);
  return word === '' ? text : splice(text, nameEnd, nameEnd, ` ${word}`);
}

/** The definition with one more constraint, which stands before the others. */
export function withPart(text: string, sql: string): string {
  const { nameEnd, type } = parseColumn(text);
  const place = type?.end ?? nameEnd;
  return splice(text, place, place, ` ${sql}`);
}

/** The definition of a column without its constraints of some kinds. */
export const withoutParts = (text: string, ...kinds: PartKind[]): string =>
  cutParts(
    text,
    parseColumn(text).parts.filter(({ kind }) => kinds.includes(kind)),
  );

/** A text without some of its parts, and the blanks before them. */
export function cutParts(text: string, parts: readonly Part[]): string {
  return parts.toReversed().reduce((rest, { start, end }) => {
    const before = rest.slice(0, start);
    // A comment that ends with the line must go on doing so.
    const kept = before.trimEnd();
    const isAfterComment = /--[^\n]*$/.test(kept.slice(kept.lastIndexOf('\n') + 1));
    return (isAfterComment ? before : kept) + rest.slice(end);
  }, text);
}

/** The name and what stands before it, with another definition behind it. */
export const withDefinition = (text: string, sql: string): string =>
  `${text.slice(0, parseColumn(text).nameEnd)} ${sql}`;

/** The constraints of a table without those that a choice takes away. */
export const withoutConstraints = (constraints: readonly string[], isGone: (part: Part) => boolean): string[] =>
  constraints.flatMap((text) => {
    const gone = parseConstraints(text).filter(isGone);
    const rest = gone.length > 0 ? cutParts(text, gone) : text;
    return tokensOf(rest).length > 0 ? [rest] : [];
  });

const splice = (text: string, start: number, end: number, piece: string): string =>
  text.slice(0, start) + piece + text.slice(end);
