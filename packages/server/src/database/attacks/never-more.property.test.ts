// No call shows or touches a row that the record filters of its role do not leave, and no answer tells that there are
// any: seen from a model that knows nothing of SQL (contract/role-access.md §5).
import type { Verb } from '@sluice/contract';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decideFor } from '../../access/gate.ts';
import type { Service } from '../../service/service.ts';
import { ask, type TestAnswer, userWithAccess } from '../fixture/call.fixture.ts';
import type { TestDatabase } from '../fixture/engine.ts';
import { type EngineName, engines, onEachEngine } from '../fixture/index.ts';
import { aRead, aWrite, type ModelCall, type Relations } from './never-more.calls.fixture.ts';
import {
  accessRows,
  aDraft,
  aRole,
  aWriterRole,
  columnsOf,
  createSql,
  type Data,
  dataFrom,
  dataOf,
  dumpSql,
  elsewhere,
  fillSql,
  isMovable,
  isPart,
  keyOf,
  may,
  mayOneOf,
  meets,
  type Role,
  type Row,
  type TableName,
  tableNames,
  twinOf,
} from './never-more.fixture.ts';

/** Rounds of one role on one set of rows, and calls in each. SQLite gets most of them: it answers soonest. */
const rounds: Record<EngineName, { reads: number; writes: number; learns: number }> = {
  sqlite: { reads: soakRounds(30, 2_000), writes: soakRounds(80, 5_000), learns: soakRounds(250, 70_000) },
  pgsql: { reads: soakRounds(8, 500), writes: soakRounds(15, 1_000), learns: soakRounds(25, 15_000) },
  mysql: { reads: soakRounds(8, 500), writes: soakRounds(15, 1_000), learns: soakRounds(25, 15_000) },
};
const timeout = soakRounds(120_000, 3_600_000);
const readsInRound = 10;
const writesInRound = 3;

