// Writes whose rows the database does not bring back: accounts with few rights, policies, triggers, rules, views.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../service/service.ts';
import { ask } from './fixture/call.fixture.ts';
import { type EngineName, type Fixture, fixture, onEachEngine } from './fixture/index.ts';
import { wrapRecords } from './fixture/write.fixture.ts';

const account = { username: `poor_${process.pid}`, password: 'poor' };
const accountSql: Partial<Record<EngineName, string>> = {
  pgsql: `CREATE ROLE ${account.username} LOGIN PASSWORD 'poor'`,
  mysql: `CREATE USER ${account.username}@'localhost' IDENTIFIED BY 'poor'; CREATE USER ${account.username}@'%' IDENTIFIED BY 'poor'`,
};
const dropAccountSql: Partial<Record<EngineName, string>> = {
  pgsql: `DROP OWNED BY ${account.username}; DROP ROLE ${account.username}`,
  mysql: `DROP USER ${account.username}@'localhost', ${account.username}@'%'`,
};

await onEachEngine((engine) => {
  let db: Fixture;
  const stored = (sql: string) => db.sql(sql);
  const answerOf = async (service: Service, line: string, body?: unknown, query: Record<string, string> = {}) => {
    const answer = await ask(service, line, { body, query });
    return [answer.status, answer.failure?.key ?? answer.body];
  };
  beforeAll(async () => {
    db = await fixture(engine);
  });
  afterAll(() => db?.stop());

  if (engine !== 'sqlite')
    describe('an account of the database', () => {
      let poor: Service;
      const grant = (rights: string, table = 'post') =>
        db.sql(
          engine === 'pgsql'
            ? `GRANT ${rights} ON ${table} TO ${account.username}`
            : `GRANT ${rights} ON ${table} TO ${account.username}@'localhost', ${account.username}@'%'`,
        );
      beforeAll(async () => {
        await db.sql(`${accountSql[engine]}; CREATE TABLE post (id integer PRIMARY KEY, name varchar(20), secret varchar(20) DEFAULT 's');
        CREATE TABLE letter (id integer PRIMARY KEY, name varchar(20), secret varchar(20) DEFAULT 's')`);
        await db.sql(`CREATE TABLE counted (id ${engine === 'pgsql' ? 'integer GENERATED ALWAYS AS IDENTITY' : 'integer AUTO_INCREMENT'} PRIMARY KEY,
        name varchar(20))`);
        await grant('INSERT');
        await grant('INSERT', 'counted');
        await grant('SELECT (id), INSERT, UPDATE, DELETE', 'letter');
        poor = await db.open({ ...account, allow_upsert: true });
      });
      afterAll(async () => {
        await poor?.close?.();
        await db.sql(dropAccountSql[engine]!);
      });

      it('that may insert and not read is answered the key and what it sent', async () => {
        const body = wrapRecords({ id: 1, name: 'one' });
        expect(await answerOf(poor, 'POST _table/post', body)).toEqual([200, wrapRecords({ id: 1 })]);
        expect(await answerOf(poor, 'POST _table/post', wrapRecords({ id: 2, name: 'two' }), { fields: '*' })).toEqual([
          200,
          wrapRecords({ id: 2, name: 'two' }),
        ]);
        const counted = await answerOf(poor, 'POST _table/counted', wrapRecords({ name: 'x' }), { fields: '*' });
        // PostgreSQL tells nobody without the right to read what it counted.
        expect(counted).toEqual([200, wrapRecords({ id: engine === 'pgsql' ? null : 1, name: 'x' })]);
        const several = wrapRecords({ id: 3, name: 'x' }, { id: 4, name: 'y' });
        for (const query of [{}, { rollback: 'true' }, { continue: 'true' }] as Record<string, string>[]) {
          await db.sql('DELETE FROM post WHERE id > 2');
          const [status, answer] = await answerOf(poor, 'POST _table/post', several, { fields: 'name', ...query });
          expect([status, answer]).toEqual([200, wrapRecords({ name: 'x' }, { name: 'y' })]);
        }
        expect(await stored('SELECT id FROM post ORDER BY id')).toEqual(['1', '2', '3', '4']);
      });

      it('that may read the key alone changes and deletes', async () => {
        await db.sql(`DELETE FROM letter; INSERT INTO letter VALUES (1, 'a', 'b'), (2, 'c', 'd')`);
        for (const line of ['PATCH _table/letter/1', 'PUT _table/letter/1'])
          expect(await answerOf(poor, line, { name: 'x' }, { fields: '*' })).toEqual([200, { id: 1, name: 'x' }]);
        expect(await answerOf(poor, 'PATCH _table/letter/1', { name: 'y' }, { fields: 'name,secret' })).toEqual([
          200,
          { id: 1, name: 'y' },
        ]);
        expect(await answerOf(poor, 'PATCH _table/letter/1', { name: 'y' }, { fields: 'name' })).toEqual([
          200,
          { name: 'y' },
        ]);
        const byFilter = { filter: 'id = 2', fields: 'id,name' };
        expect(await answerOf(poor, 'PATCH _table/letter', wrapRecords({ name: 'z' }), byFilter)).toEqual([
          200,
          wrapRecords({ id: 2, name: 'z' }),
        ]);
        const upserted = [
          { id: 1, name: 'u' },
          { id: 9, name: 'n' },
        ];
        expect(await answerOf(poor, 'PUT _table/letter', wrapRecords(...upserted), { fields: 'id,name' })).toEqual([
          200,
          wrapRecords(...upserted),
        ]);
        expect(await answerOf(poor, 'DELETE _table/letter/1', undefined, { fields: '*' })).toEqual([200, { id: 1 }]);
        expect(await answerOf(poor, 'DELETE _table/letter', undefined, { ids: '2,9' })).toEqual([
          200,
          wrapRecords({ id: 2 }, { id: 9 }),
        ]);
        expect(await stored('SELECT id FROM letter')).toEqual([]);
      });

      it('is answered what it may not do', async () => {
        expect(await answerOf(poor, 'DELETE _table/post/1')).toEqual([403, 'database.denied']);
        expect(await answerOf(poor, 'PATCH _table/post/1', { name: 'x' })).toEqual([403, 'database.denied']);
        expect(await answerOf(poor, 'GET _table/post')).toEqual([403, 'database.denied']);
      });

      if (engine === 'pgsql')
        describe('under row security', () => {
          beforeAll(async () => {
            await db.sql(`CREATE TABLE paper (id integer PRIMARY KEY, name text); INSERT INTO paper VALUES (1, 'mine'), (2, 'theirs');
          ALTER TABLE paper ENABLE ROW LEVEL SECURITY; CREATE POLICY r ON paper FOR SELECT USING (id < 10);
          CREATE POLICY u ON paper FOR UPDATE USING (name = 'mine'); CREATE POLICY d ON paper FOR DELETE USING (name = 'mine');
          CREATE POLICY i ON paper FOR INSERT WITH CHECK (id < 20)`);
            await grant('SELECT, INSERT, UPDATE, DELETE', 'paper');
            await ask(poor, 'GET _table', { query: { refresh: 'true' } });
          });

          it('is refused what it sees and may not change', async () => {
            expect(await answerOf(poor, 'PATCH _table/paper/2', { name: 'x' })).toEqual([403, 'database.denied']);
            expect(await answerOf(poor, 'PUT _table/paper/2', { name: 'x' })).toEqual([403, 'database.denied']);
            expect(await answerOf(poor, 'DELETE _table/paper/2')).toEqual([403, 'database.denied']);
            expect(await answerOf(poor, 'DELETE _table/paper/7')).toEqual([404, 'record.notFound']);
            expect(await stored('SELECT name FROM paper ORDER BY id')).toEqual(['mine', 'theirs']);
          });

          it('inserts what it does not see, and not what it may not', async () => {
            const body = wrapRecords({ id: 12, name: 'hidden' });
            expect(await answerOf(poor, 'POST _table/paper', body, { fields: '*' })).toEqual([200, body]);
            expect((await answerOf(poor, 'POST _table/paper', wrapRecords({ id: 30, name: 'x' })))[0]).toBe(400);
            expect(await stored('SELECT id FROM paper ORDER BY id')).toEqual(['1', '2', '12']);
          });

          it('holds for records inside others: those it does not see are written, those it may not change are refused', async () => {
            await db.sql(`CREATE TABLE desk (id integer PRIMARY KEY, name text); ALTER TABLE paper ADD desk_id integer REFERENCES desk;
            DELETE FROM paper WHERE id > 2; INSERT INTO desk VALUES (1, 'a'); UPDATE paper SET desk_id = 1`);
            await grant('SELECT, INSERT, UPDATE, DELETE', 'desk');
            await ask(poor, 'GET _table', { query: { refresh: 'true' } });
            const related = { related: 'paper_by_desk_id' };
            const papers = async (id: number) => (await ask(poor, `GET _table/desk/${id}`, { query: related })).body;
            const withHidden = {
              id: 2,
              name: 'b',
              paper_by_desk_id: [
                { id: 3, name: 'mine' },
                { id: 13, name: 'hidden' },
              ],
            };
            expect(await answerOf(poor, 'POST _table/desk', wrapRecords(withHidden))).toEqual([
              200,
              wrapRecords({ id: 2 }),
            ]);
            expect(await stored('SELECT id FROM paper WHERE desk_id = 2 ORDER BY id')).toEqual(['3', '13']);
            expect(await papers(2)).toMatchObject({ paper_by_desk_id: [{ id: 3, name: 'mine' }] });
            const change = (paper: object) =>
              answerOf(poor, 'PATCH _table/desk/1', { name: 'x', paper_by_desk_id: [paper] });
            expect((await change({ id: 2, name: 'x' }))[0]).toBe(403);
            expect(await change({ id: 1, name: 'mine' })).toEqual([200, { id: 1 }]);
            expect(await stored('SELECT name FROM paper WHERE id < 3 ORDER BY id')).toEqual(['mine', 'theirs']);
          });
        });
    });

  if (engine === 'pgsql')
    it('a rule that does nothing leaves a record as it is', async () => {
      await db.sql(`CREATE TABLE ruled (id integer PRIMARY KEY, name text); INSERT INTO ruled VALUES (1, 'a');
      CREATE RULE u AS ON UPDATE TO ruled DO INSTEAD NOTHING; CREATE RULE d AS ON DELETE TO ruled DO INSTEAD NOTHING`);
      await ask(db.service, 'GET _table', { query: { refresh: 'true' } });
      const fields = { fields: '*' };
      const asItIs = [200, { id: 1, name: 'a' }];
      expect(await answerOf(db.service, 'PATCH _table/ruled/1', { name: 'x' }, fields)).toEqual(asItIs);
      expect(await answerOf(db.service, 'PATCH _table/ruled/2', { name: 'x' })).toEqual([404, 'record.notFound']);
      expect(await answerOf(db.service, 'DELETE _table/ruled/1')).toEqual([200, { id: 1 }]);
      expect(await stored('SELECT name FROM ruled')).toEqual(['a']);
    });

  if (engine !== 'mysql')
    describe('triggers', () => {
      let upserting: Service;
      beforeAll(async () => {
        const ignore =
          engine === 'pgsql'
            ? `CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
             CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON kept FOR EACH ROW EXECUTE FUNCTION keep();
             CREATE FUNCTION put() RETURNS trigger LANGUAGE plpgsql AS
               $$ BEGIN UPDATE store SET name = new.name WHERE id = new.id; RETURN NULL; END $$;
             CREATE TRIGGER put INSTEAD OF UPDATE ON window_view FOR EACH ROW EXECUTE FUNCTION put();
             CREATE FUNCTION drop_row() RETURNS trigger LANGUAGE plpgsql AS
               $$ BEGIN DELETE FROM store WHERE id = old.id; RETURN NULL; END $$;
             CREATE TRIGGER drop_row INSTEAD OF DELETE ON window_view FOR EACH ROW EXECUTE FUNCTION drop_row()`
            : `CREATE TRIGGER keep BEFORE UPDATE ON kept BEGIN SELECT raise(ignore); END;
             CREATE TRIGGER keep2 BEFORE DELETE ON kept BEGIN SELECT raise(ignore); END;
             CREATE TRIGGER put INSTEAD OF UPDATE ON window_view BEGIN UPDATE store SET name = new.name WHERE id = new.id; END;
             CREATE TRIGGER drop_row INSTEAD OF DELETE ON window_view BEGIN DELETE FROM store WHERE id = old.id; END`;
        await db.sql(`CREATE TABLE kept (id integer PRIMARY KEY, name varchar(20)); INSERT INTO kept VALUES (1, 'a');
        CREATE TABLE store (id integer PRIMARY KEY, name varchar(20)); INSERT INTO store VALUES (1, 'a');
        CREATE VIEW window_view AS SELECT id, name FROM store; ${ignore}`);
        upserting = await db.open({ allow_upsert: true });
      });

      it('that pass over a record leave it as it is', async () => {
        for (const service of [db.service, upserting]) {
          await ask(service, 'GET _table', { query: { refresh: 'true' } });
          expect(await answerOf(service, 'PATCH _table/kept/1', { name: 'x' }, { fields: '*' })).toEqual([
            200,
            { id: 1, name: 'a' },
          ]);
          expect(await answerOf(service, 'PATCH _table/kept', wrapRecords({ id: 1, name: 'x' }))).toEqual([
            200,
            wrapRecords({ id: 1 }),
          ]);
          expect(await answerOf(service, 'DELETE _table/kept/1')).toEqual([200, { id: 1 }]);
          expect(await answerOf(db.service, 'PATCH _table/kept/7', { name: 'x' })).toEqual([404, 'record.notFound']);
        }
        expect(await stored('SELECT id, name FROM kept')).toEqual(['1', 'a']);
      });

      it('that write in place of a view have done it', async () => {
        for (const [name, service] of [
          ['x', db.service],
          ['y', upserting],
        ] as const) {
          const query = { id_field: 'id', fields: 'id,name' };
          expect(await answerOf(service, 'PATCH _table/window_view/1', { name }, query)).toEqual([
            200,
            { id: 1, name },
          ]);
          expect(await stored('SELECT name FROM store')).toEqual([name]);
        }
      });

      it('that delete in place of a view have done it', async () => {
        await db.sql(`DELETE FROM store; INSERT INTO store VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')`);
        const query = { id_field: 'id', fields: 'id,name' };
        const gone = (id: number) => answerOf(db.service, `DELETE _table/window_view/${id}`, undefined, query);
        expect(await gone(1)).toEqual([200, { id: 1, name: 'a' }]);
        expect(await gone(1)).toEqual([404, 'record.notFound']);
        expect(await answerOf(db.service, 'DELETE _table/window_view', undefined, { ...query, ids: '2,3' })).toEqual([
          200,
          wrapRecords({ id: 2, name: 'b' }, { id: 3, name: 'c' }),
        ]);
        expect(await stored('SELECT id FROM store')).toEqual(['4']);
      });
    });
});
