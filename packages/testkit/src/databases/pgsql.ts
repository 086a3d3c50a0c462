// PostgreSQL for tests: how to reach, create and serve it.
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { EngineKit, Login } from './engine.ts';
import { findProgram } from './programs.ts';

const program = () => findProgram('postgres', ['/usr/lib/postgresql/*/bin']);

export const pgsql: EngineKit = {
  engine: 'pgsql',
  label: 'PostgreSQL',
  scheme: 'postgres',
  variable: 'TEST_POSTGRES_URL',
  defaultPort: 5432,
  superuser: 'postgres',
  sockets: ['/var/run/postgresql', '/tmp'],
  account: 'postgres',
  installLine: 'apt-get install -y --no-install-recommends postgresql',
  run,
  sql: {
    databases: 'select datname from pg_database',
    // template1 cannot be copied while anyone is connected to it; nobody can connect to template0.
    create: (name) => [`create database ${name} template template0 encoding 'UTF8'`],
    drop: (name) => [`drop database if exists ${name} with (force)`],
    login: (name, password) => [`create role ${name} superuser login password '${password}'`],
    dropLogin: (name) => [`drop role if exists ${name}`],
  },
  program,
  layOut: (folder, password) => [
    ['sh', '-c', `umask 077; printf %s ${password} > '${folder}/password'`],
    [
      join(dirname(program() ?? ''), 'initdb'),
      ...['--pgdata', join(folder, 'data'), '--username', 'postgres', '--pwfile', join(folder, 'password')],
      ...['--auth-local=trust', '--auth-host=scram-sha-256', '--encoding=UTF8', '--no-sync'],
      ...(process.platform === 'linux' ? ['--locale=C.UTF-8'] : []),
    ],
  ],
  // Without fsync a kill loses nothing: what was written is with the kernel. Only a power cut would.
  serve: (folder, port) => [
    program() ?? '',
    ...['-D', join(folder, 'data'), '-p', String(port), '-c', 'listen_addresses=127.0.0.1'],
    ...['-c', `unix_socket_directories=${folder}`, '-c', 'fsync=off', '-c', 'max_connections=200'],
    // Rows stay in the order in which they came: no place of a deleted one is given to another.
    ...['-c', 'autovacuum=off'],
  ],
  socketIn: (folder) => folder,
  stopSignal: 'SIGINT',
};

async function run(login: Login, sql: string, database = 'postgres'): Promise<unknown[][]> {
  const client = new pg.Client({
    host: login.socket ?? login.host,
    port: login.port,
    user: login.user,
    password: login.password,
    database,
    connectionTimeoutMillis: 30_000,
  });
  // A server that goes away between two statements tells it here too; the query below fails with it.
  client.on('error', () => {});
  try {
    await client.connect();
    const result = await client.query({ text: sql, rowMode: 'array' });
    // Several statements answer several results, which the types do not know.
    const last = [result].flat().at(-1);
    return (last?.rows ?? []) as unknown[][];
  } finally {
    await client.end().catch(() => {});
  }
}
