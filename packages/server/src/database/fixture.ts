// A small database that is awkward in every way the tests of this folder need.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import type { Service } from '../services/service.ts';
import { sqlite } from '../services/sqlite/index.ts';
import { testContext } from './test-call.ts';

export interface Fixture {
  folder: string;
  service: Service;
  /** Runs SQL beside the service. */
  sql(text: string): unknown[][];
  /** Puts the database back as it was. */
  reset(): void;
  stop(): Promise<void>;
}

type Config = Parameters<typeof sqlite.open>[0];

const schema = `
CREATE TABLE team (id integer PRIMARY KEY AUTOINCREMENT, name varchar(40) NOT NULL UNIQUE);
CREATE TABLE contact (
  id integer PRIMARY KEY AUTOINCREMENT, name varchar(40) NOT NULL, email varchar(80) UNIQUE, age integer,
  big bigint, price decimal(10,2), ratio double, active boolean NOT NULL DEFAULT 1, born date, photo blob, note text,
  status varchar(10) NOT NULL DEFAULT 'open', CHECK (age IS NULL OR age >= 0));
CREATE TABLE member (id integer PRIMARY KEY, team_id integer NOT NULL REFERENCES team (id), nick varchar(20));
CREATE TABLE "Order Line" ("order no" integer NOT NULL, "Größe" integer NOT NULL, "select" varchar(20), "Ünï ""code""" text,
  PRIMARY KEY ("order no", "Größe"));
CREATE TABLE word (key text PRIMARY KEY NOT NULL COLLATE NOCASE, meaning text);
CREATE TABLE loose (a integer, b text);
CREATE TABLE sum (id integer PRIMARY KEY, a integer NOT NULL, b integer NOT NULL, total integer AS (a + b) STORED);
CREATE TABLE stamped (id integer PRIMARY KEY, name text, changes integer NOT NULL DEFAULT 0);
CREATE TRIGGER stamp AFTER UPDATE OF name ON stamped BEGIN UPDATE stamped SET changes = changes + 1 WHERE id = new.id; END;
INSERT INTO stamped (name) VALUES ('a'), ('b');
CREATE VIEW grown AS SELECT id, name, age FROM contact WHERE age >= 18;
INSERT INTO team (name) VALUES ('red'), ('blue');
INSERT INTO contact (name, email, age, big, price, ratio, active, born, photo, note) VALUES
  ('Ann', 'ann@example.com', 30, 9007199254740993, 12.50, 0.5, 1, '1990-01-31', x'00FF10', 'says "hi"'),
  ('Bob', 'bob@example.com', 17, 5, 3, 1.25, 0, NULL, NULL, ''),
  ('Cyd', NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL),
  ('Dee', 'dee@example.com', 44, -1, 0.1, 1e300, 1, '2001-02-03', NULL, 'a{b}c'),
  ('Eve; DROP TABLE team', 'eve@example.com', 18, 1, 1, 1, 1, NULL, NULL, 'x''y');
INSERT INTO "Order Line" VALUES (1, 1, 'from', 'a'), (1, 2, 'where', 'b'), (2, 1, 'group', NULL);
INSERT INTO word VALUES ('Alpha', 'first'), ('a/b', 'slash'), ('it''s', 'quote'), ('50%', 'percent');
INSERT INTO loose VALUES (1, 'x'), (1, 'x'), (2, 'y');
INSERT INTO sum (a, b) VALUES (1, 2);
`;

/** A fresh copy of the database with a service over it. */
export async function fixture(config: Partial<Config> = {}): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-db-'));
  await mkdir(join(folder, 'db'));
  const file = join(folder, 'db', 'test.sqlite');
  const made = openSqlite(file, { create: true });
  made.exec(schema);
  made.close();
  const service = await sqlite.open(configOf({ database: 'test.sqlite', ...config }), testContext(folder));
  return {
    folder,
    service,
    sql(text) {
      const database = openSqlite(file, { busyTimeout: 2000 });
      try {
        return database.run(text).rows;
      } finally {
        database.close();
      }
    },
    reset() {
      const database = openSqlite(file, { busyTimeout: 2000 });
      database.exec('PRAGMA foreign_keys = 0');
      const made = "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'";
      for (const [type, name] of database.run(made).rows) database.exec(`DROP ${type} "${name}"`);
      database.exec(`DELETE FROM sqlite_sequence; ${schema}`);
      database.close();
    },
    async stop() {
      await service.close?.();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A whole configuration from a part of one. */
export const configOf = (config: Partial<Config>): Config => ({
  database: null,
  options: null,
  attributes: null,
  statements: null,
  allow_upsert: null,
  max_records: null,
  cache_enabled: null,
  cache_ttl: null,
  ...config,
});
