// The baseline on SQLite: the same answers by the driver alone, as safely kept.
import { Readable } from 'node:stream';
import { serve, valuesOf, wire, written } from './bare.mjs';
import { columns, infoColumns } from './databases.mjs';
import { openSqlite } from './sqlite.mjs';

const db = await openSqlite(JSON.parse(process.argv[2]));
// What is acknowledged is on the disk, as with Sluice.
db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
const list = columns.map((name) => `"${name}"`).join(', ');
const infoList = infoColumns.map((name) => `"${name}"`).join(', ');
const one = db.prepare(`select ${list} from contact where id = ?`);
const fifty = db.prepare(`select ${list} from contact where city = ? order by last_name limit 50`);
const infos = db.prepare(
  `select ${infoList} from contact_info where contact_id in (select value from json_each(?)) order by id`,
);
const insert = db.prepare(`insert into contact (${written}) values (?, ?, ?, ?, ?) returning id`);
const update = db.prepare('update contact set age = ? where id = ? returning id');
const page = db.prepare(`select ${list} from contact order by id limit ? offset ?`);
const count = db.prepare('select count(*) as n from contact');
const all = db.prepare(`select ${list} from contact order by id`);
const insertOne = (record) => insert.get(...valuesOf(record));

await serve({
  db,
  one: (id) => wire(one.get(id)),
  fifty: (city) => fifty.all(city).map(wire),
  children(city) {
    const contacts = fifty.all(city).map(wire);
    return [contacts, infos.all(JSON.stringify(contacts.map(({ id }) => id)))];
  },
  insert(records) {
    if (records.length === 1) return records.map(insertOne);
    db.exec('begin immediate');
    const made = records.map(insertOne);
    db.exec('commit');
    return made;
  },
  update: (id, { age }) => update.get(age, id),
  page: (limit, offset) => [page.all(limit, offset).map(wire), count.get().n],
  all: () => Readable.from(texts()),
});

/** The rows as JSON, some hundred at a time. */
function* texts() {
  let text = '{"resource":[';
  let separator = '';
  for (const row of all.iterate()) {
    text += separator + JSON.stringify(wire(row));
    separator = ',';
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield `${text}]}`;
}
