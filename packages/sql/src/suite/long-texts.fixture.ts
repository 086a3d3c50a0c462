import { expect } from 'vitest';
import type { Database, Row } from '../query/index.ts';
import { rowsOf } from './rows.fixture.ts';

const ids = Array.from({ length: 10 }, (_, id) => id);

/** Makes a table of ten records with long texts; `type` is that of its column. */
export const longTextsSql = (type: 'text' | 'longtext') => `create table long_text (id integer primary key, t ${type});
  insert into long_text values ${ids.map((id) => `(${id}, repeat('é"${id}', 500000))`).join(', ')}`;

/** Reads all of them at once, by connections of their own, and expects that each was read in another turn of the event loop. */
export async function expectLongTextsInTurns(database: Database): Promise<void> {
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  const read = async (id: number): Promise<{ turn: number; rows: Row[] }> => {
    const rows = await rowsOf(database, 'long_text', `id = ${id}`);
    return { turn, rows };
  };
  const answers = await Promise.all(ids.map(read));
  clearImmediate(next);
  for (const [id, { rows }] of answers.entries()) expect(rows).toEqual([{ id, t: `é"${id}`.repeat(500_000) }]);
  expect(new Set(answers.map((answer) => answer.turn)).size).toBe(ids.length);
}
