// The text of DDL as tokens, as far as it takes to tell where a clause ends: names, texts and what stands in parentheses
// are one token each.

export interface Token {
  kind: 'name' | 'text' | 'group' | 'comment' | 'comma' | 'word';
  /** As it stands in the SQL; of a name or a group with its quotes or parentheses. */
  text: string;
  begin: number;
  end: number;
}

const patterns: [Token['kind'], RegExp][] = [
  ['name', /`(?:[^`]|``)*`/y],
  ['text', /'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*"/sy],
  ['comment', /\/\*.*?\*\//sy],
  ['comma', /,/y],
  ['word', /[^\s,()'"`]+/y],
];

/** The tokens of a text that the server wrote. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    const token = tokenAt(sql, at);
    if (token.text.trim() !== '') tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function tokenAt(sql: string, begin: number): Token {
  if (sql[begin] === '(') return groupAt(sql, begin);
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = begin;
    const text = pattern.exec(sql)?.[0];
    if (text) return { kind, text, begin, end: begin + text.length };
  }
  // A blank, or a quote that nothing closes.
  return { kind: 'word', text: sql[begin] as string, begin, end: begin + 1 };
}

function groupAt(sql: string, begin: number): Token {
  let at = begin + 1;
  while (at < sql.length && sql[at] !== ')') at = tokenAt(sql, at).end;
  const end = Math.min(at + 1, sql.length);
  return { kind: 'group', text: sql.slice(begin, end), begin, end };
}

/** Tokens between commas. */
export function splitAtCommas(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'comma') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

/** The SQL from the first of some tokens to the last. */
export const textOf = (sql: string, tokens: readonly Token[]): string =>
  sql.slice(tokens[0]?.begin ?? 0, tokens.at(-1)?.end ?? 0);

export const unquoteName = (text: string): string =>
  text.startsWith('`') ? text.slice(1, -1).replaceAll('``', '`') : text;
