// The filter language of contract/database-tables.md §4, as a hand-written parser. Groups nest at most `nestingLimit`
// levels deep, everything else is a loop, so that no text can exhaust the stack.
import { fail, nestingLimit } from '@sluice/contract';
import type { FilterNode, FilterValue } from '../query/index.ts';
import { kept } from './kept.ts';
import {
  type Connective,
  comparisonAt,
  connectiveAt,
  isBlank,
  notAt,
  skipBlanks,
  valueMayEnd,
  wordAt,
} from './scan.ts';

/** Characters of a filter; beyond it a filter is refused unread. */
export const filterLengthLimit = 4_000_000;
/** Comparisons in one filter. The databases' own limits on expressions lie beyond it. */
export const filterTermLimit = 5_000;
/** Values in all lists of one filter. */
export const filterValueLimit = 100_000;

interface State {
  text: string;
  at: number;
  depth: number;
  /** How often one operator of the level of OR followed another. */
  changes: number;
  terms: number;
  values: number;
}

/**
 * Reads a filter. Names and values are not looked at: `bindFilter` does that.
 * Throws `filter.unparsable`, `filter.list`, `filter.tooDeep` or `filter.tooLong`, all 400.
 */
export const parseFilter = kept((text): FilterNode => {
  if (text.length > filterLengthLimit) throw fail('filter.tooLong', { limit: filterLengthLimit, unit: 'characters' });
  const state: State = { text, at: skipBlanks(text, 0), depth: 0, changes: 0, terms: 0, values: 0 };
  const node = parseAny(state);
  if (state.at < text.length) throw fail('filter.unparsable');
  return node;
});

/** OR, XOR and NOR have one level, from left to right. Stops before a closing parenthesis or at the end. */
function parseAny(state: State): FilterNode {
  // A run of the same operator makes one balanced tree; a change of operator makes the tree a level deeper.
  let run = [parseAll(state)];
  let operator: Connective | undefined;
  for (let found = connective(state); found && found !== 'and'; found = connective(state)) {
    if (operator !== undefined && (found !== operator || found === 'nor')) {
      state.changes += 1;
      if (state.changes > nestingLimit) throw fail('filter.tooDeep', { limit: nestingLimit });
      run = [joined(operator, run)];
    }
    operator = found;
    advance(state);
    run.push(parseAll(state));
  }
  return operator === undefined ? (run[0] as FilterNode) : joined(operator, run);
}

function parseAll(state: State): FilterNode {
  const run = [parseTerm(state)];
  while (connective(state) === 'and') {
    advance(state);
    run.push(parseTerm(state));
  }
  return joined('and', run);
}

/** `a and b and c`, associative, as a tree whose depth is the logarithm of its length. */
function joined(kind: Connective, nodes: FilterNode[]): FilterNode {
  if (nodes.length === 1) return nodes[0] as FilterNode;
  const half = Math.ceil(nodes.length / 2);
  return { kind, left: joined(kind, nodes.slice(0, half)), right: joined(kind, nodes.slice(half)) };
}

function connective(state: State): Connective | undefined {
  return connectiveAt(state.text, skipBlanks(state.text, state.at))?.word;
}

function advance(state: State): void {
  const found = connectiveAt(state.text, skipBlanks(state.text, state.at));
  state.at = skipBlanks(state.text, found?.next ?? state.at);
}

function parseTerm(state: State): FilterNode {
  const group = notAt(state.text, state.at);
  if (group !== undefined) {
    state.at = group;
    return { kind: 'not', node: parseGroup(state) };
  }
  return state.text[state.at] === '(' ? parseGroup(state) : parseComparison(state);
}

function parseGroup(state: State): FilterNode {
  state.depth += 1;
  if (state.depth > nestingLimit) throw fail('filter.tooDeep', { limit: nestingLimit });
  state.at = skipBlanks(state.text, state.at + 1);
  const node = parseAny(state);
  if (state.text[state.at] !== ')') throw fail('filter.unparsable');
  state.at = skipBlanks(state.text, state.at + 1);
  state.depth -= 1;
  if (!valueMayEnd(state.text, state.at)) throw fail('filter.unparsable');
  return node;
}

