// The baseline on SQLite: Fastify and the driver, giving the same answers, as safely kept, with no platform around them.
// Prints its address.
import Fastify from 'fastify';
import { columns } from './databases.mjs';
import { openSqlite } from './sqlite.mjs';

const db = await openSqlite(JSON.parse(process.argv[2]));
// What is acknowledged is on the disk, as with Sluice.
db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
const list = columns.map((name) => `"${name}"`).join(', ');
const one = db.prepare(`select ${list} from contact where id = ?`);
const fifty = db.prepare(`select ${list} from contact where city = ? order by last_name limit 50`);
const insert = db.prepare(
  'insert into contact (first_name, last_name, email, city, age) values (?, ?, ?, ?, ?) returning id',
);
const wire = (row) => ({ ...row, active: row.active === null ? null : row.active === 1 });

const app = Fastify();
// A database nobody holds is closed by the garbage collector, prepared statements or not.
app.decorate('db', db);
app.get('/one/:id', (request) => wire(one.get(Number(request.params.id))));
app.get('/fifty', (request) => ({ resource: fifty.all(request.query.city).map(wire) }));
app.post('/contact', (request) => {
  const [{ first_name, last_name, email, city, age }] = request.body.resource;
  return { resource: [insert.get(first_name, last_name, email, city, age)] };
});
await app.listen({ port: 0, host: '127.0.0.1' });
console.log(`ready at http://127.0.0.1:${app.server.address().port}`);
process.on('SIGTERM', () => process.exit(0));
