import { expect } from 'vitest';
import type { Database, Row } from '../query/index.ts';
import { rowsOf } from './rows.fixture.ts';

const ids = Array.from({ length: 10 }, (_, id) => id);

/** Makes a table of ten records with long texts; `type` is that of its column. */
export const longTextsSql = (type: 'text' | 'longtext') => `create table long_text (id integer primary key, t ${type});
  insert into long_text values ${ids.map((id) => `(${id}, repeat('é"${id}', 500000))`).join(', ')}`;

/** Rounds of the event loop, as `countRounds` counts them. */
interface Rounds {
  readonly current: number;
  stop(): void;
}

/** Reads all of them at once, by connections of their own, and expects that they were read in several rounds of the event loop. */
export async function expectLongTextsInRounds(database: Database, rounds: Rounds): Promise<void> {
  const read = async (id: number): Promise<{ round: number; rows: Row[] }> => {
    const rows = await rowsOf(database, 'long_text', `id = ${id}`);
    return { round: rounds.current, rows };
  };
  const answers = await Promise.all(ids.map(read));
  rounds.stop();
  for (const [id, { rows }] of answers.entries()) expect(rows).toEqual([{ id, t: `é"${id}`.repeat(500_000) }]);
  expect(new Set(answers.map((answer) => answer.round)).size).toBeGreaterThan(2);
}
