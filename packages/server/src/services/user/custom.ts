// `user/custom`: values that people keep for themselves with the instance, by name (contract/sessions-and-accounts.md §8).
import { fail, type Verb } from '@sluice/contract';
import { sql } from 'kysely';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { parseCommaList } from '../../call/list-query.ts';
import { type RecordInput, readOneRecord, recordsOf, requireRecords, stringifyInput } from '../../call/payload.ts';
import { type Resource, routesOf } from '../../service/operation.ts';
import type { OpenService } from '../../service/service.ts';
import type { Db, Store } from '../../store/index.ts';

/** What all values of a person may take: how many, and bytes of JSON together. */
const bounds = { count: 1_000, bytes: 4 * 1024 * 1024 };
const maxNameLength = 255;

interface CustomValue {
  name: string;
  /** JSON. */
  value: string;
}

const route = routesOf<OpenService>();

export function customValues(store: Pick<Store, 'db' | 'transaction' | 'sql' | 'insert'>): Resource<OpenService> {
  const { db } = store;

  async function list(call: Call): Promise<Reply> {
    const rows = await db
      .selectFrom('user_custom')
      .select(['name', 'value', 'created_date', 'last_modified_date'])
      .where('user_id', '=', ownerOf(call))
      .orderBy('name')
      .execute();
    const names = parseCommaList(call.query.get('ids'));
    const selected = names ? rows.filter(({ name }) => names.includes(name)) : rows;
    return answer({ resource: selected.map((row) => ({ ...row, value: JSON.parse(row.value) })) });
  }

  async function read(call: Call, name: string): Promise<Reply> {
    const row = await db
      .selectFrom('user_custom')
      .select('value')
      .where('user_id', '=', ownerOf(call))
      .where('name', '=', name)
      .executeTakeFirst();
    if (!row) throw fail('record.notFound', { id: name });
    return answer(JSON.parse(row.value));
  }

  /** Writes all of them or none. */
  async function write(userId: number, values: CustomValue[], verb: Verb): Promise<void> {
    await store.transaction(async (transaction) => {
      // Two writes of a person come one after the other, and the second counts what the first has written.
      const owner = transaction.selectFrom('user').select('id').where('id', '=', userId);
      await owner.modifyEnd(store.sql.forUpdate).execute();
      for (const { name, value } of values) {
        const last_modified_date = new Date().toISOString();
        const { numUpdatedRows } = await transaction
          .updateTable('user_custom')
          .set({ value, last_modified_date })
          .where('user_id', '=', userId)
          .where('name', '=', name)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) continue;
        if (verb !== 'POST') throw fail('record.notFound', { id: name });
        const row = { user_id: userId, name, value, created_date: last_modified_date, last_modified_date };
        await store.insert(transaction, 'user_custom', row);
      }
      await checkBounds(transaction, userId);
    });
  }

  async function writeSeveral(call: Call): Promise<Reply> {
    const userId = ownerOf(call);
    const values = requireRecords(await call.body()).map((record) => readValue(record, record.name));
    await write(userId, values, call.verb);
    return answer({ resource: values.map(({ name }) => ({ name })) }, call.verb === 'POST' ? 201 : 200);
  }

  async function writeOne(call: Call, name: string): Promise<Reply> {
    const userId = ownerOf(call);
    await write(userId, [readValue(readOneRecord(await call.body()), name)], call.verb);
    return answer({ name });
  }

  async function remove(userId: number, names: string[]): Promise<void> {
    await store.transaction(async (transaction) => {
      for (const name of names) {
        const { numDeletedRows } = await transaction
          .deleteFrom('user_custom')
          .where('user_id', '=', userId)
          .where('name', '=', name)
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw fail('record.notFound', { id: name });
      }
    });
  }

  async function removeSeveral(call: Call): Promise<Reply> {
    const userId = ownerOf(call);
    const records = recordsOf(await call.body());
    const names = parseCommaList(call.query.get('ids')) ?? records.map(({ name }) => stringifyInput(name));
    if (names.length === 0) throw fail('record.noneToDelete');
    await remove(userId, names);
    return answer({ resource: names.map((name) => ({ name })) });
  }

  async function removeOne(call: Call, name: string): Promise<Reply> {
    await remove(ownerOf(call), [name]);
    return answer({ name });
  }

  const own = { only: 'people' } as const;
  const written = ['record.none', 'record.invalid'] as const;
  const changed = { errors: [...written, 'record.notFound'] } as const;
  const unknown = { errors: ['record.notFound'] } as const;
  const severalWritten = { ...own, parameters: [], body: 'records', answer: 'records', handle: writeSeveral } as const;
  const oneWritten = (call: Call, { name }: { name: string }) => writeOne(call, name);
  return {
    entry: { name: 'custom', label: 'Custom Settings' },
    components: ['custom/'],
    accessComponent: '',
    routes: [
      route('', {
        GET: { summary: 'List the own values', ...own, parameters: ['ids'], answer: 'records', handle: list },
        POST: { summary: 'Keep own values', status: 201, ...severalWritten, errors: written },
        PUT: { summary: 'Change own values', ...severalWritten, ...changed },
        PATCH: { summary: 'Change own values', ...severalWritten, ...changed },
        DELETE: {
          summary: 'Delete own values',
          ...own,
          ...{ parameters: ['ids'], body: 'records', answer: 'records', handle: removeSeveral },
          errors: ['record.noneToDelete', 'record.notFound'],
        },
      }),
      route(
        '{name}',
        {
          GET: {
            ...own,
            summary: 'One of the own values',
            ...unknown,
            answer: 'any value',
            handle: (call, { name }) => read(call, name),
          },
          PUT: {
            summary: 'Change one of the own values',
            body: 'record',
            answer: 'record',
            ...own,
            errors: ['record.invalid', 'record.notFound'],
            handle: oneWritten,
          },
          PATCH: {
            summary: 'Change one of the own values',
            body: 'record',
            answer: 'record',
            ...own,
            errors: ['record.invalid', 'record.notFound'],
            handle: oneWritten,
          },
          DELETE: {
            summary: 'Delete one of the own values',
            ...own,
            ...unknown,
            ...{ answer: 'record', handle: (call, { name }) => removeOne(call, name) },
          },
        },
        { refusal: (verb) => (verb === 'POST' ? fail('record.createById') : undefined) },
      ),
    ],
  };
}

