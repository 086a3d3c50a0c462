// SQL as SQLite reads it, cut into tokens (https://sqlite.org/lang_expr.html, https://sqlite.org/lang_keywords.html).

export interface Token {
  /** `word`: a keyword or a name without quotes; `name`: one with quotes; `mark`: a character that stands for itself. */
  kind: 'word' | 'name' | 'string' | 'number' | 'mark';
  text: string;
  start: number;
  end: number;
}

const pattern =
  /([ \t\n\f\r]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|("[^"]*(?:""[^"]*)*"|`[^`]*(?:``[^`]*)*`|\[[^\]]*\])|([xX]?'[^']*(?:''[^']*)*')|([A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(\.?\d(?:[eE][+-]\d|[\w.])*)|([\s\S])/gy;

/** The tokens of a text, without blanks and comments. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const match of sql.matchAll(pattern)) {
    const [text, space, name, string, word, number] = match;
    if (space !== undefined) continue;
    const kind = name ? 'name' : string ? 'string' : word ? 'word' : number ? 'number' : 'mark';
    tokens.push({ kind, text, start: match.index, end: match.index + text.length });
  }
  return tokens;
}

/** A name as SQL. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A text as SQL. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The name a token stands for; SQLite takes a text in quotes as one, too. */
export function nameOf({ kind, text }: Token): string {
  if (kind !== 'name' && kind !== 'string') return text;
  const quote = text[0] as string;
  const inner = text.slice(1, -1);
  return quote === '[' ? inner : inner.replaceAll(quote + quote, quote);
}

export const isMark = (token: Token | undefined, mark: string): boolean =>
  token?.kind === 'mark' && token.text === mark;

/** Whether a token is one of some keywords, upper case. */
export const isWord = (token: Token | undefined, ...words: string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text.toUpperCase());

/** The index behind the parenthesis that closes the one at an index; undefined when nothing does. */
export function endOfGroup(tokens: readonly Token[], open: number): number | undefined {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    if (isMark(tokens[index], '(')) depth += 1;
    else if (isMark(tokens[index], ')')) depth -= 1;
    if (depth === 0) return index + 1;
  }
  return undefined;
}

/**
 * Whether a text of an administrator is a piece of a definition and nothing beyond: it closes what it opens, ends no
 * statement, and hides nothing of what follows.
 */
export function isFragment(sql: string): boolean {
  if (sql.includes('\0')) return false;
  let depth = 0;
  for (const token of tokensOf(sql)) {
    if (isMark(token, '(')) depth += 1;
    else if (isMark(token, ')')) depth -= 1;
    // A quote by itself is one that nothing closes.
    else if (token.kind === 'mark' && /^[;"'`[]$/.test(token.text)) return false;
    else if (depth === 0 && isMark(token, ',')) return false;
    if (depth < 0) return false;
  }
  return depth === 0 && !/--|\/\*/.test(withoutQuoted(sql));
}

const withoutQuoted = (sql: string): string =>
  sql.replace(/"[^"]*(?:""[^"]*)*"|`[^`]*(?:``[^`]*)*`|\[[^\]]*\]|'[^']*(?:''[^']*)*'/g, ' x ');
