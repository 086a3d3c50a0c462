// `system/limit_cache`: the counters of limits, and how to set them back (contract/limits.md §6).
import { fail, type LimitCacheEntry, truthy } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { parseCommaList, readListQuery } from '../../call/list-query.ts';
import { type Outcome, recordsOf, settleBatch, stringifyInput } from '../../call/payload.ts';
import type { Limits } from '../../limits/index.ts';
import { parseNumericId } from '../../records/rows.ts';
import type { Store } from '../../store/index.ts';

export interface LimitCacheParts {
  store: Pick<Store, 'db'>;
  limits: Pick<Limits, 'entries' | 'reset'>;
}

/** The entries of all limits, or of those that `ids` or the records of the body name. */
export async function listCounters({ store, limits }: LimitCacheParts, call: Call): Promise<Reply> {
  const ids = await namedIds(call);
  const { asList, continue: goesOn } = readListQuery(call);
  const rows = await readRows(store);
  if (ids === undefined && asList) return answer({ resource: rows.map(({ id }) => id) });
  if (ids === undefined) return answer({ resource: (await limits.entries(rows, store.db)).flat() });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const named = outcomesOf(ids, goesOn, (id) => byId.get(id));
  const found = named.flatMap(({ result }) => (result ? [result] : []));
  const entries = new Map<number, LimitCacheEntry[]>();
  for (const [at, list] of (await limits.entries(found, store.db)).entries()) entries.set(found[at]!.id, list);
  const settled = settleBatch('retrieved', named, false, ({ id }) => oneOrAll(entries.get(id) ?? []));
  if (asList) return answer({ resource: settled.map(({ id }) => id) });
  return answer({ resource: settled.flatMap(({ id }) => entries.get(id) ?? []) });
}

/** The first entry of a limit. */
export async function readCounter({ store, limits }: LimitCacheParts, raw = ''): Promise<Reply> {
  const id = parseNumericId(raw);
  const [row] = id === undefined ? [] : await readRows(store, id);
  if (!row) throw unknownRecord(raw);
  const [[first] = []] = await limits.entries([row], store.db);
  // Of a limit for each user, while there is none.
  return answer(first ?? { id: row.id, key: row.key_text, max: row.rate, attempts: 0, remaining: row.rate });
}

/** Sets the counters of a limit back. */
export async function resetCounter({ store, limits }: LimitCacheParts, raw = ''): Promise<Reply> {
  const id = parseNumericId(raw);
  const [row] = id === undefined ? [] : await readRows(store, id);
  if (!row) throw unknownRecord(raw);
  await limits.reset([row.id]);
  return answer({ id: row.id });
}

/** Sets the counters of the limits back that are named; all with `force`. */
export async function resetCounters({ store, limits }: LimitCacheParts, call: Call): Promise<Reply> {
  const ids = await namedIds(call);
  if (ids === undefined) {
    const isForced = readListQuery(call).force || truthy(call.query.get('allow_delete'));
    if (!isForced) throw fail('record.none');
    await limits.reset('all');
    return answer({ success: true });
  }
  const existing = new Set((await readRows(store)).map(({ id }) => id));
  const outcomes = outcomesOf(ids, readListQuery(call).continue, (id) => (existing.has(id) ? { id } : undefined));
  await limits.reset(outcomes.flatMap(({ result }) => (result ? [result.id] : [])));
  return answer({ resource: settleBatch('deleted', outcomes) });
}

/** By `ids`, else by the records of the body; undefined where neither names any. */
async function namedIds(call: Call): Promise<unknown[] | undefined> {
  const named = parseCommaList(call.query.get('ids')) ?? recordsOf(await call.body()).map(({ id }) => id);
  return named.length > 0 ? named : undefined;
}

/** What each id leads to, up to the first that leads nowhere. */
function outcomesOf<T>(ids: unknown[], goesOn: boolean, find: (id: number) => T | undefined): Outcome<T>[] {
  const outcomes: Outcome<T>[] = [];
  for (const raw of ids) {
    const id = parseNumericId(raw);
    const result = id === undefined ? undefined : find(id);
    outcomes.push(result === undefined ? { failure: unknownRecord(stringifyInput(raw)) } : { result });
    if (result === undefined && !goesOn) break;
  }
  return outcomes;
}

const oneOrAll = <T>(list: T[]): T | T[] => (list.length === 1 ? list[0]! : list);

const unknownRecord = (id: string) => fail('record.notFound', { id });

function readRows({ db }: LimitCacheParts['store'], id?: number) {
  const query = db.selectFrom('limit').selectAll().orderBy('id');
  return (id === undefined ? query : query.where('id', '=', id)).execute();
}
