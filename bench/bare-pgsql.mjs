// The baseline on PostgreSQL: the same answers by pg alone, with named statements and a pool of ten.
import pg from 'pg';
import { serve, valuesOf, written } from './bare.mjs';
import { columns, infoColumns } from './databases.mjs';

// Moments as the database prints them: a Date would have to be made text again.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMP, (text) => text);
const pool = new pg.Pool({ ...JSON.parse(process.argv[2]), max: 10 });
const list = columns.join(', ');
const rows = async (name, text, values = []) => (await pool.query({ name, text, values })).rows;
const fifty = (city) =>
  rows('fifty', `select ${list} from contact where city = $1 order by last_name limit 50`, [city]);

await serve({
  one: async (id) => (await rows('one', `select ${list} from contact where id = $1`, [id]))[0],
  fifty,
  async children(city) {
    const contacts = await fifty(city);
    const infos = await rows(
      'infos',
      `select ${infoColumns.join(', ')} from contact_info where contact_id = any($1) order by id`,
      [contacts.map(({ id }) => id)],
    );
    return [contacts, infos];
  },
  /** One statement, however many records. */
  insert(records) {
    const marks = records.map((_, row) => `(${[1, 2, 3, 4, 5].map((column) => `$${row * 5 + column}`).join(', ')})`);
    const text = `insert into contact (${written}) values ${marks.join(', ')} returning id`;
    return rows(`insert ${records.length}`, text, records.flatMap(valuesOf));
  },
  update: async (id, { age }) =>
    (await rows('update', 'update contact set age = $1 where id = $2 returning id', [age, id]))[0],
  page: (limit, offset) =>
    Promise.all([
      rows('page', `select ${list} from contact order by id limit $1 offset $2`, [limit, offset]),
      rows('count', 'select count(*)::int as n from contact').then(([{ n }]) => n),
    ]),
  /** All in one piece: reading by parts would cost more. */
  all: async () => JSON.stringify({ resource: await rows('all', `select ${list} from contact order by id`) }),
});
