// What errors of PostgreSQL and of the connections to it mean (https://www.postgresql.org/docs/current/errcodes-appendix.html).
import { type Failure, fail } from '@sluice/contract';
import type { Problem } from '../network/index.ts';

/** Seconds a connection may take to open. */
export const connectSeconds = 10;

/** As far as we know an error of the driver: of the server with a severity, else of a socket or of TLS. */
interface DriverError extends Error {
  /** SQLSTATE, or the code of a system error. */
  code?: string;
  severity?: string;
  /** Where inside of a function it happened. */
  where?: string;
  syscall?: string;
}

/** A statement of the configuration that failed at connect, told apart from those of calls. */
export class StatementError extends Error {}

/** What an error means. Errors that come neither from the server nor from a connection are bugs and go on. */
export function translate(error: unknown): Problem {
  const options = { cause: error };
  if (error instanceof StatementError)
    return { kind: 'lost', failure: fail('database.statement', { text: error.message }, options) };
  const { severity, code = '', message } = error as DriverError;
  if (severity !== undefined) return serverProblem(error as DriverError);
  const failure = connectionFailure(code, message, options);
  if (failure) return { kind: 'lost', failure };
  throw error;
}

function connectionFailure(code: string, message: string, options: { cause: unknown }): Failure | undefined {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
      return fail('database.hostUnknown', undefined, options);
    case 'ECONNREFUSED':
    // A socket that is not there, or that this account may not use.
    case 'ENOENT':
    case 'EACCES':
    case 'ENOTSOCK':
      return fail('database.refused', undefined, options);
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return fail('database.connectTimeout', { seconds: connectSeconds }, options);
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return fail('database.certificate', { text: 'it was made for another host name' }, options);
  }
  if (/^timeout expired|timeout exceeded/.test(message))
    return fail('database.connectTimeout', { seconds: connectSeconds }, options);
  if (/does not support SSL/.test(message)) return fail('database.noTls', undefined, options);
  if (/^SASL:/.test(message)) return fail('database.login', undefined, options);
  if (/^(CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS|ERR_SSL|ERR_OSSL)/.test(code))
    return fail('database.certificate', { text: message }, options);
  if (/^E[A-Z]+$/.test(code) || /^(Connection terminated|Client (was closed|has encountered))/.test(message))
    return fail('database.lost', undefined, options);
  return undefined;
}

function serverProblem(error: DriverError): Problem {
  const { code = '', message: text, where } = error;
  const options = { cause: error };
  const lost = (failure: Failure): Problem => ({ kind: 'lost', failure });
  switch (code) {
    case '28P01':
      return lost(fail('database.login', undefined, options));
    case '28000':
      // The text is of a person's language; what a missing rule of pg_hba.conf says names the file in all of them.
      return lost(fail(/pg_hba\.conf/.test(text) ? 'database.notAdmitted' : 'database.login', undefined, options));
    case '3D000':
      return lost(fail('database.databaseUnknown', undefined, options));
    case '53300':
      return lost(fail('database.noConnectionLeft', undefined, options));
    case '57P01':
    case '57P02':
    case '57P05':
      return lost(fail('database.lost', undefined, options));
    case '57P03':
      return lost(fail('database.starting', undefined, options));
    case '57014':
      return { kind: 'stopped', failure: fail('database.unreachable', { text }, options) };
    case '40001':
    case '40P01':
      return { kind: 'retryable', failure: fail('database.conflict', undefined, options) };
    case '55P03':
      return refused(fail('database.conflict', undefined, options));
    case '53100':
      return refused(fail('database.diskFull', undefined, options));
    case '26000':
      return { kind: 'retryable', failure: fail('database.changed', { text }, options) };
    case '0A000':
    case '42804':
    case '42883':
      if (isStalePlan(error)) return { kind: 'retryable', failure: fail('database.changed', { text }, options) };
      // A value of another type than its column has: values are bound by descriptions.
      if (code === '42804' && where === undefined)
        return { kind: 'stale', failure: fail('database.changed', { text }, options) };
      break;
    case '42P01':
    case '42703':
    case '3F000':
      // Inside of a function it is the function that is broken.
      if (where === undefined) return { kind: 'stale', failure: fail('database.changed', { text }, options) };
      break;
    case '42501':
      return refused(fail('database.denied', { text }, options));
    case '25006':
      return refused(fail('database.unreachable', { text }, options));
  }
  if (code.startsWith('08')) return lost(fail('database.lost', undefined, options));
  // Out of resources, errors of the system, bugs of the server.
  if (/^(53|58|F0|XX|57)/.test(code)) return refused(fail('database.unreachable', { text }, options));
  return refused(fail('record.database', { text }, { ...options, code }));
}

const refused = (failure: Failure): Problem => ({ kind: 'refused', failure });

/**
 * A prepared statement that does not fit its tables any more, or that the server does not know. Unlike the text, the
 * place in the server is the same in every language.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  return (
    code === '26000' ||
    (code === '0A000' && routine === 'RevalidateCachedQuery') ||
    staleParameters.has(error as object)
  );
}

/** Errors of prepared statements whose parameters have the types of columns as these were when they were prepared. */
const staleParameters = new WeakSet<object>();

/**
 * Notes of an error that a statement which was prepared before ended with it. Types that do not go together were those of
 * its parameters then: they went together once.
 */
export function notePrepared(error: unknown): void {
  const { code = '', where } = error as DriverError;
  if ((code === '42804' || code === '42883') && where === undefined) staleParameters.add(error as object);
}

/**
 * True where a write may be allowed without RETURNING: it needs the right to read its columns, rows that policies show, and on
 * views with rules a rule that returns rows (https://www.postgresql.org/docs/current/sql-createrule.html).
 */
export function refusesReturning(error: unknown): boolean {
  const { code, severity } = error as DriverError;
  return severity !== undefined && (code === '42501' || (code === '0A000' && !isStalePlan(error)));
}
