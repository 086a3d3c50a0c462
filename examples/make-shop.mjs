// Makes a small SQLite database to try things on: node examples/make-shop.mjs [file]
// Prints the path to give to a service of type SQLite.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const { DatabaseSync } = await import('node:sqlite').catch(() => import('@photostructure/sqlite')); // Node 20 has none of its own

const file = resolve(process.argv[2] ?? 'shop.sqlite');
if (existsSync(file)) {
  console.error(`${file} is there already; name another file, or remove it first.`);
  process.exit(1);
}

const db = new DatabaseSync(file);
db.exec(`
  CREATE TABLE customer (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT NOT NULL,
    email TEXT UNIQUE
  );
  CREATE TABLE product (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    price REAL NOT NULL CHECK (price >= 0),
    in_stock INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE purchase (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customer(id),
    product_id INTEGER NOT NULL REFERENCES product(id),
    quantity INTEGER NOT NULL DEFAULT 1,
    bought_on TEXT NOT NULL
  );
`);

const products = [
  ['Green tea', 6.5, 120],
  ['Black tea', 5.9, 80],
  ['Peppermint tea', 4.2, 0],
  ['Espresso beans', 14.9, 45],
  ['Filter coffee', 11.5, 60],
  ['Teapot, 1 l', 32, 12],
  ['Milk jug', 18.75, 9],
  ['Mug', 9.5, 200],
];
const customers = [
  ['Ada Lovelace', 'London'],
  ['Jorge Luis Borges', 'Buenos Aires'],
  ['Wisława Szymborska', 'Kraków'],
  ['Chinua Achebe', 'Ogidi'],
  ['Toni Morrison', 'Lorain'],
];

const addProduct = db.prepare('INSERT INTO product (name, price, in_stock) VALUES (?, ?, ?)');
const addCustomer = db.prepare('INSERT INTO customer (name, city, email) VALUES (?, ?, ?)');
const addPurchase = db.prepare(
  'INSERT INTO purchase (customer_id, product_id, quantity, bought_on) VALUES (?, ?, ?, ?)',
);
db.exec('BEGIN');
for (const row of products) addProduct.run(...row);
for (const [name, city] of customers) addCustomer.run(name, city, `${name.split(' ')[0].toLowerCase()}@example.com`);
for (let i = 0; i < 200; i++) {
  const day = new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10);
  addPurchase.run(1 + (i % customers.length), 1 + ((i * 3) % products.length), 1 + (i % 4), day);
}
db.exec('COMMIT');
db.close();

console.log(file);
