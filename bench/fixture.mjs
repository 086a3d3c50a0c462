// The database both programs serve: 10,000 contacts in a SQLite file.
import { openSqlite } from './sqlite.mjs';

export const columns = ['id', 'first_name', 'last_name', 'email', 'city', 'age', 'active', 'created'];

/** Makes the file; the same rows every time. */
export async function makeDatabase(path) {
  const db = await openSqlite(path);
  db.exec(`pragma journal_mode = wal;
    create table contact (id integer primary key autoincrement, first_name varchar(80) not null, last_name varchar(80),
      email varchar(120), city varchar(80), age integer, active boolean, created datetime);
    create index contact_city on contact (city)`);
  const insert = db.prepare(
    'insert into contact (first_name, last_name, email, city, age, active, created) values (?, ?, ?, ?, ?, ?, ?)',
  );
  db.exec('begin');
  for (let n = 1; n <= 10_000; n++) {
    insert.run(
      `First${n}`,
      `Last${n % 977}`,
      `c${n}@example.com`,
      `City ${n % 100}`,
      18 + (n % 70),
      n % 2,
      '2026-01-01 10:00:00',
    );
  }
  db.exec('commit');
  db.close();
}
