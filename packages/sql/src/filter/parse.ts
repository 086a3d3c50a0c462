// The filter language of contract/database-tables.md §4, as a hand-written parser. Groups nest at most `nestingLimit`
// levels deep, everything else is a loop, so that no text can exhaust the stack.
import { type Failure, fail, nestingLimit } from '@sluice/contract';
import type { FilterNode, FilterValue } from '../query/index.ts';
import { excerpt } from './excerpt.ts';
import { memoizeText } from './memoize.ts';
import {
  behindQuoted,
  type Connective,
  comparisonAt,
  connectiveAt,
  isBlank,
  maxFieldLength,
  notAt,
  skipBlanks,
  textBeforeOperator,
  valueMayEnd,
  wordAt,
} from './scan.ts';

/** Characters of a filter; beyond it a filter is refused unread. */
export const filterLengthLimit = 4_000_000;
/** Comparisons in one filter. The databases' own limits on expressions lie beyond it. */
export const filterTermLimit = 5_000;
/** Values in all lists of one filter. */
export const filterValueLimit = 100_000;
/** How often AND or OR may stand in the values of one filter outside quotes: behind each a comparison is looked for. */
export const filterConnectiveLimit = 100_000;

interface State {
  text: string;
  position: number;
  depth: number;
  /** How often one operator of the level of OR followed another. */
  operatorChanges: number;
  terms: number;
  values: number;
  /** Words that could have joined comparisons and were a part of a value. */
  connectivesInValues: number;
}

/**
 * Reads a filter. Names and values are not looked at: `bindFilter` does that.
 * Throws `filter.unparsable`, `filter.field`, `filter.list`, `filter.tooDeep` or `filter.tooLong`, all 400.
 */
export const parseFilter = memoizeText((text): FilterNode => {
  if (text.length > filterLengthLimit) throw fail('filter.tooLong', { limit: filterLengthLimit, unit: 'characters' });
  const counts = { depth: 0, operatorChanges: 0, terms: 0, values: 0, connectivesInValues: 0 };
  const state: State = { text, position: skipBlanks(text, 0), ...counts };
  const node = parseOrLevel(state);
  if (state.position < text.length) throw fail('filter.unparsable');
  return node;
});

/** OR, XOR and NOR have one level, from left to right. Stops before a closing parenthesis or at the end. */
function parseOrLevel(state: State): FilterNode {
  // A run of the same operator makes one balanced tree; a change of operator makes the tree a level deeper.
  let nodes = [parseAndLevel(state)];
  let operator: Connective | undefined;
  for (let next = peekConnective(state); next && next !== 'and'; next = peekConnective(state)) {
    if (operator !== undefined && (next !== operator || next === 'nor')) {
      state.operatorChanges += 1;
      if (state.operatorChanges > nestingLimit) throw fail('filter.tooDeep', { limit: nestingLimit });
      nodes = [joinBalanced(operator, nodes)];
    }
    operator = next;
    skipConnective(state);
    nodes.push(parseAndLevel(state));
  }
  return operator === undefined ? (nodes[0] as FilterNode) : joinBalanced(operator, nodes);
}

function parseAndLevel(state: State): FilterNode {
  const nodes = [parseTerm(state)];
  while (peekConnective(state) === 'and') {
    skipConnective(state);
    nodes.push(parseTerm(state));
  }
  return joinBalanced('and', nodes);
}

/** `a and b and c`, associative, as a tree whose depth is the logarithm of its length. */
function joinBalanced(kind: Connective, nodes: FilterNode[]): FilterNode {
  if (nodes.length === 1) return nodes[0] as FilterNode;
  const half = Math.ceil(nodes.length / 2);
  return { kind, left: joinBalanced(kind, nodes.slice(0, half)), right: joinBalanced(kind, nodes.slice(half)) };
}

function peekConnective(state: State): Connective | undefined {
  return connectiveAt(state.text, skipBlanks(state.text, state.position))?.word;
}

function skipConnective(state: State): void {
  const connective = connectiveAt(state.text, skipBlanks(state.text, state.position));
  state.position = skipBlanks(state.text, connective?.next ?? state.position);
}

function parseTerm(state: State): FilterNode {
  const groupStart = notAt(state.text, state.position);
  if (groupStart !== undefined) {
    state.position = groupStart;
    return { kind: 'not', node: parseGroup(state) };
  }
  return state.text[state.position] === '(' ? parseGroup(state) : parseComparison(state);
}

function parseGroup(state: State): FilterNode {
  state.depth += 1;
  if (state.depth > nestingLimit) throw fail('filter.tooDeep', { limit: nestingLimit });
  state.position = skipBlanks(state.text, state.position + 1);
  const node = parseOrLevel(state);
  if (state.text[state.position] !== ')') throw fail('filter.unparsable');
  state.position = skipBlanks(state.text, state.position + 1);
  state.depth -= 1;
  if (!valueMayEnd(state.text, state.position)) throw fail('filter.unparsable');
  return node;
}

