import { expect, it } from 'vitest';
import { StatementError, translate } from './errors.ts';

const server = (errno: number, sqlMessage = 'words of the database') =>
  Object.assign(new Error(sqlMessage), { errno, sqlState: 'HY000', sqlMessage });
const driver = (code: string, message = 'x', overrides: object = {}) =>
  Object.assign(new Error(message), { code, ...overrides });

it.each([
  [server(1045), 'database.login', 503, 'lost'],
  [server(1044), 'database.notAdmitted', 503, 'lost'],
  [server(1130), 'database.notAdmitted', 503, 'lost'],
  [server(1049), 'database.databaseUnknown', 503, 'lost'],
  [server(1040), 'database.noConnectionLeft', 503, 'lost'],
  [server(1203), 'database.noConnectionLeft', 503, 'lost'],
  [server(1053), 'database.starting', 503, 'lost'],
  [server(1927), 'database.lost', 503, 'lost'],
  [server(1213), 'database.conflict', 503, 'retryable'],
  [server(1020), 'database.conflict', 503, 'retryable'],
  [server(1205), 'database.conflict', 503, 'refused'],
  [server(1317), 'database.unreachable', 503, 'stopped'],
  [server(1969), 'database.unreachable', 503, 'stopped'],
  [server(3024), 'database.unreachable', 503, 'stopped'],
  [server(1146), 'database.changed', 503, 'stale'],
  [server(1054), 'database.changed', 503, 'stale'],
  [server(1356), 'database.changed', 503, 'stale'],
  [server(1142), 'database.denied', 403, 'refused'],
  [server(1290), 'database.denied', 403, 'refused'],
  [server(1021), 'database.diskFull', 507, 'refused'],
  [server(1114), 'database.diskFull', 507, 'refused'],
  [
    server(1030, 'Got error 28 "No space left on device" from storage engine InnoDB'),
    'database.diskFull',
    507,
    'refused',
  ],
  [
    server(3, 'Error writing file \'/tmp/MLfd=31\' (Errcode: 28 "No space left on device")'),
    'database.diskFull',
    507,
    'refused',
  ],
  [server(1030, 'Got error 122 from storage engine'), 'record.database', 400, 'refused'],
  [server(1062), 'record.database', 400, 'refused'],
  [server(1452), 'record.database', 400, 'refused'],
  [driver('ENOTFOUND'), 'database.hostUnknown', 503, 'lost'],
  [driver('ECONNREFUSED'), 'database.refused', 503, 'lost'],
  [driver('ENOENT'), 'database.refused', 503, 'lost'],
  [driver('ETIMEDOUT'), 'database.connectTimeout', 503, 'lost'],
  [driver('ECONNRESET'), 'database.lost', 503, 'lost'],
  [driver('EPIPE'), 'database.lost', 503, 'lost'],
  [driver('PROTOCOL_CONNECTION_LOST'), 'database.lost', 503, 'lost'],
  [driver('', 'x', { fatal: true }), 'database.lost', 503, 'lost'],
  [driver('HANDSHAKE_NO_SSL_SUPPORT'), 'database.noTls', 503, 'lost'],
  [driver('HANDSHAKE_SSL_ERROR', 'self-signed certificate'), 'database.certificate', 503, 'lost'],
  [driver('ERR_TLS_CERT_ALTNAME_INVALID'), 'database.certificate', 503, 'lost'],
  [new StatementError('words'), 'database.statement', 503, 'lost'],
])('%s', (error, key, status, kind) => {
  const problem = translate(error);
  expect([problem.failure.key, problem.failure.status, problem.kind]).toEqual([key, status, kind]);
});

it('keeps the number and the words of what the database refuses', () => {
  const { failure } = translate(server(1062, "Duplicate entry 'a' for key 'name'"));
  expect([failure.code, failure.message]).toEqual([1062, "Duplicate entry 'a' for key 'name'"]);
});

it('lets bugs of ours go on', () => {
  expect(() => translate(new TypeError('x is not a function'))).toThrow(TypeError);
});
