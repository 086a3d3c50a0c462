// An API key that may only read one table: a role, an app with that role, and a call with nothing but the app's key.
//   EMAIL=you@example.com PASSWORD=… node examples/api-key.mjs
const address = process.env.SLUICE ?? 'http://127.0.0.1:8080';
if (!process.env.EMAIL || !process.env.PASSWORD) {
  console.error('Set EMAIL and PASSWORD to those of an administrator: EMAIL=… PASSWORD=… node examples/api-key.mjs');
  process.exit(1);
}
const read = 1; // GET 1, POST 2, PUT 4, PATCH 8, DELETE 16; masks are sums

async function call(verb, path, credentials, body) {
  const response = await fetch(`${address}/api/v2/${path}`, {
    method: verb,
    headers: { 'Content-Type': 'application/json', ...credentials },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, answer: await response.json() };
}

/** Creates one record of a system resource and answers it. */
async function create(resource, record) {
  const { answer } = await call('POST', `system/${resource}?fields=*`, admin, { resource: [record] });
  if (answer.error) throw new Error(JSON.stringify(answer.error));
  return answer.resource[0];
}

const { answer: session } = await call(
  'POST',
  'system/admin/session',
  {},
  {
    email: process.env.EMAIL,
    password: process.env.PASSWORD,
  },
);
if (session.error) throw new Error(session.error.message);
const admin = { 'X-DreamFactory-Session-Token': session.session_token };

const { answer: services } = await call('GET', 'system/service?filter=name%3D%22shop%22', admin);
if (services.resource.length === 0) throw new Error('There is no service `shop` yet: see examples/README.md.');
const name = `shop-reader-${Date.now()}`;
const role = await create('role', {
  name,
  is_active: true,
  role_service_access_by_role_id: [
    { service_id: services.resource[0].id, component: '_table/product/*', verb_mask: read, requestor_mask: 1 },
  ],
});
const app = await create('app', { name, is_active: true, type: 0, role_id: role.id });
console.log(`The app ${app.name} has the API key ${app.api_key}`);

const key = { 'X-DreamFactory-API-Key': app.api_key };
const allowed = await call('GET', 'shop/_table/product?limit=1', key);
console.log('Reading products:', allowed.status, JSON.stringify(allowed.answer));
const refused = await call('GET', 'shop/_table/customer', key);
console.log('Reading customers:', refused.status, refused.answer.error.message);

await call('DELETE', `system/app/${app.id}`, admin);
await call('DELETE', `system/role/${role.id}`, admin);
