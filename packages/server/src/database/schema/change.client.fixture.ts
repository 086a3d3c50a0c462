// What the tests of changes through `_schema` ask of a service.
import { ask, type TestRequest } from '../fixture/call.fixture.ts';
import type { Fixture } from '../fixture/index.ts';

/** Drops tables, also those that reference each other in a circle. */
export async function dropAll(db: Fixture, names: readonly string[]): Promise<void> {
  const call = async (line: string) => (await ask(db.service, line)).status;
  let left = [...names];
  const dropLeft = async () => {
    for (const name of left) await call(`DELETE _schema/${name}`);
    const found = await Promise.all(left.map((name) => call(`GET _schema/${name}`)));
    left = left.filter((_, index) => found[index] !== 404);
  };
  for (let count = Infinity; left.length > 0 && left.length < count; ) {
    count = left.length;
    await dropLeft();
  }
  for (const name of left) {
    const { body } = await ask(db.service, `GET _schema/${name}`);
    const constraints = Object.values(body.constraints) as Record<string, string>[];
    const references = constraints.filter(({ constraint_type }) => constraint_type === 'FOREIGN KEY');
    const ids = references.map(({ column_name }) => column_name).join(',');
    if (ids === '') continue;
    const { status, text } = await ask(db.service, `DELETE _schema/${name}/_field`, { query: { ids } });
    if (status !== 200) throw new Error(`${name} ${ids}: ${text}`);
  }
  await dropLeft();
  if (left.length > 0) throw new Error(`not dropped: ${left}`);
}

/** Calls on the service of a fixture; `ok` throws where it is refused. */
export const clientOf = (pick: () => Fixture) => {
  const call = (line: string, body?: unknown, request: TestRequest = {}) =>
    ask(pick().service, line, { body, ...request });
  const ok = async (line: string, body?: unknown, request: TestRequest = {}) => {
    const answer = await call(line, body, request);
    if (answer.status !== 200) throw new Error(`${line}: ${answer.text}`);
    return answer.body;
  };
  const describeTable = (name: string) => ok(`GET _schema/${name}`, undefined, { query: { refresh: 'true' } });
  const describeAll = async (names: readonly string[]) => {
    const tables = [];
    for (const name of names) tables.push(await describeTable(name));
    return tables;
  };
  const plan = async (verb: string, path: string, body?: unknown) =>
    (await ok('POST _plan', { verb, path, body })).resource as Record<string, unknown>[];
  return { call, ok, describeTable, describeAll, plan };
};