function parseComparison(state: State): FilterNode {
  const comparison = comparisonAt(state.text, state.position);
  if (!comparison) throw noComparison(state);
  state.terms += 1;
  if (state.terms > filterTermLimit) throw fail('filter.tooLong', { limit: filterTermLimit, unit: 'comparisons' });
  const { field, operator } = comparison;
  state.position = comparison.next;
  switch (operator.kind) {
    case 'null':
      state.position = skipBlanks(state.text, state.position);
      return { kind: 'null', field, negated: operator.negated };
    case 'in':
      return { kind: 'in', field, negated: operator.negated, values: parseList(state) };
    case 'between': {
      const low = parseLow(state);
      return { kind: 'between', field, negated: operator.negated, low, high: parseValue(state) };
    }
    case 'compare':
      return {
        kind: 'compare',
        field,
        operator: operator.operator,
        negated: operator.negated,
        value: parseValue(state),
      };
  }
}

/** An operator in parentheses that belong to no group, as in `!(id = 1)`, is that of a field which no table has. */
function noComparison({ text, position }: State): Failure {
  const field = textBeforeOperator(text, position);
  return field === undefined ? fail('filter.unparsable') : fail('filter.field', { field: excerpt(field) });
}

/** A value that ends the comparison. */
function parseValue(state: State): FilterValue {
  const value = parseMarkedValue(state, (position) => valueMayEnd(state.text, position));
  if (value) return value;
  const start = state.position;
  const end = bareValueEnd(state, start);
  return parseBareValue(state, start, end);
}

/** The first value of BETWEEN, which ends at the next AND. */
function parseLow(state: State): FilterValue {
  const { text } = state;
  const endOfAnd = (position: number): number | undefined => {
    const i = skipBlanks(text, position);
    return wordAt(text, i) === 'and' && isBlank(text, i + 3) ? i + 3 : undefined;
  };
  const value =
    parseMarkedValue(state, (position) => endOfAnd(position) !== undefined) ??
    parseBareValue(
      state,
      state.position,
      nextBlank(text, state.position, (position) => endOfAnd(position) !== undefined),
    );
  const next = endOfAnd(state.position);
  if (next === undefined) throw fail('filter.unparsable');
  state.position = skipBlanks(text, next);
  return value;
}

function nextBlank(text: string, start: number, accepts: (position: number) => boolean): number {
  let i = start;
  while (i < text.length) {
    if (isBlank(text, i)) {
      if (accepts(i)) return i;
      i = skipBlanks(text, i);
    } else i += 1;
  }
  return i;
}

function parseList(state: State): FilterValue[] {
  const { text } = state;
  if (text[state.position] !== '(') throw fail('filter.list');
  const itemEnds = (position: number): boolean => {
    const char = text[skipBlanks(text, position)];
    return char === ',' || char === ')';
  };
  state.position = skipBlanks(text, state.position + 1);
  if (text[state.position] === ')') throw fail('filter.list');
  const values: FilterValue[] = [];
  for (;;) {
    state.values += 1;
    if (state.values > filterValueLimit) throw fail('filter.tooLong', { limit: filterValueLimit, unit: 'values' });
    values.push(
      parseMarkedValue(state, itemEnds, true) ??
        parseBareValue(state, state.position, bareItemEnd(text, state.position)),
    );
    const char = text[state.position];
    if (char === undefined) throw fail('filter.list');
    state.position = skipBlanks(text, state.position + 1);
    if (char === ')') break;
  }
  if (!valueMayEnd(text, state.position)) throw fail('filter.unparsable');
  return values;
}

/** A bare item of a list runs to a comma or the closing parenthesis; parentheses inside it balance. */
function bareItemEnd(text: string, start: number): number {
  let depth = 0;
  let i = start;
  for (; i < text.length; i += 1) {
    const char = text[i];
    if (char === '(') depth += 1;
    else if (char === ')') {
      if (depth === 0) break;
      depth -= 1;
    } else if (char === ',' && depth === 0) break;
  }
  return i;
}

/**
 * A quoted text, a parameter or a function, when one stands here and `ends` accepts what follows it. Leaves the
 * position after it and the blanks that follow. In lists there are no functions.
 */
function parseMarkedValue(state: State, ends: (position: number) => boolean, inList = false): FilterValue | undefined {
  const { text, position } = state;
  const match =
    text[position] === "'" || text[position] === '"'
      ? quotedAt(text, position, ends)
      : text[position] === ':'
        ? paramAt(text, position, ends)
        : text[position] === '(' && !inList
          ? functionAt(text, position, ends)
          : undefined;
  if (!match) return undefined;
  state.position = skipBlanks(text, match.next);
  return match.value;
}

