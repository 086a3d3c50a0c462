// The same as records.sh in JavaScript, without a library: EMAIL=you@example.com PASSWORD=… node examples/records.mjs
const address = process.env.SLUICE ?? 'http://127.0.0.1:8080';
if (!process.env.EMAIL || !process.env.PASSWORD) {
  console.error('Set EMAIL and PASSWORD to those of an administrator: EMAIL=… PASSWORD=… node examples/records.mjs');
  process.exit(1);
}
let token;

/** One call. Answers the parsed body; an error envelope becomes an Error with the server's message. */
async function call(verb, path, body) {
  const response = await fetch(`${address}/api/v2/${path}`, {
    method: verb,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { 'X-DreamFactory-Session-Token': token }),
    },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${verb} ${path}: ${answer.error.message} (${response.status})`);
  return answer;
}

const session = await call('POST', 'system/admin/session', {
  email: process.env.EMAIL,
  password: process.env.PASSWORD,
});
token = session.session_token;
console.log(`Signed in as ${session.email}.`);

const filter = encodeURIComponent('(price < 10) and (name contains "tea")');
const cheap = await call('GET', `shop/_table/product?filter=${filter}&order=price&include_count=true`);
console.log(`${cheap.meta.count} cheap teas:`, cheap.resource.map((product) => product.name).join(', '));

// Several records at once: all or none with rollback=true.
const made = await call('POST', 'shop/_table/product?rollback=true&fields=*', {
  resource: [
    { name: 'Oolong', price: 8.4 },
    { name: 'Rooibos', price: 3.9, in_stock: 10 },
  ],
});
console.log('Inserted:', made.resource);

const ids = made.resource.map((product) => product.id).join(',');
await call('DELETE', `shop/_table/product?ids=${ids}`);
console.log(`Deleted ${ids} again.`);

await call('DELETE', 'system/admin/session');
