// Connects a SQLite database as the service `shop`: EMAIL=… PASSWORD=… node examples/connect.mjs shop.sqlite
import { resolve } from 'node:path';

const address = process.env.SLUICE ?? 'http://127.0.0.1:8080';
const database = resolve(process.argv[2] ?? 'shop.sqlite');
if (!process.env.EMAIL || !process.env.PASSWORD) {
  console.error(
    'Set EMAIL and PASSWORD to those of an administrator: EMAIL=… PASSWORD=… node examples/connect.mjs shop.sqlite',
  );
  process.exit(1);
}

async function post(path, body, headers = {}) {
  const response = await fetch(`${address}/api/v2/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer.error, null, 2));
  return answer;
}

const { session_token } = await post('system/admin/session', {
  email: process.env.EMAIL,
  password: process.env.PASSWORD,
});
const answer = await post(
  'system/service',
  { resource: [{ name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database } }] },
  { 'X-DreamFactory-Session-Token': session_token },
);
console.log(`Connected ${database} as service ${answer.resource[0].id}: ${address}/api/v2/shop/_table`);
