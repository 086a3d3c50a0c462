// The databases both programs serve: contacts with four infos each, the same rows every time, in a SQLite file or a
// PostgreSQL database.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { openSqlite } from './sqlite.mjs';

export const columns = ['id', 'first_name', 'last_name', 'email', 'city', 'age', 'active', 'created'];

const table = (id, moment) => `create table contact (id ${id}, first_name varchar(80) not null, last_name varchar(80),
  email varchar(120), city varchar(80), age integer, active boolean, created ${moment})`;
const infos = (id) => `create table contact_info (id ${id}, contact_id integer not null references contact (id),
  kind varchar(20) not null, value varchar(120))`;
const indexes =
  'create index contact_city on contact (city); create index contact_info_contact_id on contact_info (contact_id)';
export const infoColumns = ['id', 'contact_id', 'kind', 'value'];
const kinds = ['home', 'work', 'phone', 'site'];

/** Each engine: what `make` needs for a database of so many contacts, and what a service is configured with. */
export const engines = {
  sqlite: {
    label: 'SQLite',
    unavailable: async () => undefined,
    async make(folder, name, rows) {
      const path = join(folder, `${name}.sqlite`);
      const db = await openSqlite(path);
      const id = 'integer primary key autoincrement';
      db.exec(`pragma journal_mode = wal; ${table(id, 'datetime')}; ${infos(id)}; ${indexes}`);
      const marks = columns.slice(1).map(() => '?');
      const insert = db.prepare(`insert into contact (${columns.slice(1)}) values (${marks})`);
      const insertInfo = db.prepare('insert into contact_info (contact_id, kind, value) values (?, ?, ?)');
      db.exec('begin');
      for (let n = 1; n <= rows; n++) {
        const [first, last, email, city, age, active] = contact(n);
        insert.run(first, last, email, city, age, Number(active), '2026-01-01 10:00:00');
        for (const kind of kinds) insertInfo.run(n, kind, `${kind} of ${n}`);
      }
      db.exec('commit');
      db.close();
      return { place: path, config: { database: path }, drop: async () => {} };
    },
  },
  pgsql: {
    label: 'PostgreSQL',
    unavailable: () =>
      withServer((client) => client.query('select 1')).then(
        () => undefined,
        (error) =>
          `no PostgreSQL at ${server().host}:${server().port} (${error.message}); TEST_POSTGRES_URL names another`,
      ),
    async make(_folder, name, rows) {
      const database = `sluice_test_bench_${name}_${randomBytes(3).toString('hex')}`;
      await withServer((client) => client.query(`create database ${database}`));
      const place = { ...server(), database };
      const client = new pg.Client(place);
      await client.connect();
      await client.query(`${table('serial primary key', 'timestamp')}; ${infos('serial primary key')}`);
      await client.query(
        `insert into contact (first_name, last_name, email, city, age, active, created)
         select 'First' || n, 'Last' || n % 977, 'c' || n || '@example.com', 'City ' || n % 100, 18 + n % 70, n % 2 = 1,
           '2026-01-01 10:00:00' from generate_series(1, $1::int) as n`,
        [rows],
      );
      await client.query(
        `insert into contact_info (contact_id, kind, value)
         select n, kind, kind || ' of ' || n from generate_series(1, $1::int) as n, unnest($2::text[]) as kind`,
        [rows, kinds],
      );
      await client.query(`${indexes}; analyze contact; analyze contact_info`);
      await client.end();
      const { host, port, user: username, password } = place;
      return {
        place,
        config: { host, port, username, password, database },
        drop: () => withServer((client) => client.query(`drop database if exists ${database} with (force)`)),
      };
    },
  },
};

const contact = (n) => [
  `First${n}`,
  `Last${n % 977}`,
  `c${n}@example.com`,
  `City ${n % 100}`,
  18 + (n % 70),
  n % 2 === 1,
];

function server() {
  const { TEST_POSTGRES_URL: address } = process.env;
  if (!address) return { host: '127.0.0.1', port: 5432, user: 'postgres', password: '' };
  const { hostname: host, port, username: user, password } = new URL(address);
  return { host, port: Number(port || 5432), user: decodeURIComponent(user), password: decodeURIComponent(password) };
}

async function withServer(work) {
  const client = new pg.Client({ ...server(), database: 'postgres', connectionTimeoutMillis: 3000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
