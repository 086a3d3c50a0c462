// Views and triggers that lost what they stand on: they fail alone, and no answer says to try again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from './fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from './fixture/index.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  afterAll(() => db?.stop());

  const record = { body: { resource: [{ id: 1, odd: 'x' }] } };
  const failureOf = async (line: string, request = {}) => {
    const { status, failure } = await ask(db.service, line, request);
    return [line, status, failure?.key, failure?.message.includes('broken')];
  };

  // PostgreSQL keeps what a view needs.
  if (engine !== 'pgsql')
    describe('a view whose table lost a column', () => {
      beforeAll(async () => {
        await db.sql(`CREATE TABLE base (id integer PRIMARY KEY, odd varchar(20));
        INSERT INTO base VALUES (1, 'a');
        CREATE VIEW broken AS SELECT id, odd FROM base;
        CREATE TABLE good (id integer PRIMARY KEY, odd varchar(20))`);
        expect((await ask(db.service, 'GET _table/broken')).status).toBe(200);
        await db.sql('DROP TABLE base; CREATE TABLE base (id integer PRIMARY KEY)');
      });

      it('is refused without advice to try again', async () => {
        for (const [line, request] of [
          ['GET _table/broken', {}],
          ['GET _table/broken', { query: { ids: '1', id_field: 'id' } }],
          ['POST _table/broken', record],
          ['PATCH _table/broken', { ...record, query: { id_field: 'id' } }],
          ['DELETE _table/broken', { query: { filter: 'id = 1' } }],
          ['GET _schema/broken', {}],
        ] as const)
          expect(await failureOf(line, request)).toEqual([line, 500, 'database.broken', true]);
      });

      it('does not spoil what is shown of others', async () => {
        for (const line of ['GET _table', 'GET _schema'])
          for (const query of [{}, { refresh: 'true' }] as Record<string, string>[]) {
            const { status, body } = await ask(db.service, line, { query });
            const names = body.resource.map(({ name }: { name: string }) => name);
            expect([status, names.includes('broken'), names.includes('good')]).toEqual([200, true, true]);
          }
        const { status, body } = await ask(db.service, 'GET _schema', {
          query: { ids: 'broken,good', refresh: 'true' },
        });
        expect(status).toBe(500);
        const { error, resource } = body.error.context;
        expect(error).toEqual([0]);
        expect(resource).toMatchObject([
          { status_code: 500 },
          { name: 'good', field: [{ name: 'id' }, { name: 'odd' }] },
        ]);
      });
    });

  it('a trigger on what is missing refuses a write in the words of the database', async () => {
    await db.sql(
      `CREATE TABLE log (id integer); CREATE TABLE watched (id integer PRIMARY KEY, odd varchar(20));
       INSERT INTO watched VALUES (1, 'a'); ${
         engine === 'pgsql'
           ? `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES (new.id); RETURN new; END $$;
              CREATE TRIGGER note BEFORE UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION note()`
           : 'CREATE TRIGGER note BEFORE UPDATE ON watched FOR EACH ROW BEGIN INSERT INTO log VALUES (new.id); END'
       }; DROP TABLE log`,
    );
    await ask(db.service, 'GET _table', { query: { refresh: 'true' } });
    for (let i = 0; i < 2; i += 1) {
      const { status, failure } = await ask(db.service, 'PATCH _table/watched/1', { body: { odd: 'x' } });
      expect([status, failure?.key]).toEqual([400, 'record.database']);
      expect(failure?.message).toContain('log');
      expect(failure?.hint).toBeUndefined();
    }
  });
});
