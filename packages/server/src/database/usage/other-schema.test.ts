// Tables of another schema than the default one, renamed over HTTP: what closes their records goes by the name they end up with.
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

/** What a person with these rows on the service may do; answers statuses and numbers of records. */
async function signIn(service: number, name: string, rows: object[]) {
  const access = rows.map((row) => ({ service_id: service, verb_mask: 31, requestor_mask: 1, ...row }));
  const role = await platform.create('role', { name, is_active: true, role_service_access_by_role_id: access });
  const app = await platform.create('app', { name, is_active: true });
  const login = { email: `${name}@example.com`, password: 'pass word' };
  await platform.create('user', { ...login, user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }] });
  const key = String(app.api_key);
  const { body } = await platform.ask('POST', 'user/session', { body: login, token: null, key });
  return { token: String(body.session_token), key };
}

for (const engine of ['pgsql', 'mysql'] as const) {
  const missing = await engineMissing(engine);
  describe.skipIf(missing)(missing ?? engine, () => {
    let db: TestDatabase;
    let other: TestDatabase | undefined;
    let schema: string;
    let service: number;
    const ask = async (verb: string, path: string, body?: unknown, as: object = {}) => {
      const { status, body: answer, text } = await platform.ask(verb, `${engine}/${path}`, { body, ...as });
      return { status, answer, text };
    };

    beforeAll(async () => {
      db = await freshDatabase(engine);
      if (engine === 'mysql') other = await freshDatabase('mysql');
      schema = other?.database ?? 'hidden';
      if (!other) await db.run('create schema hidden');
      await db.run(`create table ${schema}.t (id int primary key, owner int);
        insert into ${schema}.t values (1, 1), (2, 2);`);
      const { host, port, database, user: username, password } = db;
      const config = { host, port, database, username, password, ...(engine === 'mysql' ? { schema: 'all' } : {}) };
      const record = { name: engine, label: engine, type: engine, is_active: true, config };
      service = (await platform.create('service', record)).id;
    });
    afterAll(async () => {
      await db?.drop();
      await other?.drop();
    });

    it('abuse: rows of roles, filters, labels and aliases follow a rename to the name in its schema', async () => {
      const table = `${schema}.t`;
      const filters = [{ name: 'owner', operator: '=', value: '1' }];
      const person = await signIn(service, `reader-${engine}`, [
        { component: `_table/${table.toUpperCase()}`, filters },
        { component: `_schema/${table}` },
      ]);
      const seen = async (name: string) => {
        const { status, answer } = await ask('GET', `_table/${name}`, undefined, person);
        return status === 200 ? (answer.resource as object[]).length : status;
      };
      expect((await ask('PATCH', `_schema/${table}`, { label: 'Things', plural: 'Many things' })).status).toBe(200);
      expect(await seen(table)).toBe(1);

      const change = { verb: 'PATCH', path: `_schema/${table}`, body: { new_name: 'u' } };
      const plan = await ask('POST', '_plan', change);
      expect(plan.answer.resource).toMatchObject([{ name: table, new_name: `${schema}.u` }]);
      expect((await ask('PATCH', `_schema/${table}`, { new_name: 'u' })).status).toBe(200);
      expect(await seen(`${schema}.u`)).toBe(1);
      expect(await seen('u')).toBe(403);
      expect((await ask('GET', `_schema/${schema}.u`, undefined, person)).answer).toMatchObject({
        label: 'Things',
        plural: 'Many things',
      });

      // Named in full it is the same; a name in another schema is none of its own.
      expect((await ask('PATCH', `_schema/${schema}.u`, { new_name: `${schema}.t` })).status).toBe(200);
      expect(await seen(table)).toBe(1);
      for (const name of ['public.t', 'elsewhere.t'])
        expect((await ask('PATCH', `_schema/${table}`, { new_name: name })).status).toBe(400);
      expect(await seen(table)).toBe(1);
    });

    it('abuse: a table is not moved to another schema by a new name', async () => {
      await db.run('create table near (id int primary key)');
      await ask('GET', '_schema?refresh=true');
      expect((await ask('PATCH', '_schema/near', { new_name: `${schema}.near` })).status).toBe(400);
      expect((await ask('GET', '_schema/near')).status).toBe(200);
    });
  });
}