const quotedText = (text: string) => ({ kind: 'text', text, quoted: true }) as const;

/** A quote inside is doubled. Undefined when something else than an end follows the closing quote. */
function quotedAt(text: string, position: number, ends: (position: number) => boolean) {
  const start = position + 1;
  const quote = text.charCodeAt(position);
  const first = text.indexOf(text[position] as string, start);
  const isDoubled = first >= 0 && text.charCodeAt(first + 1) === quote;
  const { content, close } = isDoubled
    ? copyUntilQuote(text, start, quote)
    : { content: text.slice(start, first), close: first };
  if (close < 0 || !ends(close + 1)) return undefined;
  return { value: quotedText(content), next: close + 1 };
}

/** What is copied in one go; one for all, as a filter may have a hundred thousand such values and parsing has no pauses. */
const codes = new Uint16Array(64 * 1024);
const copiedBytes = Buffer.from(codes.buffer);

/**
 * The text up to its closing quote, at `close`, with one quote for two; -1 where none is. Copied letter by letter: of millions
 * of doubled quotes each piece between two would be left to the garbage collector.
 */
function copyUntilQuote(text: string, start: number, quote: number): { content: string; close: number } {
  let content = '';
  let length = 0;
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      if (text.charCodeAt(i + 1) !== quote) return { content: content + copiedText(length), close: i };
      i += 1;
    }
    codes[length] = code;
    length += 1;
    if (length === codes.length) {
      content += copiedText(length);
      length = 0;
    }
  }
  return { content, close: -1 };
}

const copiedText = (length: number): string => copiedBytes.toString('utf16le', 0, 2 * length);

const paramName = /\w*/y;

function paramAt(text: string, position: number, ends: (position: number) => boolean) {
  paramName.lastIndex = position + 1;
  paramName.test(text);
  const end = paramName.lastIndex;
  if (end === position + 1 || !ends(end)) return undefined;
  return { value: { kind: 'param', name: text.slice(position, end) } as const, next: end };
}

function functionAt(text: string, position: number, ends: (position: number) => boolean) {
  let depth = 0;
  // A name in quotes may hold parentheses.
  const inner = skipBlanks(text, position + 1);
  const quoteEnd = text[inner] === '"' ? behindQuoted(text, inner, inner + maxFieldLength) : inner;
  for (let i = position; i < text.length; i += 1) {
    if (i === inner) i = quoteEnd;
    if (text[i] === '(') depth += 1;
    else if (text[i] === ')') {
      depth -= 1;
      if (depth === 0) {
        if (!ends(i + 1)) return undefined;
        return { value: { kind: 'function', text: text.slice(position + 1, i).trim() } as const, next: i + 1 };
      }
    }
  }
  return undefined;
}

/**
 * A value without any mark: the text as it stands, trimmed. One pair of quotes around the whole is taken off, so that
 * `'O'Brien'` means the same as `'O''Brien'`.
 */
function parseBareValue(state: State, start: number, end: number): FilterValue {
  const text = state.text.slice(start, end).trim();
  if (text === '') throw fail('filter.unparsable');
  state.position = skipBlanks(state.text, end);
  const first = text[0];
  if (text.length > 1 && (first === "'" || first === '"') && text.endsWith(first)) return quotedText(text.slice(1, -1));
  return { kind: 'text', text, quoted: false };
}

/**
 * Where a bare value ends: at the end, at a closing parenthesis that it did not open, or at a connective after which a
 * comparison follows. Without one the word is text: `s = rock and roll` looks for "rock and roll", as it always did.
 */
function bareValueEnd(state: State, start: number): number {
  const { text } = state;
  let depth = 0;
  let i = start;
  while (i < text.length) {
    const char = text[i];
    if (char === '(') depth += 1;
    else if (char === ')') {
      if (depth === 0) return i;
      depth -= 1;
    } else if (depth === 0) {
      const blank = isBlank(text, i);
      const word = blank ? skipBlanks(text, i) : i;
      const connective = blank || char === '&' || char === '|' ? connectiveAt(text, word) : undefined;
      if (connective && comparisonFollows(text, connective.next)) return i;
      if (connective) {
        state.connectivesInValues += 1;
        if (state.connectivesInValues > filterConnectiveLimit)
          throw fail('filter.tooLong', { limit: filterConnectiveLimit, unit: 'ands and ors in values without quotes' });
        i = connective.next;
        continue;
      }
      if (blank) {
        i = word;
        continue;
      }
    }
    i += 1;
  }
  if (depth > 0) throw fail('filter.unparsable');
  return i;
}

function comparisonFollows(text: string, position: number): boolean {
  let i = skipBlanks(text, position);
  for (;;) {
    const group = notAt(text, i);
    if (group === undefined && text[i] !== '(') break;
    i = skipBlanks(text, (group ?? i) + 1);
  }
  return comparisonAt(text, i) !== undefined;
}
