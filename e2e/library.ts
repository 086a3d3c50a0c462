// A small library for the journeys of the Data screen: references, child tables, a junction, and a field of every unusual kind.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { test as base, expect, type Instance } from './instance.ts';

/** Half of a PNG, enough to be known as one. */
export const image = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const schema = `
  create table author (id integer primary key autoincrement, first_name varchar(40), last_name varchar(40) not null);
  create table book (
    id integer primary key autoincrement, title varchar(120) not null,
    author_id integer not null references author (id), published date, lent_at datetime, facts json, cover blob,
    price decimal(12,4), isbn bigint, is_lent boolean
  );
  create table tag (id integer primary key autoincrement, name varchar(40) not null unique);
  create table book_tag (
    book_id integer not null references book (id), tag_id integer not null references tag (id),
    primary key (book_id, tag_id)
  );
  create table shelf (id integer primary key autoincrement, label varchar(20), photo blob not null);
  create table df_sys_user (id integer primary key);
  create table review (
    id integer primary key autoincrement, book_id integer not null references book (id),
    user_id integer references df_sys_user (id), words text not null
  );
  create table branch (
    country varchar(2) not null, no integer not null, city varchar(40), head_country varchar(2), head_no integer,
    primary key (country, no), foreign key (head_country, head_no) references branch (country, no)
  );
  create table opening (
    id integer primary key autoincrement, country varchar(2), branch_no integer, weekday varchar(20) not null,
    foreign key (country, branch_no) references branch (country, no)
  );
  create table language (
    country varchar(2) not null, id integer not null, name varchar(40), primary key (country, id)
  );
  create table branch_language (
    country varchar(2) not null, branch_no integer not null, language_id integer not null,
    primary key (country, branch_no, language_id), foreign key (country, branch_no) references branch (country, no),
    foreign key (country, language_id) references language (country, id)
  );
  create table reader ("last, first" varchar(40) primary key, town varchar(40));
  create table loan (
    id integer primary key autoincrement, "last, first" varchar(40) references reader ("last, first"), due date
  );`;

/** A service of the journey's own; many authors, one with more books than a page holds. */
async function makeLibrary(instance: Instance): Promise<void> {
  const user = { name: 'Bo Nord', first_name: 'Bo', last_name: 'Nord', email: 'bo@example.com', is_active: true };
  const { body } = await instance.api('POST', 'system/user', { resource: [user] });
  const database = new DatabaseSync(join(instance.dataFolder, 'db', 'library.sqlite'));
  database.exec(schema);
  const insertRows = (table: string, rows: Record<string, unknown>[]) => {
    for (const row of rows) {
      const names = Object.keys(row);
      const placeholders = names.map(() => '?').join(', ');
      database
        .prepare(`insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${placeholders})`)
        .run(...(Object.values(row) as string[]));
    }
  };
  const authors = Array.from({ length: 25 }, (_, index) => ({ first_name: 'Ann', last_name: `Writer ${index + 1}` }));
  insertRows('author', [{ first_name: 'Selma', last_name: 'Lagerlöf' }, ...authors]);
  const books = Array.from({ length: 12 }, (_, index) => ({ title: `Volume ${index + 1}`, author_id: 1 }));
  insertRows('book', [
    {
      title: 'Gösta Berling',
      author_id: 1,
      published: '1891-11-20',
      lent_at: '2018-11-20 10:29:59.250',
      facts: '{"pages":9007199254740993,"parts":[1.0,2]}',
      cover: image,
      price: 12.5,
      isbn: '9789100123456',
    },
    ...books,
    { title: 'Of Another', author_id: 2 },
  ]);
  insertRows(
    'tag',
    ['classic', 'novel', 'travel'].map((name) => ({ name })),
  );
  insertRows('book_tag', [{ book_id: 1, tag_id: 1 }]);
  const oslo = { country: 'no', no: 1, city: 'Oslo', head_country: 'ch', head_no: 1 };
  insertRows('branch', [{ country: 'ch', no: 1, city: 'Bern' }, { country: 'ch', no: 2, city: 'Basel' }, oslo]);
  insertRows('opening', [
    { country: 'ch', branch_no: 1, weekday: 'Monday' },
    { country: 'ch', branch_no: 2, weekday: 'Tuesday' },
    { country: 'no', branch_no: 1, weekday: 'Friday' },
  ]);
  insertRows('language', [
    { country: 'ch', id: 1, name: 'Rumantsch' },
    { country: 'ch', id: 2, name: 'Italiano' },
    { country: 'no', id: 1, name: 'Norsk' },
  ]);
  insertRows('reader', [{ 'last, first': 'Nord, Bo', town: 'Bergen' }]);
  insertRows('loan', [{ 'last, first': 'Nord, Bo', due: '2020-01-02' }, { due: '2020-03-04' }]);
  insertRows('branch_language', [
    { country: 'ch', branch_no: 1, language_id: 1 },
    { country: 'no', branch_no: 1, language_id: 1 },
  ]);
  insertRows('df_sys_user', [{ id: body.resource[0].id }]);
  insertRows('review', [{ book_id: 1, user_id: body.resource[0].id, words: 'Fine' }]);
  database.close();
  const service = { name: 'library', label: 'Library', type: 'sqlite', is_active: true };
  const creation = await instance.api('POST', 'system/service', {
    resource: [{ ...service, config: { database: 'library.sqlite' } }],
  });
  expect(creation.status).toBe(201);
}

/** A test with the library as its service `library`. */
export const test = base.extend<object, { library: Instance }>({
  library: [
    async ({ instance }, use) => {
      await makeLibrary(instance);
      await use(instance);
    },
    { scope: 'worker' },
  ],
});
