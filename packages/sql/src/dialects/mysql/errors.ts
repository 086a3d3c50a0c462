// What the errors of the server and of the driver mean. Numbers, not texts: the texts may be in any language
// (https://dev.mysql.com/doc/mysql-errors/8.0/en/server-error-reference.html, https://mariadb.com/kb/en/mariadb-error-code-reference/).
import { type Failure, fail } from '@sluice/contract';
import type { Problem } from '../network/index.ts';

/** Seconds a connection may take to open. */
export const connectSeconds = 10;

/** As far as we know, an error of the driver: of the server with a number and a state, else of a socket or of TLS. */
interface DriverError extends Error {
  errno?: number;
  code?: string;
  sqlState?: string;
  sqlMessage?: string;
  fatal?: boolean;
}

/** A statement of the configuration that failed at connect, told apart from those of calls. */
export class StatementError extends Error {}

type Options = { cause: unknown };
type Meaning = [kind: Problem['kind'], failure: (text: string, options: Options) => Failure];

const lost: Meaning = ['lost', (_, options) => fail('database.lost', undefined, options)];
const login: Meaning = ['lost', (_, options) => fail('database.login', undefined, options)];
const notAdmitted: Meaning = ['lost', (_, options) => fail('database.notAdmitted', undefined, options)];
const tooMany: Meaning = ['lost', (_, options) => fail('database.noConnectionLeft', undefined, options)];
const starting: Meaning = ['lost', (_, options) => fail('database.starting', undefined, options)];
const refused: Meaning = ['lost', (_, options) => fail('database.refused', undefined, options)];
const hostUnknown: Meaning = ['lost', (_, options) => fail('database.hostUnknown', undefined, options)];
const connectTimeout: Meaning = [
  'lost',
  (_, options) => fail('database.connectTimeout', { seconds: connectSeconds }, options),
];
const conflict: Meaning = ['retryable', (_, options) => fail('database.conflict', undefined, options)];
const lockTimeout: Meaning = ['refused', (_, options) => fail('database.conflict', undefined, options)];
const stale: Meaning = ['stale', (text, options) => fail('database.changed', { text }, options)];
const stopped: Meaning = ['stopped', (text, options) => fail('database.unreachable', { text }, options)];
const full: Meaning = ['refused', (_, options) => fail('database.diskFull', undefined, options)];
const denied: Meaning = ['refused', (text, options) => fail('database.denied', { text }, options)];
const outOfOrder: Meaning = ['refused', (text, options) => fail('database.unreachable', { text }, options)];

const byNumber = new Map<number, Meaning>([
  // Connecting.
  [1045, login], // ER_ACCESS_DENIED_ERROR
  [1698, login], // ER_ACCESS_DENIED_NO_PASSWORD_ERROR
  [1251, login], // ER_NOT_SUPPORTED_AUTH_MODE
  [1820, login], // ER_MUST_CHANGE_PASSWORD
  [1862, login], // ER_MUST_CHANGE_PASSWORD_LOGIN
  [3118, login], // ER_ACCOUNT_HAS_BEEN_LOCKED
  [4151, login], // ER_ACCOUNT_HAS_BEEN_LOCKED of MariaDB
  [1044, notAdmitted], // ER_DBACCESS_DENIED_ERROR
  [1129, notAdmitted], // ER_HOST_IS_BLOCKED
  [1130, notAdmitted], // ER_HOST_NOT_PRIVILEGED
  [3159, notAdmitted], // ER_SECURE_TRANSPORT_REQUIRED
  [1049, ['lost', (_, options) => fail('database.databaseUnknown', undefined, options)]], // ER_BAD_DB_ERROR
  [1040, tooMany], // ER_CON_COUNT_ERROR
  [1203, tooMany], // ER_TOO_MANY_USER_CONNECTIONS
  [1226, tooMany], // ER_USER_LIMIT_REACHED
  // The connection ends.
  [1053, starting], // ER_SERVER_SHUTDOWN
  [1927, lost], // ER_CONNECTION_KILLED
  [1243, lost], // ER_UNKNOWN_STMT_HANDLER
  [4031, lost], // ER_CLIENT_INTERACTION_TIMEOUT
  // Other transactions. InnoDB undoes the whole of ours on a deadlock, but the statement alone when a wait was too long.
  [1213, conflict], // ER_LOCK_DEADLOCK
  [1020, conflict], // ER_CHECKREAD
  [1205, lockTimeout], // ER_LOCK_WAIT_TIMEOUT
  [1317, stopped], // ER_QUERY_INTERRUPTED
  [1969, stopped], // ER_STATEMENT_TIMEOUT of MariaDB
  [3024, stopped], // ER_QUERY_TIMEOUT
  // The schema is another than it was.
  [1146, stale], // ER_NO_SUCH_TABLE
  [1054, stale], // ER_BAD_FIELD_ERROR
  [1109, stale], // ER_UNKNOWN_TABLE
  [1356, stale], // ER_VIEW_INVALID
  [1615, stale], // ER_NEED_REPREPARE
  [1412, conflict], // ER_TABLE_DEF_CHANGED
  // Rights.
  [1142, denied], // ER_TABLEACCESS_DENIED_ERROR
  [1143, denied], // ER_COLUMNACCESS_DENIED_ERROR
  [1227, denied], // ER_SPECIFIC_ACCESS_DENIED_ERROR
  [1370, denied], // ER_PROCACCESS_DENIED_ERROR
  [1290, denied], // ER_OPTION_PREVENTS_STATEMENT: --read-only
  [1792, denied], // ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION
  [1836, denied], // ER_READ_ONLY_MODE
  // The server is out of order.
  [1021, full], // ER_DISK_FULL
  [1114, full], // ER_RECORD_FILE_FULL
  [1041, outOfOrder], // ER_OUT_OF_RESOURCES
  [1037, outOfOrder], // ER_OUTOFMEMORY
  [1038, outOfOrder], // ER_OUT_OF_SORTMEMORY
  [1194, outOfOrder], // ER_CRASHED_ON_USAGE
  [1195, outOfOrder], // ER_CRASHED_ON_REPAIR
  [1461, outOfOrder], // ER_MAX_PREPARED_STMT_COUNT_REACHED
]);

