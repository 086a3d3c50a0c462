// The databases both programs serve: contacts with four infos each, the same rows every time, in a SQLite file or on a server.
import { join } from 'node:path';
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

/**
 * Each engine: how many contacts its calls meet, what `make` needs for a database of so many, and what a service is
 * configured with. The file of SQLite has about 60 MB, larger than any cache it could hide in.
 */
export const engines = {
  sqlite: {
    label: 'SQLite',
    contacts: 220_000,
    unavailable: async () => undefined,
    async make(folder, name, rows) {
      const path = join(folder, `${name}.sqlite`);
      const db = await openSqlite(path);
      const id = 'integer primary key autoincrement';
      db.exec('pragma journal_mode = wal; begin');
      for (const statement of [table(id, 'datetime'), infos(id), indexes, ...insertsOf(rows)]) db.exec(statement);
      db.exec('commit');
      db.close();
      return { place: path, config: { database: path }, drop: async () => {} };
    },
  },
  pgsql: onServer('pgsql', 'PostgreSQL', {
    id: 'serial primary key',
    moment: 'timestamp',
    analyze: 'analyze contact; analyze contact_info',
  }),
  mysql: onServer('mysql', 'MariaDB', {
    id: 'integer auto_increment primary key',
    moment: 'datetime',
    analyze: 'analyze table contact, contact_info',
  }),
};

/** Contacts that live in one city, however many there are. */
const cityPeople = 100;

const contact = (n, rows) => [
  `First${n}`,
  `Last${n % 977}`,
  `c${n}@example.com`,
  `City ${n % (rows / cityPeople)}`,
  18 + (n % 70),
  n % 2 === 1,
];

/** Statements that insert so many contacts, a thousand at a time. */
function insertsOf(rows) {
  const statements = [];
  for (let first = 1; first <= rows; first += 1000) {
    const numbers = Array.from({ length: Math.min(1000, rows - first + 1) }, (_, n) => first + n);
    const values = numbers.map((n) => `(${contact(n, rows).map(literal)}, '2026-01-01 10:00:00')`);
    statements.push(`insert into contact (${columns.slice(1)}) values ${values}`);
    const infoValues = numbers.flatMap((n) => kinds.map((kind) => `(${n}, '${kind}', '${kind} of ${n}')`));
    statements.push(`insert into contact_info (${infoColumns.slice(1)}) values ${infoValues}`);
  }
  return statements;
}

const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value));

/** The tests' way to servers; loaded here, as the bare programs read the names of columns from this file. */
async function testDatabases() {
  const { register } = await import('tsx/esm/api');
  register();
  return import('@sluice/testkit/databases');
}

function onServer(engine, label, { id, moment, analyze }) {
  return {
    label,
    contacts: 10_000,
    unavailable: async () => (await testDatabases()).engineMissing(engine),
    async make(_folder, _name, rows) {
      const made = await (await testDatabases()).freshDatabase(engine);
      for (const statement of [table(id, moment), infos(id), ...insertsOf(rows), indexes, analyze])
        await made.run(statement);
      const { host, port, user, password, database } = made;
      return {
        place: { host, port, user, password, database },
        config: { host, port, username: user, password, database },
        drop: () => made.drop(),
      };
    },
  };
}