function ownerOf({ caller }: Call): number {
  if (!caller.user) throw fail('session.none');
  return caller.user.id;
}

/** A pair as it is stored. A text that is JSON means what it says, as it does on older servers. */
function readValue({ value }: RecordInput, rawName: unknown): CustomValue {
  const name = stringifyInput(rawName);
  if (value === undefined) throw invalid('value', 'The value field is required.');
  if (name === '') throw invalid('name', 'The name field is required.');
  // A name with a slash could be written and never be addressed.
  if (/[/\0]/.test(name)) throw invalid('name', 'The name format is invalid.');
  if (Array.from(name).length > maxNameLength)
    throw invalid('name', `The name may not be greater than ${maxNameLength} characters.`);
  const text = typeof value === 'string' && isJson(value) ? JSON.stringify(JSON.parse(value)) : JSON.stringify(value);
  return { name, value: text };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const invalid = (field: string, message: string) =>
  fail('record.invalid', { messages: [message] }, { context: { [field]: [message] } });

async function checkBounds(db: Db, userId: number): Promise<void> {
  const { count, bytes } = await db
    .selectFrom('user_custom')
    .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(sum(length(value)), 0)`.as('bytes')])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  if (Number(count) > bounds.count || Number(bytes) > bounds.bytes)
    throw invalid(
      'value',
      `A person may keep ${bounds.count} values with ${bounds.bytes} characters of JSON together.`,
    );
}
