// Reading a filter text character by character: where a field ends and which operator follows it, where a bare value
// ends, what may stand after a value. Every function moves forward only, so that a filter is read in linear time.
import type { CompareOperator } from '../query/index.ts';

export type Connective = 'and' | 'or' | 'xor' | 'nor';

/** What stands between a field and its value. `values` of `in` stand in parentheses. */
export type Operator =
  | { kind: 'compare'; operator: CompareOperator; negated: boolean }
  | { kind: 'in'; negated: boolean }
  | { kind: 'between'; negated: boolean }
  | { kind: 'null'; negated: boolean };

export interface Comparison {
  /** The field as written. */
  field: string;
  operator: Operator;
  /** Where the value begins, or for `is null` where it ends. */
  next: number;
}

const wordOperators = new Map<string, CompareOperator>(
  Object.entries({ eq: '=', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' }),
);
/** By the code of their first letter. */
const connectives = new Map<number, Connective>(
  (['and', 'or', 'xor', 'nor'] as const).map((word) => [word.charCodeAt(0), word]),
);

export const isBlank = (text: string, position: number): boolean => {
  const code = text.charCodeAt(position);
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
};

/** The position of the next character that is not blank; the length of the text at its end. */
export function skipBlanks(text: string, position: number): number {
  let i = position;
  while (i < text.length && isBlank(text, i)) i += 1;
  return i;
}

const isLetter = (text: string, position: number): boolean => {
  const code = text.charCodeAt(position) | 32;
  return code >= 97 && code <= 122;
};

/** Characters of a field and the blanks after it; no database has longer names, and a longer one is not read to its end. */
export const maxFieldLength = 1000;

/** The longest keyword is BETWEEN; a longer run of letters is none, so that reading one costs nothing. */
const maxWordLength = 8;

/** The run of ASCII letters at a position, lower-cased; empty when it is longer than any keyword. */
export function wordAt(text: string, position: number): string {
  let i = position;
  while (i < text.length && i - position <= maxWordLength && isLetter(text, i)) i += 1;
  return i - position > maxWordLength ? '' : text.slice(position, i).toLowerCase();
}

/**
 * AND, OR, XOR, NOR, && or || at a position, with the position after it. A word needs a blank or a parenthesis after
 * it; that something separates it from what stands before is the caller's to know.
 */
export function connectiveAt(text: string, position: number): { word: Connective; next: number } | undefined {
  const code = text.charCodeAt(position);
  if (code === 38 && text.charCodeAt(position + 1) === 38) return { word: 'and', next: position + 2 };
  if (code === 124 && text.charCodeAt(position + 1) === 124) return { word: 'or', next: position + 2 };
  const word = connectives.get(code | 32);
  if (word === undefined || !isWordAt(text, position, word)) return undefined;
  const next = position + word.length;
  if (next < text.length && !isBlank(text, next) && text[next] !== '(') return undefined;
  return { word, next };
}

/** True when a word of lower-case letters stands at a position, in whatever case. Makes no text: a filter may ask a million times. */
function isWordAt(text: string, position: number, word: string): boolean {
  for (let i = 0; i < word.length; i += 1) {
    if ((text.charCodeAt(position + i) | 32) !== word.charCodeAt(i)) return false;
  }
  return true;
}

const compare = (operator: CompareOperator, negated = false): Operator => ({ kind: 'compare', operator, negated });

/** True when a value may end here: at the end of the text, before a closing parenthesis or before a connective. */
export function valueMayEnd(text: string, position: number): boolean {
  const i = skipBlanks(text, position);
  return i >= text.length || text[i] === ')' || connectiveAt(text, i) !== undefined;
}

/** NOT before a group: the position of the group's parenthesis. NOT before anything else belongs to a field. */
export function notAt(text: string, position: number): number | undefined {
  if (!isWordAt(text, position, 'not')) return undefined;
  const i = skipBlanks(text, position + 3);
  return text[i] === '(' ? i : undefined;
}

/**
 * Finds the operator of the comparison that begins at a position. The field is all that stands left of it and may hold
 * blanks and balanced parentheses. Undefined when a connective, a closing parenthesis or the end comes first.
 */
export function comparisonAt(text: string, start: number): Comparison | undefined {
  let depth = 0;
  let i = start;
  const quote = text[i];
  const end = Math.min(text.length, start + maxFieldLength);
  if (quote === '"') i = behindQuoted(text, start, end);
  else if (quote === "'") {
    const close = text.indexOf(quote, i + 1);
    if (close > 0) i = close + 1;
  }
  while (i < end) {
    const char = text[i] as string;
    const symbol = depth === 0 ? symbolAt(text, i) : undefined;
    if (symbol) {
      const field = text.slice(start, i).trimEnd();
      return { field, operator: compare(symbol), next: skipBlanks(text, i + symbol.length) };
    }
    if (isBlank(text, i)) {
      const word = skipBlanks(text, i);
      if (connectiveAt(text, word)) return undefined;
      const operator = depth === 0 ? wordOperatorAt(text, word) : undefined;
      if (operator) return { field: text.slice(start, i), operator: operator.operator, next: operator.next };
      i = word;
      continue;
    }
    if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth < 0) return undefined;
    } else if ((char === '&' || char === '|') && text[i + 1] === char) return undefined;
    i += 1;
  }
  return undefined;
}

