// The baseline on PostgreSQL: Fastify and pg with named statements, giving the same answers with no platform around
// them. Prints its address.
import Fastify from 'fastify';
import pg from 'pg';
import { columns } from './databases.mjs';

// Moments as the database prints them: a Date would have to be made text again.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMP, (text) => text);
const pool = new pg.Pool({ ...JSON.parse(process.argv[2]), max: 10 });
const list = columns.join(', ');
const one = (id) => ({ name: 'one', text: `select ${list} from contact where id = $1`, values: [id] });
const fifty = (city) => ({
  name: 'fifty',
  text: `select ${list} from contact where city = $1 order by last_name limit 50`,
  values: [city],
});
const insert = (values) => ({
  name: 'insert',
  text: 'insert into contact (first_name, last_name, email, city, age) values ($1, $2, $3, $4, $5) returning id',
  values,
});

const app = Fastify();
app.get('/one/:id', async (request) => (await pool.query(one(Number(request.params.id)))).rows[0]);
app.get('/fifty', async (request) => ({ resource: (await pool.query(fifty(request.query.city))).rows }));
app.post('/contact', async (request) => {
  const [{ first_name, last_name, email, city, age }] = request.body.resource;
  return { resource: (await pool.query(insert([first_name, last_name, email, city, age]))).rows };
});
await app.listen({ port: 0, host: '127.0.0.1' });
console.log(`ready at http://127.0.0.1:${app.server.address().port}`);
process.on('SIGTERM', () => process.exit(0));
