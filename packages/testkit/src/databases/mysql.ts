// MariaDB for tests: how to reach, create and serve it. (Servers of MySQL itself are used when TEST_MYSQL_URL names one.)
import { join } from 'node:path';
import mysql2 from 'mysql2/promise';
import type { EngineKit, Login } from './engine.ts';
import { findProgram } from './programs.ts';

// Where there is a nameless user of localhost, that one comes before a `%`.
const hosts = ['localhost', '%'];

const program = () => findProgram('mariadbd', ['/usr/sbin', '/usr/local/sbin']);

export const mysql: EngineKit = {
  engine: 'mysql',
  label: 'MariaDB',
  scheme: 'mysql',
  variable: 'TEST_MYSQL_URL',
  defaultPort: 3306,
  superuser: 'root',
  sockets: ['/run/mysqld/mysqld.sock', '/var/run/mysqld/mysqld.sock', '/tmp/mysql.sock'],
  account: 'mysql',
  installLine: 'apt-get install -y --no-install-recommends mariadb-server',
  run,
  sql: {
    databases: 'show databases',
    create: (name) => [`create database ${name} character set utf8mb4`],
    drop: (name) => [`drop database if exists ${name}`],
    login: (name, password) =>
      hosts.flatMap((host) => [
        `create user ${name}@'${host}' identified by '${password}'`,
        // What ends the statements of others, such as those of the definer of a trigger.
        `grant super, process on *.* to ${name}@'${host}'`,
        // That there is no such database is said to those only who may use it.
        `grant all on no_such_database.* to ${name}@'${host}'`,
      ]),
    grant: (name, database) => hosts.map((host) => `grant all on ${database}.* to ${name}@'${host}'`),
    dropLogin: (name) => [`drop user if exists ${name}@'localhost', ${name}@'%'`],
  },
  program,
  layOut: (folder, password) => [
    [
      'mariadb-install-db',
      ...['--no-defaults', `--datadir=${join(folder, 'data')}`, '--auth-root-authentication-method=normal'],
      ...['--skip-test-db', '--skip-name-resolve', `--tmpdir=${folder}`],
    ],
    // Run by the server at each start, before it listens.
    [
      'sh',
      '-c',
      `umask 077; printf '%s\\n' "create or replace user root@'127.0.0.1' identified by '${password}';" \
"grant all on *.* to root@'127.0.0.1' with grant option;" > '${folder}/start.sql'`,
    ],
  ],
  serve: (folder, port) => [
    program() ?? '',
    ...['--no-defaults', `--datadir=${join(folder, 'data')}`, `--socket=${join(folder, 's.sock')}`],
    ...[
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      `--init-file=${join(folder, 'start.sql')}`,
    ],
    // A server removes the temporary tables it finds there when it starts: those of another one would be gone.
    `--tmpdir=${folder}`,
    `--pid-file=${join(folder, 'mariadb.pid')}`,
    // 2: a commit is handed to the kernel, so that a kill loses nothing; only a power cut would.
    ...['--innodb-flush-log-at-trx-commit=2', '--innodb-buffer-pool-size=64M', '--character-set-server=utf8mb4'],
  ],
  socketIn: (folder) => join(folder, 's.sock'),
  stopSignal: 'SIGTERM',
};

async function run(login: Login, sql: string, database?: string): Promise<unknown[][]> {
  const connection = await mysql2.createConnection({
    ...(login.socket ? { socketPath: login.socket } : { host: login.host, port: login.port }),
    user: login.user,
    password: login.password,
    database,
    multipleStatements: true,
    rowsAsArray: true,
    connectTimeout: 30_000,
  });
  connection.on('error', () => {});
  try {
    const [result, fields] = (await connection.query(sql)) as unknown as [unknown, unknown[] | undefined];
    // Several statements answer a list of results, and for each its fields or nothing.
    const several = fields?.every((value) => value === undefined || Array.isArray(value));
    const last = several ? (result as unknown[]).at(-1) : result;
    return Array.isArray(last) ? last : [];
  } finally {
    await connection.end().catch(() => connection.destroy());
  }
}