/**
 * What is written left of the first operator, parentheses or not, of what is no comparison: the field that a refusal names
 * (contract/database-tables.md §4.2). Undefined where there is no operator.
 */
export function textBeforeOperator(text: string, start: number): string | undefined {
  const end = Math.min(text.length, start + maxFieldLength);
  for (let i = start; i < end; i += 1) {
    if (symbolAt(text, i)) return text.slice(start, i).trimEnd();
    if (!isBlank(text, i)) continue;
    const word = skipBlanks(text, i);
    if (connectiveAt(text, word)) return undefined;
    if (wordOperatorAt(text, word)) return text.slice(start, i);
    i = word - 1;
  }
  return undefined;
}

/** Behind the name in double quotes that begins at a position; the position itself where none ends before `end`. */
export function behindQuoted(text: string, start: number, end: number): number {
  for (let i = start + 1; i < end; i += 1) {
    if (text[i] !== '"') continue;
    if (text[i + 1] !== '"') return i + 1;
    i += 1;
  }
  return start;
}

/** The operator of symbols at a position, as long as it is written; `<>` is `!=`. */
function symbolAt(text: string, position: number): CompareOperator | undefined {
  const second = text[position + 1];
  switch (text[position]) {
    case '=':
      return '=';
    case '!':
      return second === '=' ? '!=' : undefined;
    case '<':
      return second === '=' ? '<=' : second === '>' ? '!=' : '<';
    case '>':
      return second === '=' ? '>=' : '>';
    default:
      return undefined;
  }
}

function wordOperatorAt(text: string, position: number): { operator: Operator; next: number } | undefined {
  let word = wordAt(text, position);
  let i = position + word.length;
  const negated = word === 'not';
  if (negated) {
    if (!isBlank(text, i)) return undefined;
    i = skipBlanks(text, i);
    word = wordAt(text, i);
    i += word.length;
  }
  // IN needs a blank before its list, NOT IN does not (contract/database-tables.md §4.2).
  if (word === 'in' && negated && text[i] === '(') return { operator: { kind: 'in', negated }, next: i };
  if (word === '' || !isBlank(text, i)) return undefined;
  const next = skipBlanks(text, i);
  switch (word) {
    case 'in':
      return { operator: { kind: 'in', negated }, next };
    case 'between':
      return { operator: { kind: 'between', negated }, next };
    case 'like':
    case 'contains':
      return { operator: compare(word, negated), next };
    case 'starts':
    case 'ends': {
      if (wordAt(text, next) !== 'with' || !isBlank(text, next + 4)) return undefined;
      return { operator: compare(`${word} with`, negated), next: skipBlanks(text, next + 4) };
    }
    case 'is':
      return negated ? undefined : nullAt(text, next);
    default: {
      const operator = negated ? undefined : wordOperators.get(word);
      return operator && { operator: compare(operator), next };
    }
  }
}

function nullAt(text: string, position: number): { operator: Operator; next: number } | undefined {
  let i = position;
  const negated = wordAt(text, i) === 'not' && isBlank(text, i + 3);
  if (negated) i = skipBlanks(text, i + 3);
  if (wordAt(text, i) !== 'null' || !valueMayEnd(text, i + 4)) return undefined;
  // `is nullable`: the word must end where it ends.
  const after = text[i + 4];
  if (after !== undefined && after !== ')' && after !== '&' && after !== '|' && !isBlank(text, i + 4)) return undefined;
  return { operator: { kind: 'null', negated }, next: i + 4 };
}
