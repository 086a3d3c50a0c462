// What the tests of writing records share: how a case is told, and the shapes of answers.
import { expect } from 'vitest';
import { type EngineName, type Fixture, of } from './fixture/index.ts';
import { type Asked, ask } from './test-call.ts';

export const many = (...resource: unknown[]) => ({ resource });
export const item = (message: string, code: number | string = 400, status = 400) => ({
  code,
  context: null,
  message,
  status_code: status,
});
export const batch = (verb: string, error: number[], resource: unknown[], after = '') => ({
  error: {
    code: 1000,
    context: { error, resource },
    message: `Batch Error: Not all requested records could be ${verb}.${after}`,
    status_code: 400,
  },
});
export const noRecords =
  'No record(s) detected in request. Please make sure record(s) are wrapped in a \'resource\' tag. Example: {"resource":[{"record":1},{"record":2}]}';

/** Asks, compares the answer, then the values that a query finds in the database, as text. */
export type Case = [
  what: string,
  line: string,
  asked: Asked,
  status: number,
  body: unknown,
  sql?: string,
  values?: (string | null)[],
];

export async function check(db: Fixture, engine: EngineName, given: Case): Promise<void> {
  const [, line, asked, status, body, sql, values] = of(engine, given);
  const answer = await ask(db.service, line, asked);
  expect(answer.body).toEqual(body);
  expect(answer.status).toBe(status);
  if (sql) expect(await db.sql(sql)).toEqual(values);
}