function parseComparison(state: State): FilterNode {
  const found = comparisonAt(state.text, state.at);
  if (!found) throw fail('filter.unparsable');
  state.terms += 1;
  if (state.terms > filterTermLimit) throw fail('filter.tooLong', { limit: filterTermLimit, unit: 'comparisons' });
  const { field, operator } = found;
  state.at = found.next;
  switch (operator.kind) {
    case 'null':
      state.at = skipBlanks(state.text, state.at);
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

/** A value that ends the comparison. */
function parseValue(state: State): FilterValue {
  const value = marked(state, (at) => valueMayEnd(state.text, at));
  if (value) return value;
  const start = state.at;
  const end = bareEnd(state.text, start);
  return bare(state, start, end);
}

/** The first value of BETWEEN, which ends at the next AND. */
function parseLow(state: State): FilterValue {
  const { text } = state;
  const andAt = (at: number): number | undefined => {
    const i = skipBlanks(text, at);
    return wordAt(text, i) === 'and' && isBlank(text, i + 3) ? i + 3 : undefined;
  };
  const value =
    marked(state, (at) => andAt(at) !== undefined) ??
    bare(
      state,
      state.at,
      nextBlank(text, state.at, (at) => andAt(at) !== undefined),
    );
  const next = andAt(state.at);
  if (next === undefined) throw fail('filter.unparsable');
  state.at = skipBlanks(text, next);
  return value;
}

function nextBlank(text: string, start: number, accepts: (at: number) => boolean): number {
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
  if (text[state.at] !== '(') throw fail('filter.list');
  const itemEnds = (at: number): boolean => {
    const char = text[skipBlanks(text, at)];
    return char === ',' || char === ')';
  };
  state.at = skipBlanks(text, state.at + 1);
  if (text[state.at] === ')') throw fail('filter.list');
  const values: FilterValue[] = [];
  for (;;) {
    state.values += 1;
    if (state.values > filterValueLimit) throw fail('filter.tooLong', { limit: filterValueLimit, unit: 'values' });
    values.push(marked(state, itemEnds, true) ?? bare(state, state.at, itemEnd(text, state.at)));
    const char = text[state.at];
    if (char === undefined) throw fail('filter.list');
    state.at = skipBlanks(text, state.at + 1);
    if (char === ')') break;
  }
  if (!valueMayEnd(text, state.at)) throw fail('filter.unparsable');
  return values;
}

/** A bare item of a list runs to a comma or the closing parenthesis; parentheses inside it balance. */
function itemEnd(text: string, start: number): number {
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
function marked(state: State, ends: (at: number) => boolean, inList = false): FilterValue | undefined {
  const { text, at } = state;
  const found =
    text[at] === "'" || text[at] === '"'
      ? quotedAt(text, at, ends)
      : text[at] === ':'
        ? paramAt(text, at, ends)
        : text[at] === '(' && !inList
          ? functionAt(text, at, ends)
          : undefined;
  if (!found) return undefined;
  state.at = skipBlanks(text, found.next);
  return found.value;
}

const quotedText = (text: string) => ({ kind: 'text', text, quoted: true }) as const;

/** A quote inside is doubled. Undefined when something else than an end follows the closing quote. */
function quotedAt(text: string, at: number, ends: (at: number) => boolean) {
  const quote = text[at] as string;
  let read = '';
  let from = at + 1;
  for (;;) {
    const close = text.indexOf(quote, from);
    if (close < 0) return undefined;
    read += text.slice(from, close);
    if (text[close + 1] !== quote) {
      return ends(close + 1) ? { value: quotedText(read), next: close + 1 } : undefined;
    }
    read += quote;
    from = close + 2;
  }
}

function paramAt(text: string, at: number, ends: (at: number) => boolean) {
  let i = at + 1;
  while (i < text.length && /\w/.test(text[i] as string)) i += 1;
  if (i === at + 1 || !ends(i)) return undefined;
  return { value: { kind: 'param', name: text.slice(at, i) } as const, next: i };
}

function functionAt(text: string, at: number, ends: (at: number) => boolean) {
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    if (text[i] === '(') depth += 1;
    else if (text[i] === ')') {
      depth -= 1;
      if (depth === 0) {
        if (!ends(i + 1)) return undefined;
        return { value: { kind: 'function', text: text.slice(at + 1, i).trim() } as const, next: i + 1 };
      }
    }
  }
  return undefined;
}

/**
 * A value without any mark: the text as it stands, trimmed. One pair of quotes around the whole is taken off, so that
 * `'O'Brien'` means the same as `'O''Brien'`.
 */
function bare(state: State, start: number, end: number): FilterValue {
  const text = state.text.slice(start, end).trim();
  if (text === '') throw fail('filter.unparsable');
  state.at = skipBlanks(state.text, end);
  const first = text[0];
  if (text.length > 1 && (first === "'" || first === '"') && text.endsWith(first)) return quotedText(text.slice(1, -1));
  return { kind: 'text', text, quoted: false };
}

/**
 * Where a bare value ends: at the end, at a closing parenthesis that it did not open, or at a connective after which a
 * comparison follows. Without one the word is text: `s = rock and roll` looks for "rock and roll", as it always did.
 */
function bareEnd(text: string, start: number): number {
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
      const found = blank || char === '&' || char === '|' ? connectiveAt(text, word) : undefined;
      if (found && comparisonFollows(text, found.next)) return i;
      if (found) {
        i = found.next;
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

function comparisonFollows(text: string, at: number): boolean {
  let i = skipBlanks(text, at);
  for (;;) {
    const group = notAt(text, i);
    if (group === undefined && text[i] !== '(') break;
    i = skipBlanks(text, (group ?? i) + 1);
  }
  return comparisonAt(text, i) !== undefined;
}
