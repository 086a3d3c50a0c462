import { type RawBuilder, sql } from 'kysely';
import type { Grammar } from '../../compile/index.ts';
import { grammarFor } from '../mysql/grammar.ts';

const replaceSql = (text: RawBuilder<unknown>, from: string, to: string): RawBuilder<unknown> =>
  sql`replace(${text}, ${sql.raw(from)}, ${sql.raw(to)})`;

/** How the literals below spell a backslash, and a sign that no text is written with. */
const backslash = String.raw`'\\'`;
const unusedSign = `'\u0001'`;

/**
 * How SQL is written for SingleStore where it differs from MySQL: no RETURNING, no JSON_TABLE, and a LIKE that knows no
 * ESCAPE but takes a backslash for one
 * (https://docs.singlestore.com/db/v7.8/en/reference/sql-reference/comparison-operators-and-functions/like,-not-like.html).
 */
export const grammar: Grammar = {
  ...grammarFor({ returns: false, jsonTable: false }),
  patternEnd: undefined,
  pattern(pattern, sign) {
    const plain = replaceSql(pattern, backslash, String.raw`'\\\\'`);
    if (sign === null) return plain;
    // Two signs are one of the text; set aside, they take nothing from what follows.
    const withPlaceholders = replaceSql(plain, `'||'`, unusedSign);
    const percents = replaceSql(withPlaceholders, `'|%'`, String.raw`'\\%'`);
    return replaceSql(replaceSql(percents, `'|_'`, String.raw`'\\_'`), unusedSign, `'|'`);
  },
};
