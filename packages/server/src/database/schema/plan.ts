// `POST {db}/_plan`: what a write of `_schema` would do, decided as that write, and not done (docs/adr/0014).
import { fail, type PlannedTable, type Verb } from '@sluice/contract';
import { judge } from '../../access/gate.ts';
import { parseQuery } from '../../call/address.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { bodyOf, copyCall } from '../../call/exchange.ts';
import { readOneRecord, stringifyInput } from '../../call/payload.ts';
import { planChanges } from '../change/index.ts';
import type { DatabaseParts } from '../parts.ts';
import {
  changePart,
  changeParts,
  changeTable,
  changeTables,
  dropNamedParts,
  dropNamedTables,
  dropOneTable,
  type Execution,
  fieldReader,
  type PartReader,
  relationReader,
} from './changes.ts';

const writes: readonly Verb[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers what the write in the body would do to each table; throws what the write itself would be refused with. */
export async function planWrite(call: Call, parts: DatabaseParts): Promise<Reply> {
  const write = await readWrite(call);
  const { refusal } = judge(call.caller, write.verb, write.service, write.path, undefined);
  if (refusal) throw refusal;
  const planned: PlannedTable[] = [];
  const execution: Execution = {
    isPlan: true,
    run: async (changes, state) => planned.push(...(await planChanges(write, changes, state, parts))),
  };
  await runWrite(write, parts, execution);
  return answer({ resource: planned });
}

/** The write as a call of its own, by the same caller. */
async function readWrite(call: Call): Promise<Call> {
  const { verb, path, body } = readOneRecord(await call.body());
  const upper = stringifyInput(verb).toUpperCase() as Verb;
  const [encodedPath = '', query = ''] = stringifyInput(path).split(/\?(.*)/s);
  const pathname = decodePath(encodedPath, path);
  if (!writes.includes(upper) || !/^_schema(\/|$)/i.test(pathname))
    throw fail('schema.planPath', { path: stringifyInput(path).slice(0, 200) });
  return copyCall(call, {
    ...{ verb: upper, service: call.service, path: pathname, query: parseQuery(query), header: () => undefined },
    headerNames: () => [],
    ...{ caller: call.caller, decision: call.decision, serviceId: call.serviceId, match: undefined },
    ...{ state: call.state, replyHeaders: call.replyHeaders, depth: call.depth },
    ...bodyOf(body),
  });
}

/** The path as a door decodes it: whole. */
function decodePath(encoded: string, path: unknown): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw fail('schema.planPath', { path: stringifyInput(path).slice(0, 200) });
  }
}

/** Walks the write as its own address would. */
async function runWrite(write: Call, parts: DatabaseParts, execution: Execution): Promise<unknown> {
  const isDrop = write.verb === 'DELETE';
  const [table, second, third, ...rest] = write.path.split('/').slice(1).filter(Boolean);
  if (table === undefined)
    return isDrop ? dropNamedTables(write, parts, execution) : changeTables(write, parts, execution);
  if (second === undefined)
    return isDrop ? dropOneTable(write, table, parts, execution) : changeTable(write, table, parts, execution);
  const kind: PartReader | undefined = { _field: fieldReader, _related: relationReader }[second.toLowerCase()];
  if (rest.length > 0 || (!kind && third !== undefined)) throw fail('schema.planPath', { path: write.path });
  const part = kind ? third : second;
  if (isDrop) return dropNamedParts(write, table, part, kind ?? fieldReader, parts, execution);
  return part === undefined
    ? changeParts(write, table, kind ?? fieldReader, parts, execution)
    : changePart(write, table, part, kind ?? fieldReader, parts, execution);
}
