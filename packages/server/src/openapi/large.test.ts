// A database of a thousand tables: its document is made piece by piece, and others have their turn in between.
import type { TableDescription } from '@sluice/contract';
import { fieldDescription } from '@sluice/sql';
import { countRounds } from '@sluice/testkit/rounds';
import { expect, it } from 'vitest';
import { admin, user } from '../database/fixture/call.fixture.ts';
import { operationsOf } from '../database/fixture/index.ts';
import { documentOf, type Form, writeParts } from './index.ts';

const count = 1_000;
const names = Array.from({ length: count }, (_, index) => `table_${index}`);

const column = (name: string, type: 'id' | 'string' | 'decimal' | 'text' | 'reference') =>
  fieldDescription({ name, type, db_type: type, length: type === 'string' ? 40 : null });

const describe = (name: string): { table: TableDescription } => ({
  table: {
    ...{
      alias: null,
      name,
      label: name,
      description: null,
      native: [],
      plural: name,
      is_view: false,
      name_field: null,
    },
    primary_key: ['id'],
    field: [
      ...[column('id', 'id'), column('name', 'string'), column('price', 'decimal'), column('note', 'text')],
      column('parent', 'reference'),
    ],
    related: [],
    constraints: [],
  },
});

const read = async (form: Form, caller = admin, each: (piece: string) => void = () => {}) => {
  const parts = documentOf({
    caller,
    form,
    services: [
      {
        row: { id: 5, key: 'db', name: 'db', label: 'db', description: null },
        operations: operationsOf('pgsql'),
        leadsTo: () => true,
        items: { names: { _table: names, _schema: names }, describe: { _table: describe, _schema: undefined } },
        isUnread: false,
      },
    ],
    serviceKey: () => undefined,
  });
  const pieces: string[] = [];
  for await (const piece of writeParts(parts, 'json')) {
    pieces.push(piece);
    each(piece);
  }
  return pieces;
};

it('abuse: a thousand tables are described in pieces and in bounded time, and calls are answered in between', async () => {
  await read('3.1');
  const rounds = countRounds();
  let beforeSchemas = 0;
  const pieces = await read('3.1', admin, (piece) => {
    if (piece.includes('"schemas":{')) beforeSchemas = rounds.current;
  });
  rounds.stop();
  const document = JSON.parse(pieces.join(''));
  expect(Object.keys(document.paths).filter((path) => path.startsWith('/_table/table_'))).toHaveLength(2 * count);
  expect(beforeSchemas).toBeGreaterThan(10);
  // The schemas of the tables are a third of it.
  expect(rounds.current - beforeSchemas).toBeGreaterThan(5);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(128 * 1024);
});

it('abuse: of a role that names each of a thousand tables in rows of their own no table is compared with all rows', async () => {
  const mine = names.filter((_, index) => index % 2 === 0);
  const rows = Object.fromEntries(
    mine.flatMap((name) => [`_table/${name}`, `_table/${name}/*`].map((row) => [row, 1])),
  );
  const rounds = countRounds();
  const document = JSON.parse((await read('3.1', user(rows))).join(''));
  rounds.stop();
  const own = mine.flatMap((name) => [`/_table/${name}`, `/_table/${name}/{id}`]);
  expect(Object.keys(document.paths).filter((path) => path.startsWith('/_table/table_'))).toEqual(own);
  expect(rounds.current).toBeGreaterThan(10);
});