await onEachEngine((engine) => {
  let mainDatabase: TestDatabase;
  let otherDatabase: TestDatabase;
  let service: Service;
  let other: Service;
  /** As the two, with answers that are soon cut. */
  let small: Service;
  let otherSmall: Service;
  let upserting: Service;
  let relations: Relations;
  beforeAll(async () => {
    [mainDatabase, otherDatabase] = [await engines[engine].createDatabase(), await engines[engine].createDatabase()];
    for (const testDatabase of [mainDatabase, otherDatabase]) await testDatabase.run(createSql(engine));
    [service, other] = [await mainDatabase.open({}), await otherDatabase.open({})];
    const described = tableNames.map(async (table) => {
      const { body } = await ask(service, `GET _schema/${table}`);
      return [table, body.related] as const;
    });
    [small, otherSmall] = [await mainDatabase.open({ max_records: 3 }), await otherDatabase.open({ max_records: 3 })];
    upserting = await mainDatabase.open({ allow_upsert: true });
    relations = Object.fromEntries(await Promise.all(described)) as Relations;
  });
  afterAll(async () => {
    for (const opened of [service, other, small, otherSmall, upserting]) await opened?.close?.();
    await mainDatabase?.remove();
    await otherDatabase?.remove();
  });

  /** Undefined where the gate refuses. */
  const send = async (
    target: Service,
    { line, query, body }: ModelCall,
    role: Role,
  ): Promise<TestAnswer | undefined> => {
    const as = userWithAccess(accessRows(role));
    const [verb = '', path = ''] = line.split(' ');
    if (!decideFor(as, verb as Verb, 'db', path).allowed) return undefined;
    return ask(target, line, { query, body, as });
  };

  /** Fails where a record shows what no row has that `isSeen`; records inside are seen by GET, as they are `now`. */
  function checkShown(
    table: TableName,
    record: Row,
    rows: Row[],
    isRelatedSeen: (table: TableName, row: Row) => boolean,
    now: Data,
  ) {
    const columns = columnsOf(table).map(([name]) => name);
    const shown = Object.entries(record).filter(([name]) => columns.includes(name));
    const exists = rows.some((row) => shown.every(([name, value]) => row[name] === value));
    if (!exists) throw new Error(`${table} shows ${JSON.stringify(record)}`);
    for (const { name, ref_table } of relations[table]) {
      const inside = [(record as Record<string, unknown>)[name] ?? []].flat() as Row[];
      const to = ref_table as TableName;
      const visible = now[to].filter((row) => isRelatedSeen(to, row));
      for (const record of inside) checkShown(to, record, visible, isRelatedSeen, now);
    }
  }

  it('reads show visible rows only, and say nothing of others', { timeout }, async () => {
    const round = fc.record({
      role: aRole,
      draft: aDraft,
      hidden: aDraft,
      isSmall: fc.boolean(),
      calls: fc.array(aRead(relations), { minLength: 1, maxLength: readsInRound, size: 'max' }),
    });
    await fc.assert(
      fc.asyncProperty(round, async ({ role, draft, hidden, isSmall, calls }) => {
        const data = dataFrom(draft);
        const isSeen = (table: TableName, row: Row) => may(role, 'GET', table, row);
        await mainDatabase.run(fillSql(data));
        await otherDatabase.run(fillSql(elsewhere(data, hidden, isSeen)));
        const [one, two] = isSmall ? [small, otherSmall] : [service, other];
        for (const call of calls) {
          const answer = await send(one, call, role);
          if (!answer) continue;
          const { status, text, body } = answer;
          expect(status, text).toBeLessThan(500);
          expect((await send(two, call, role))?.text).toBe(text);
          if (status !== 200 || typeof body === 'number' || call.query.as_list) continue;
          const visible = data[call.table].filter((row) => isSeen(call.table, row));
          const records: Row[] = body.resource ?? [body];
          for (const record of records) checkShown(call.table, record, visible, isSeen, data);
          if (!call.whole || body.meta?.next !== undefined) continue;
          const { conditions, isNegated } = call.whole;
          const wanted = visible.filter((row) => {
            const outcomes = conditions.map((condition) => meets(row, condition));
            return isNegated ? outcomes.includes(false) : outcomes.every((outcome) => outcome === true);
          });
          const keys = (rows: Row[]) => rows.map((row) => keyOf(call.table, row)).sort();
          expect(keys(records)).toEqual(keys(wanted));
        }
      }),
      { numRuns: rounds[engine].reads },
    );
  });

  it('writes touch visible rows only, and leave none that could not be written so', { timeout }, async () => {
    const round = fc.record({
      role: aRole,
      draft: aDraft,
      upserts: fc.boolean(),
      calls: fc.array(aWrite(relations), { minLength: 1, maxLength: writesInRound, size: 'max' }),
    });
    await fc.assert(
      fc.asyncProperty(round, async ({ role, draft, upserts, calls }) => {
        let before = dataFrom(draft);
        await mainDatabase.run(fillSql(before));
        for (const call of calls) {
          const answer = await send(upserts ? upserting : service, call, role);
          if (!answer) continue;
          expect(answer.status, answer.text).toBeLessThan(500);
          const after = dataOf(await mainDatabase.run(dumpSql));
          checkChanges(call, role, before, after, upserts);
          if (call.query.rollback && answer.status >= 400) expect(after).toEqual(before);
          if (answer.status === 200 && !answer.body.success) checkWritten(call, role, answer, before, after);
          before = after;
        }
      }),
      { numRuns: rounds[engine].writes },
    );
  });

  /** Records inside are put in by POST and changed by PATCH, those of the call itself by its own verb. */
  function checkChanges({ line, table: main }: ModelCall, role: Role, before: Data, after: Data, upserts: boolean) {
    const isPut = line.startsWith('PUT');
    for (const table of tableNames) {
      const changing: Verb[] = table === main && isPut ? ['PUT', 'PATCH'] : ['PATCH'];
      const moving = isMovable(table) ? changing : [];
      // Where a service upserts, an update makes what is not there, by the rules for updates.
      const making = upserts && table === main ? changing : moving;
      const was = new Map(before[table].map((row) => [keyOf(table, row), row]));
      const rowsAfter = new Map(after[table].map((row) => [keyOf(table, row), row]));
      const must = (what: string, row: Row, verbs: Verb[]) => {
        if (!mayOneOf(role, verbs, table, row)) throw new Error(`${what} ${table} ${JSON.stringify(row)}`);
      };
      for (const [key, row] of was) {
        const now = rowsAfter.get(key);
        if (!now) must('took away', row, ['DELETE', ...moving]);
        else if (JSON.stringify(now) !== JSON.stringify(row)) {
          must('changed', row, isMovable(table) ? ['DELETE', ...changing] : changing);
          must('changed to', now, isMovable(table) ? ['POST', ...changing] : changing);
        }
      }
      for (const [key, row] of rowsAfter) if (!was.has(key)) must('made', row, ['POST', ...making]);
    }
  }

  /**
   * A write answers the rows it wrote: as GET shows them, else their key and what was sent; and what GET shows of those
   * related to them.
   */
  function checkWritten(call: ModelCall, role: Role, { body }: TestAnswer, before: Data, after: Data) {
    const { line, table } = call;
    const verb = line.split(' ')[0] as Verb;
    const rows = verb === 'DELETE' ? before : after;
    const isSeen = (to: TableName, row: Row) => may(role, 'GET', to, row);
    const visibleRows = rows[table].filter((row) => isSeen(table, row));
    const written = rows[table].filter((row) => may(role, verb, table, row));
    // A batch may write a row and then give it another key: what it answers of the first is gone.
    const isGone = (record: Row) =>
      isMovable(table) && !rows[table].some((row) => keyOf(table, row) === keyOf(table, record));
    if (call.query.as_list) return;
    for (const [index, record] of ((body.resource ?? [body]) as Row[]).entries()) {
      const knownColumns = knownTo(call, index);
      const isWithheld = columnsOf(table).every(([name]) => !(name in record) || knownColumns.has(name));
      const hasRelated = Object.keys(record).some((name) =>
        relations[table].some((relation) => relation.name === name),
      );
      if (hasRelated || !isWithheld) checkShown(table, record, visibleRows, isSeen, rows);
      else if (!isGone(record)) checkShown(table, record, written, isSeen, rows);
    }
  }

  /** The key, and what the call sends of the record at a place of its answer. */
  function knownTo({ table, line, query, body }: ModelCall, index: number): Set<string> {
    const knownColumns = new Set(columnsOf(table).flatMap(([name]) => (isPart(table, name) ? [name] : [])));
    if (line.startsWith('DELETE')) return knownColumns;
    const { resource } = body as { resource?: Row[] };
    const isOneForAll = query.ids !== undefined || query.filter !== undefined;
    const input = resource ? resource[isOneForAll ? 0 : index] : (body as Row);
    for (const name of Object.keys(input ?? {})) knownColumns.add(name);
    return knownColumns;
  }

  it('abuse: writes tell nothing that GET does not show', { timeout }, async () => {
    const round = fc.record({ role: aWriterRole, draft: aDraft, hidden: aDraft, call: aWrite(relations) });
    await fc.assert(
      fc.asyncProperty(round, async ({ role, draft, hidden, call }) => {
        const data = dataFrom(draft);
        await mainDatabase.run(fillSql(data));
        await otherDatabase.run(fillSql(twinOf(data, hidden, role)));
        const answer = await send(service, call, role);
        if (!answer) return;
        const otherAnswer = (await send(other, call, role))!;
        // What a write brings into sight is for everybody to see.
        const wasSeen = new Set(keysSeen(role, data));
        if (keysSeen(role, dataOf(await mainDatabase.run(dumpSql))).some((key) => !wasSeen.has(key))) return;
        expect(plain(otherAnswer)).toBe(plain(answer));
      }),
      { numRuns: rounds[engine].learns },
    );
  });

  const keysSeen = (role: Role, data: Data): string[] =>
    tableNames.flatMap((table) =>
      data[table].filter((row) => may(role, 'GET', table, row)).map((row) => `${table} ${keyOf(table, row)}`),
    );
});

/** An answer without the name of its database and the numbers that counted up: no two have counted alike. */
function plain({ text }: TestAnswer): string {
  const counted = new Map<string, string>();
  return text.replace(/sluice_test_\w+/g, '').replace(/("(?:status_)?code":)?\b(\d+)/g, (whole, code, digits) => {
    if (code !== undefined || Number(digits) <= 12) return whole;
    if (!counted.has(digits)) counted.set(digits, `#${counted.size}`);
    return counted.get(digits)!;
  });
}
