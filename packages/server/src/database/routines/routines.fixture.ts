// Routines for the tests of this folder, alike on both engines as far as these are, with a service over them.
import type { Service } from '../../service/service.ts';
import type { TestDatabase } from '../fixture/engine.ts';
import { engines } from '../fixture/index.ts';

export type RoutineEngine = 'pgsql' | 'mysql';

const sql: Record<RoutineEngine, string> = {
  pgsql: `
    CREATE TABLE entry (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text UNIQUE, price numeric(10,2));
    INSERT INTO entry (name, price) VALUES ('a', 1.50), ('b', 2);
    CREATE FUNCTION add(a integer, b integer) RETURNS integer LANGUAGE sql AS 'SELECT a + b';
    COMMENT ON FUNCTION add IS 'Adds two numbers';
    CREATE FUNCTION greet(name text) RETURNS text LANGUAGE sql AS $$SELECT 'Hello ' || name$$;
    CREATE FUNCTION is_big(n bigint) RETURNS boolean LANGUAGE sql AS 'SELECT n > 9007199254740992';
    CREATE FUNCTION same(v bigint) RETURNS bigint LANGUAGE sql AS 'SELECT v';
    CREATE FUNCTION wait() RETURNS integer LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); RETURN 1; END';
    CREATE FUNCTION bad() RETURNS integer LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'no luck'; END$$;
    CREATE PROCEDURE put(name text) LANGUAGE sql AS 'INSERT INTO entry (name) VALUES (name)';
    CREATE PROCEDURE "twice, with all"(n integer, INOUT result integer) LANGUAGE plpgsql AS 'BEGIN result := 2 * n + coalesce(result, 0); END';
    CREATE PROCEDURE idle() LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); END';
    CREATE PROCEDURE fails() LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'no luck'; END$$;
    CREATE PROCEDURE broken() LANGUAGE plpgsql AS 'BEGIN INSERT INTO nowhere VALUES (1); END';
    CREATE FUNCTION "it""s"(a text) RETURNS text LANGUAGE sql AS 'SELECT a';
    CREATE FUNCTION "x; drop table entry"(a text) RETURNS text LANGUAGE sql AS 'SELECT a';
    CREATE FUNCTION "a/b"(a text) RETURNS text LANGUAGE sql AS 'SELECT a';
    CREATE FUNCTION "no(1)"(a text) RETURNS text LANGUAGE sql AS 'SELECT a'`,
  mysql: `
    CREATE TABLE entry (id integer AUTO_INCREMENT PRIMARY KEY, name varchar(100) UNIQUE, price decimal(10,2));
    INSERT INTO entry (name, price) VALUES ('a', 1.50), ('b', 2);
    CREATE FUNCTION "add"(a integer, b integer) RETURNS integer DETERMINISTIC COMMENT 'Adds two numbers' RETURN a + b;
    CREATE FUNCTION greet(name varchar(100)) RETURNS varchar(200) DETERMINISTIC RETURN concat('Hello ', name);
    CREATE FUNCTION is_big(n bigint) RETURNS boolean DETERMINISTIC RETURN n > 9007199254740992;
    CREATE FUNCTION same(v bigint) RETURNS bigint DETERMINISTIC RETURN v;
    CREATE FUNCTION wait() RETURNS integer NOT DETERMINISTIC BEGIN DECLARE n integer; WHILE TRUE DO SET n = sleep(0.01); END WHILE; RETURN 1; END;
    CREATE FUNCTION bad() RETURNS integer NOT DETERMINISTIC BEGIN SIGNAL SQLSTATE '45000' SET message_text = 'no luck'; RETURN 1; END;
    CREATE PROCEDURE put(name varchar(100)) INSERT INTO entry (name) VALUES (name);
    CREATE PROCEDURE "twice, with all"(n integer, INOUT result integer) SET result = 2 * n + coalesce(result, 0);
    CREATE PROCEDURE idle() BEGIN DECLARE n integer; WHILE TRUE DO SET n = sleep(0.01); END WHILE; END;
    CREATE PROCEDURE fails() SIGNAL SQLSTATE '45000' SET message_text = 'no luck';
    CREATE PROCEDURE broken() INSERT INTO nowhere VALUES (1);
    CREATE FUNCTION "it""s"(a varchar(100)) RETURNS varchar(100) DETERMINISTIC RETURN a;
    CREATE FUNCTION "x; drop table entry"(a varchar(100)) RETURNS varchar(100) DETERMINISTIC RETURN a;
    CREATE FUNCTION "a/b"(a varchar(100)) RETURNS varchar(100) DETERMINISTIC RETURN a;
    CREATE FUNCTION "no(1)"(a varchar(100)) RETURNS varchar(100) DETERMINISTIC RETURN a`,
};

export interface RoutineDatabase extends Pick<TestDatabase, 'type' | 'config'> {
  service: Service;
  run(sql: string): Promise<unknown[][]>;
  /** What the service has running in the database. */
  running(): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** A fresh database with the routines, and more of them. */
export async function createRoutineDatabase(engine: RoutineEngine, more = ''): Promise<RoutineDatabase> {
  const testDatabase = await engines[engine].createDatabase();
  await testDatabase.run(`${sql[engine]}; ${more}`);
  const service = await testDatabase.open({});
  return {
    type: testDatabase.type,
    config: testDatabase.config,
    service,
    run: testDatabase.run,
    running: () => testDatabase.running(),
    async stop() {
      await service.close?.();
      await testDatabase.remove();
    },
  };
}
