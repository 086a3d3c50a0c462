// The baseline on MariaDB: the same answers by mysql2 alone, with prepared statements and a pool of ten.
import { createPool } from 'mysql2/promise';
import { serve, valuesOf, wire, written } from './bare.mjs';
import { columns, infoColumns } from './databases.mjs';

// Moments as the database prints them: a Date would have to be made text again.
const pool = createPool({ ...JSON.parse(process.argv[2]), connectionLimit: 10, dateStrings: true });
const list = columns.join(', ');
const rows = async (sql, values = []) => (await pool.execute(sql, values))[0];
const contacts = async (sql, values) => (await rows(sql, values)).map(wire);
const fifty = (city) => contacts(`select ${list} from contact where city = ? order by last_name limit 50`, [city]);

await serve({
  one: async (id) => (await contacts(`select ${list} from contact where id = ?`, [id]))[0],
  fifty,
  async children(city) {
    const found = await fifty(city);
    const marks = found.map(() => '?').join(', ');
    const ids = found.map(({ id }) => id);
    const infos = await rows(
      `select ${infoColumns.join(', ')} from contact_info where contact_id in (${marks}) order by id`,
      ids,
    );
    return [found, infos];
  },
  /** One statement, however many records. */
  insert(records) {
    const marks = records.map(() => '(?, ?, ?, ?, ?)').join(', ');
    return rows(`insert into contact (${written}) values ${marks} returning id`, records.flatMap(valuesOf));
  },
  async update(id, { age }) {
    await rows('update contact set age = ? where id = ?', [age, id]);
    return { id };
  },
  page: (limit, offset) =>
    Promise.all([
      contacts(`select ${list} from contact order by id limit ? offset ?`, [String(limit), String(offset)]),
      rows('select count(*) as n from contact').then(([{ n }]) => n),
    ]),
  all: async () => JSON.stringify({ resource: await contacts(`select ${list} from contact order by id`) }),
});
