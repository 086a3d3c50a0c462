// Stored routines over HTTP: what a role lets pass, whatever the address looks like, and calls that take too long.
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { engineMissing } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRoutineDatabase, type RoutineDatabase, type RoutineEngine } from './routines.fixture.ts';

for (const engine of ['pgsql', 'mysql'] satisfies RoutineEngine[]) {
  describe.skipIf(await engineMissing(engine))(`routines of ${engine} over HTTP`, () => {
    let db: RoutineDatabase;
    let platform: TestPlatform;
    let key: string;

    beforeAll(async () => {
      db = await createRoutineDatabase(engine);
      platform = await startPlatform({ queryTimeout: 700 });
      const { type, config } = db;
      const service = await platform.create('service', { name: 'shop', label: 'shop', type, is_active: true, config });
      const row = (component: string, verb_mask: number) => ({
        ...{ service_id: service.id, component, verb_mask, requestor_mask: 1 },
      });
      const role = await platform.create('role', {
        name: 'caller',
        is_active: true,
        role_service_access_by_role_id: [
          row('_func/add', 1),
          row('_proc/put', 2),
          row('_func/greet', 0),
          row('_func/g*', 1),
        ],
      });
      key = String((await platform.create('app', { name: 'caller', is_active: true, role_id: role.id })).api_key);
    });
    afterAll(async () => {
      await platform?.stop();
      await db?.stop();
    });

    const asCaller = async (verb: string, path: string, body?: unknown) => {
      const answer = await platform.ask(verb, `shop/${path}`, { token: null, key, body });
      return answer.status === 200 ? answer.body : answer.status;
    };

    it.each<[string, string, unknown]>([
      ['GET', '_func/add(1,2)', 3],
      ['GET', '_func/add%281%2C2%29', 3],
      ['GET', '_FUNC/ADD?a=1&b=2', 3],
      ['GET', '_func/Add?a=1&b=2', 3],
      ['POST', '_func/add', 401],
      ['GET', '_func/same(1)', 401],
      ['GET', '_func/same(_func/add)', 401],
      ['GET', '_func/(same)add', 400],
      ['GET', '_func/add/(1,2)', 404],
      ['GET', '_func/greet', 401],
      ['GET', '_func/gree(x)t', 401],
      ['GET', '_func/greet%2F(x)', 401],
      // To the roles this is `_func/gree`, which a row lets pass.
      ['GET', '_func/gre(x)e', 400],
      ['GET', '_proc/put(x)', 401],
    ])('%s %s → %j', async (verb, path, expected) => {
      expect(await asCaller(verb, path)).toEqual(expected);
    });

    it('calls what a role lets be called with a body', async () => {
      expect(await asCaller('POST', '_proc/put', { params: { name: 'over HTTP' } })).toEqual([]);
      expect((await db.run("SELECT count(*) FROM entry WHERE name = 'over HTTP'")).flat().map(Number)).toEqual([1]);
    });

    it('stops a call that takes too long', async () => {
      const { status, body } = await platform.ask('POST', 'shop/_proc/idle');
      expect([status, body.error.message]).toEqual([503, 'The database took longer than 0.7 seconds and was stopped.']);
      await expect.poll(async () => (await db.running()).length, { timeout: 10_000 }).toBe(0);
      expect((await platform.ask('GET', 'shop/_func/add(1,2)')).body).toBe(3);
    });

    it('answers a value in every format', async () => {
      expect((await platform.ask('GET', 'shop/_func/greet(you)?accept=application/xml')).text).toContain('Hello you');
      expect((await platform.ask('GET', 'shop/_func/greet(null)')).text).toBe('null');
    });
  });
}
