// Database services to design in: one on SQLite, one on PostgreSQL, both empty at the beginning of each journey.
import type { Page } from '@playwright/test';
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { test as base, expect, type Instance } from './instance.ts';

export const engines = ['sqlite', 'pgsql'] as const;
export type Engine = (typeof engines)[number];

/** A service, and calls of its schema past the console. */
export interface Design {
  id: number;
  name: string;
  label: string;
  /** Makes tables over the API. */
  make(...tables: object[]): Promise<void>;
  describe(table: string): Promise<any>;
}

type Designs = Record<Engine, Design | undefined>;

let count = 0;

export const test = base.extend<{ designs: Designs }>({
  designs: async ({ instance }, use) => {
    const database = (await engineMissing('pgsql')) ? undefined : await freshDatabase('pgsql');
    const sqlite = await connect(instance, 'sqlite', { database: `design-${++count}.sqlite` });
    const pgsql = database && (await connect(instance, 'pgsql', { ...database, username: database.user }));
    await use({ sqlite, pgsql });
    for (const design of [sqlite, pgsql]) if (design) await instance.api('DELETE', `system/service/${design.id}`);
    await database?.drop();
  },
});

const labels: Record<Engine, string> = { sqlite: 'Design in SQLite', pgsql: 'Design in PostgreSQL' };

async function connect(instance: Instance, engine: Engine, login: Record<string, unknown>): Promise<Design> {
  const { host, port, database, username, password } = login;
  const service = { name: `design_${engine}`, label: labels[engine], type: engine, is_active: true };
  const config = { host, port, database, username, password };
  const creation = await instance.api('POST', 'system/service', { resource: [{ ...service, config }] });
  expect(creation.status).toBe(201);
  return {
    id: creation.body.resource[0].id,
    name: service.name,
    label: service.label,
    async make(...resource) {
      const made = await instance.api('POST', `${service.name}/_schema`, { resource });
      expect([made.status, made.body]).toEqual([200, made.body]);
    },
    async describe(table) {
      return (await instance.api('GET', `${service.name}/_schema/${table}?refresh=true`)).body;
    },
  };
}

/** The design of an engine; a journey is skipped where the machine has none. */
export function designOf(designs: Designs, engine: Engine): Design {
  const design = designs[engine];
  test.skip(design === undefined, `no ${engine} on this machine`);
  return design as Design;
}

/** The calls a page makes of a schema, as `PATCH design/_schema/todo`, with what was sent; plans are left out. */
export function recordWrites(page: Page): { call: string; body: any }[] {
  const writes: { call: string; body: any }[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' || !pathname.includes('/_schema')) return;
    const body = request.postData();
    const path = pathname.replace('/api/v2/', '') + search;
    writes.push({ call: `${request.method()} ${path}`, body: body === null ? null : JSON.parse(body) });
  });
  return writes;
}

/** The calls a page reads schemas with. */
export function recordReads(page: Page): string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && pathname.includes('/_schema'))
      reads.push(pathname.replace('/api/v2/', '') + search);
  });
  return reads;
}

export const id = { name: 'id', type: 'id' };
export const named = (name: string, ...fields: object[]) => ({
  name,
  field: [id, { name: 'name', type: 'string', length: 40, allow_null: true }, ...fields],
});
