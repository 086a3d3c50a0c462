// The definition of a column as the server writes it, in clauses: what a change does not name is written back verbatim.
import { quoteName } from './quoting.ts';
import { type Token, textOf, tokensOf } from './tokens.ts';

/** In the order they are written in. */
const clauseKinds = [
  'type',
  'charset',
  'collation',
  'computed',
  'nullability',
  'invisible',
  'default',
  'onUpdate',
  'autoIncrement',
  'comment',
  'check',
  'other',
] as const;
export type ClauseKind = (typeof clauseKinds)[number];

export interface Clause {
  kind: ClauseKind;
  text: string;
}

/** What a clause begins with; the words it takes besides come from the SQL. */
const beginnings: [ClauseKind, RegExp][] = [
  ['charset', /^(?:character set|charset)\b/i],
  ['collation', /^collate\b/i],
  ['computed', /^(?:generated always|as)\b/i],
  ['nullability', /^(?:not null|null)\b/i],
  ['invisible', /^(?:invisible\b|\/\*!\d+ invisible)/i],
  ['default', /^default\b/i],
  ['onUpdate', /^on update\b/i],
  ['autoIncrement', /^auto_increment\b/i],
  ['comment', /^comment\b/i],
  ['check', /^(?:check|constraint)\b/i],
  ['other', /^(?:with(?:out)? system|primary|unique|key|references|\/\*)/i],
];

export function clausesOf(sql: string): Clause[] {
  const clauses: { kind: ClauseKind; tokens: Token[] }[] = [];
  for (const token of tokensOf(sql)) {
    const current = clauses.at(-1);
    // A default is one token at least, be it the word NULL; the second word of a beginning is no beginning.
    const isBound =
      current &&
      current.tokens.length === 1 &&
      /^(default|not|character|on|with|without|generated)$/i.test(current.tokens[0]?.text ?? '');
    const isLead = token.kind === 'word' || token.kind === 'comment';
    const kind =
      isBound || !isLead ? undefined : beginnings.find(([, pattern]) => pattern.test(sql.slice(token.begin)))?.[0];
    if (kind) clauses.push({ kind, tokens: [token] });
    else if (current) current.tokens.push(token);
    else clauses.push({ kind: 'type', tokens: [token] });
  }
  return clauses.map(({ kind, tokens }) => ({ kind, text: textOf(sql, tokens) }));
}

export const definitionOf = (clauses: readonly Clause[]): string => clauses.map(({ text }) => text).join(' ');

export const clauseText = (clauses: readonly Clause[], kind: ClauseKind): string | undefined =>
  clauses.find((clause) => clause.kind === kind)?.text;

/** Puts a clause in the place of the one there was, or where it belongs; undefined takes it out. */
export function withClause(clauses: readonly Clause[], kind: ClauseKind, text: string | undefined): Clause[] {
  const index = clauses.findIndex((clause) => clause.kind === kind);
  const others = clauses.filter((clause) => clause.kind !== kind);
  if (text === undefined) return others;
  const rank = clauseKinds.indexOf(kind);
  const later = others.findIndex((clause) => clauseKinds.indexOf(clause.kind) > rank);
  const place = index >= 0 ? index : later >= 0 ? later : others.length;
  return others.toSpliced(place, 0, { kind, text });
}

/** Clauses after a column got another name: what is computed and checked goes by names. */
export const renamedClauses = (clauses: readonly Clause[], from: string, to: string): Clause[] =>
  clauses.map((clause) =>
    ['computed', 'default', 'check'].includes(clause.kind)
      ? { ...clause, text: replaceName(clause.text, from, to) }
      : clause,
  );

const replaceName = (sql: string, from: string, to: string): string =>
  sql.replace(/'(?:[^'\\]|''|\\.)*'|`(?:[^`]|``)*`/gs, (text) => (text === quoteName(from) ? quoteName(to) : text));
