// The baseline's server: Fastify around what an engine's program answers, with no platform in between. Prints its address.
import { hash, verify } from '@node-rs/argon2';
import Fastify from 'fastify';
import { SignJWT } from 'jose';

/** As Sluice has them (server/src/identity/passwords.ts). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
export const person = { email: 'limited@example.com', password: 'limited password' };

/** What is written of a contact, and a new one's values for it. */
export const written = 'first_name, last_name, email, city, age';
export const valuesOf = ({ first_name, last_name, email, city, age }) => [first_name, last_name, email, city, age];
/** A contact of a database that keeps yes and no as numbers. */
export const wire = (row) => ({ ...row, active: row.active === null ? null : row.active === 1 });

/** Serves the workloads of calls.mjs over `data`; what it answers may be a promise. */
export async function serve(data) {
  const app = Fastify({ bodyLimit: 10 * 1024 * 1024 });
  // A database nobody holds is closed by the garbage collector, prepared statements or not.
  app.decorate('data', data);
  app.get('/one/:id', ({ params }) => data.one(Number(params.id)));
  app.get('/fifty', async ({ query }) => ({ resource: await data.fifty(query.city) }));
  app.get('/children', async ({ query }) => ({ resource: withInfos(...(await data.children(query.city))) }));
  app.post('/contact', async ({ body }) => ({ resource: await data.insert(body.resource) }));
  app.patch('/contact/:id', ({ params, body }) => data.update(Number(params.id), body));
  app.get('/page', async ({ query }) => {
    const [resource, count] = await data.page(Number(query.limit), Number(query.offset));
    return { resource, meta: { count } };
  });
  app.get('/all', (_request, reply) => reply.type('application/json').send(data.all()));
  const secret = new TextEncoder().encode('a secret of thirty-two characters');
  const stored = await hash(person.password, cost);
  app.post('/session', async ({ body }, reply) => {
    if (body.email !== person.email || !(await verify(stored, body.password))) return reply.code(401).send();
    const token = await new SignJWT({ email: body.email })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(secret);
    return { session_token: token, email: body.email };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  console.log(`ready at http://127.0.0.1:${app.server.address().port}`);
  process.on('SIGTERM', () => process.exit(0));
}

/** The second of the two queries, put to the records of the first. */
function withInfos(contacts, infos) {
  const byContact = new Map(contacts.map(({ id }) => [id, []]));
  for (const info of infos) byContact.get(info.contact_id).push(info);
  return contacts.map((contact) => ({ ...contact, contact_info_by_contact_id: byContact.get(contact.id) }));
}
