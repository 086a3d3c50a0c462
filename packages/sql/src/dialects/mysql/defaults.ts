// The default of a column as a value of its type (contract/database-schema.md §2). MariaDB shows the SQL of it, literals
// in quotes; MySQL shows literals bare and marks what is an expression.
import type { SimpleType } from '@sluice/contract';

/** A default that is computed: `CURRENT_TIMESTAMP` in one spelling, whatever the server's. */
export interface DefaultExpression {
  expression: string;
}

/** The default, or undefined without one. `extra` is what the server says of the column besides, in lower case. */
export function defaultOf(shown: string | null, extra: string, type: SimpleType, quotesDefaults: boolean): unknown {
  if (shown === null || (quotesDefaults && /^null$/i.test(shown))) return undefined;
  const bits = /^b'([01]*)'$/i.exec(shown);
  if (bits) return typed(BigInt(`0b${bits[1] || '0'}`).toString(), type);
  if (isMoment(shown)) return { expression: shown.toUpperCase().replace('()', '') };
  if (!quotesDefaults) return extra.includes('default_generated') ? { expression: shown } : typed(shown, type);
  const quoted = /^'(.*)'$/s.exec(shown);
  if (quoted) return typed(unquoted(quoted[1] as string), type);
  return isNumber(shown) ? typed(shown, type) : { expression: shown };
}

export const isNow = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && isMoment((value as DefaultExpression).expression);

const isMoment = (sql: string): boolean => /^(current_timestamp|now|localtimestamp|localtime)(\(\d?\))?$/i.test(sql);

const isNumber = (text: string): boolean => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);

const escapes = new Map<string, string>(Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', '0': '\0', Z: '\x1a' }));

const unquoted = (text: string): string =>
  text.replace(/''|\\(.)/gs, (_, escaped: string | undefined) =>
    escaped === undefined ? "'" : (escapes.get(escaped) ?? escaped),
  );

function typed(text: string, type: SimpleType): unknown {
  switch (type) {
    case 'boolean':
      return text !== '0' && text !== '';
    case 'integer':
    case 'bigint':
    case 'float':
    case 'double':
    case 'decimal': {
      const number = isNumber(text) ? Number(text) : Number.NaN;
      const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
      return isExact ? number : text;
    }
    default:
      return text;
  }
}
