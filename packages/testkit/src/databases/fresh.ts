// A database on request, and no heap of forgotten ones.
import { randomBytes } from 'node:crypto';
import { accessTo } from './access.ts';
import type { Engine, EngineKit, Login } from './engine.ts';

export interface TestDatabase {
  engine: Engine;
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** For SLUICE_DATABASE_URL: `postgres://…` or `mysql://…`. */
  url: string;
  /** Runs SQL beside whatever is tested, as a superuser; several statements allowed. Rows as arrays of the last one. */
  run(sql: string): Promise<unknown[][]>;
  /** Drops it, also with open connections. */
  drop(): Promise<void>;
}

const oneDay = 24 * 60 * 60 * 1000;
/** What this process has made and not dropped. */
const ownDatabases = new Map<EngineKit, Set<string>>();
const sweptKits = new Set<EngineKit>();

/** A new, empty database on the server that `accessTo` finds; undefined when there is none. */
export async function createDatabase(kit: EngineKit): Promise<TestDatabase | undefined> {
  const access = await accessTo(kit);
  if (!access) return undefined;
  const admin = access.login;
  const asAdmin = (statements: string[]) => runSequentially(kit, admin, statements);
  await dropForgotten(kit, admin);

  const database = makeDatabaseName();
  await asAdmin(kit.sql.create(database));
  const { grant } = kit.sql;
  const hasOwnLogin = access.onlyBySocket || grant !== undefined;
  let login: Login = admin;
  if (hasOwnLogin) {
    login = { host: admin.host, port: admin.port, user: database, password: randomBytes(12).toString('hex') };
    await asAdmin(kit.sql.login(login.user, login.password));
  }
  if (grant) {
    const others = ownDatabases.get(kit) ?? new Set();
    ownDatabases.set(kit, others.add(database));
    for (const other of others)
      await asAdmin(
        other === database ? grant(database, database) : [...grant(database, other), ...grant(other, database)],
      );
  }
  const { host, port, user, password } = login;
  return {
    engine: kit.engine,
    host,
    port,
    user,
    password,
    database,
    url: `${kit.scheme}://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}/${database}`,
    run: (sql) => kit.run(admin, sql, database),
    async drop() {
      await asAdmin(kit.sql.drop(database));
      ownDatabases.get(kit)?.delete(database);
      if (hasOwnLogin) await asAdmin(kit.sql.dropLogin(database));
    },
  };
}

/** Drops what a test run that crashed more than a day ago has left. */
async function dropForgotten(kit: EngineKit, admin: Login): Promise<void> {
  if (sweptKits.has(kit)) return;
  sweptKits.add(kit);
  const names = (await kit.run(admin, kit.sql.databases)).map(([name]) => String(name));
  for (const name of names.filter((name) => isForgotten(name))) await drop(kit, admin, name);
}

/** Drops a database of ours by its name, with its login where it has one. */
export async function dropDatabase(kit: EngineKit, name: string): Promise<void> {
  const access = await accessTo(kit);
  if (access) await drop(kit, access.login, name);
}

async function drop(kit: EngineKit, admin: Login, name: string): Promise<void> {
  await runSequentially(kit, admin, [...kit.sql.drop(name), ...kit.sql.dropLogin(name)]);
}

async function runSequentially(kit: EngineKit, login: Login, statements: string[]): Promise<void> {
  for (const statement of statements) await kit.run(login, statement);
}

/** `sluice_test_202503141559_1a2b3c`: the minute in UTC, then chance. */
function makeDatabaseName(): string {
  const minute = new Date().toISOString().replace(/\D/g, '').slice(0, 12);
  // At most 32 letters, the length of a user name in MySQL.
  return `sluice_test_${minute}_${randomBytes(3).toString('hex')}`;
}

/** Whether this is a database of ours that is older than a day. */
export function isForgotten(name: string, now = Date.now()): boolean {
  const parts = /^sluice_test_(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)_[0-9a-f]{6}$/.exec(name);
  if (!parts) return false;
  const [year = 0, month = 1, ...rest] = parts.slice(1).map(Number);
  return now - Date.UTC(year, month - 1, ...rest) > oneDay;
}