const byCode = new Map<string, Meaning>(
  Object.entries({
    ENOTFOUND: hostUnknown,
    EAI_AGAIN: hostUnknown,
    EAI_FAIL: hostUnknown,
    ECONNREFUSED: refused,
    // A socket that is not there, or that this account may not use.
    ENOENT: refused,
    EACCES: refused,
    ENOTSOCK: refused,
    EHOSTUNREACH: connectTimeout,
    ENETUNREACH: connectTimeout,
    ETIMEDOUT: connectTimeout,
    HANDSHAKE_NO_SSL_SUPPORT: ['lost', (_, options) => fail('database.noTls', undefined, options)],
  }),
);

/** What an error means. Errors that come neither from the server nor from a connection are bugs and go on. */
export function translate(error: unknown): Problem {
  if (error instanceof StatementError) {
    return { kind: 'lost', failure: fail('database.statement', { text: error.message }, { cause: error.cause }) };
  }
  const { errno, code = '', sqlState, sqlMessage, message } = error as DriverError;
  const options = { cause: error };
  if (sqlState !== undefined || sqlMessage !== undefined) {
    const number = errno ?? 0;
    const text = (sqlMessage ?? message).replace(/\.$/, '');
    const [kind, failure] = byNumber.get(number) ?? (isDiskFull(number, text) ? full : valueRefused(number));
    return { kind, failure: failure(text, options) };
  }
  const meaning =
    byCode.get(code) ?? (isCertificate(code, message) ? certificate : isLost(error as DriverError) ? lost : undefined);
  if (!meaning) throw error;
  return { kind: meaning[0], failure: meaning[1](message, options) };
}

/** A value or a rule, which the caller can mend: with the number and the words of the database. */
const valueRefused = (number: number): Meaning => [
  'refused',
  (text, options) => fail('record.database', { text }, { ...options, code: number }),
];

/** The operating system's ENOSPC inside of an error about a file or of a storage engine. */
const isDiskFull = (number: number, text: string): boolean =>
  [3, 20, 1026, 1030].includes(number) && /\b(28|ENOSPC)\b/.test(text);

const certificate: Meaning = ['lost', (text, options) => fail('database.certificate', { text }, options)];

const isCertificate = (code: string, message: string): boolean =>
  code === 'HANDSHAKE_SSL_ERROR' ||
  /CERT|SELF_SIGNED|ISSUER|ERR_TLS|ERR_SSL|EPROTO/.test(code) ||
  /certificate/i.test(message);

/** The driver's own words for a connection that ended, and the system's. */
const isLost = ({ code = '', fatal, message }: DriverError): boolean =>
  fatal === true || /^(PROTOCOL_|ECONN|EPIPE|ERR_STREAM|ERR_SOCKET)/.test(code) || /closed state/.test(message);
