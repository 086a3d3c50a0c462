import { fail } from '@sluice/contract';
import type { Problem } from '../network/index.ts';
import { translate as asPostgres } from '../pgsql/errors.ts';

/**
 * What an error means. Transactions that cannot have run one after the other have a text, and no code of
 * their own (https://docs.aws.amazon.com/redshift/latest/dg/c_serial_isolation-serializable-isolation-troubleshooting.html).
 */
export function translate(error: unknown): Problem {
  const { message = '', severity } = error as { message?: string; severity?: string };
  if (severity !== undefined && /\b1023\b|serializable isolation violation/i.test(message))
    return { kind: 'retryable', failure: fail('database.conflict', undefined, { cause: error }) };
  return asPostgres(error);
}
