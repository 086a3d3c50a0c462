// Writes that meet many rows of long texts: what of them is in memory at once.
import { aPerson } from '@sluice/testkit/call';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anonymousCaller } from '../call/call.ts';
import type { ServedResource } from '../resource/resource.ts';
import { platformActor } from './actor.ts';

let system: TestSystem;
beforeEach(async () => {
  system = await startSystem();
});
afterEach(() => system.close());

const long = 'x'.repeat(300_000);
const count = 10;

/** Makes a role with long lookup keys. */
async function createKeeper() {
  const lookups = Array.from({ length: count }, (_, at) => ({ name: `long ${at}`, value: long }));
  const { body } = await system.ask('POST', 'role?related=lookup_by_role_id', {
    resource: [{ name: 'keeper', lookup_by_role_id: lookups }],
  });
  return body.resource[0];
}

test('abuse: a record is deleted with the rows that belong to it half a megabyte at a time', async () => {
  const { id } = await createKeeper();
  const resource = system.resources.owned_lookup as ServedResource;
  const { serialize } = resource;
  const together: number[] = [];
  resource.serialize = (records, context) => {
    together.push(records.length);
    return serialize?.(records, context);
  };
  expect((await system.ask('DELETE', `role/${id}`)).status).toBe(200);
  expect(together.reduce((sum, rows) => sum + rows, 0)).toBe(count);
  expect(Math.max(...together)).toBeLessThan(4);
  expect(await system.store.db.selectFrom('lookup').select('id').execute()).toEqual([]);
});

test('abuse: rows named in a nested write are read half a megabyte at a time', async () => {
  const { id, lookup_by_role_id: lookups } = await createKeeper();
  const named: { id: number; value: string }[] = lookups;
  const reads: number[] = [];
  // Transactions have executors of their own.
  const executor = Object.getPrototypeOf(system.store.db.getExecutor());
  const { executeQuery } = executor;
  executor.executeQuery = async function (...query: unknown[]) {
    const result = await executeQuery.apply(this, query);
    reads.push(result.rows.filter((row: { value?: string }) => row.value === long).length);
    return result;
  };
  try {
    const body = { lookup_by_role_id: [...named, ...named].map((row) => ({ id: row.id, description: 'still here' })) };
    expect((await system.ask('PATCH', `role/${id}`, body)).status).toBe(200);
  } finally {
    executor.executeQuery = executeQuery;
  }
  expect(Math.max(...reads)).toBeLessThan(4);
  const rows = await system.store.db.selectFrom('lookup').select(['description', 'role_id']).execute();
  expect(rows).toEqual(Array.from({ length: count }, () => ({ description: 'still here', role_id: id })));
});

test('abuse: a batch keeps nothing of the rows it wrote', async () => {
  const { id } = await createKeeper();
  const actor = { ...platformActor(), caller: { ...anonymousCaller, user: aPerson() } };
  const request = { fields: undefined, related: [], continue: false, rollback: false };
  const inputs = Array.from({ length: 3 }, (_, at) => ({ name: `template ${at}`, body_html: long }));
  const { records } = system;
  const written = await records.create('email_template', inputs, request, { actor });
  const ids = written.map(({ record }) => record.id);
  const updates = ids.map((id) => ({ id, input: { subject: 'changed' } }));
  written.push(...(await records.update('email_template', updates, request, { actor })));
  written.push(...(await records.delete('email_template', ids, request, { actor })));
  written.push(...(await records.delete('role', [id], request, { actor })));
  expect(written).toHaveLength(10);
  expect(JSON.stringify(written).length).toBeLessThan(2000);
});

test('abuse: audit entries that wait for the end of a transaction are short', async () => {
  const actor = { ...platformActor(), caller: { ...anonymousCaller, user: aPerson() } };
  const request = { fields: undefined, related: [], continue: false, rollback: true };
  const waiting: number[] = [];
  await system.records.transaction(actor, async (transaction) => {
    for (let at = 0; at < count; at++) {
      const input = { name: `template ${at}`, body_html: long };
      await system.records.createOne('email_template', input, request, { actor, transaction });
      waiting.push(JSON.stringify(transaction.pendingAudit).length);
    }
  });
  expect(Math.max(...waiting)).toBeLessThan(count * 20_000);
  const { body } = await system.ask('GET', 'audit?filter=resource = email_template');
  expect(body.resource).toHaveLength(count);
});
