// The database both servers open: a made-up shop with columns of every kind, keys of every kind and relations of every
// kind, the same on each engine as far as it has them.

export type ShopEngine = 'sqlite' | 'pgsql' | 'mysql';

interface Words {
  /** A whole number the database counts up, and the key. */
  id: string;
  double: string;
  bytes: string;
  moment: string;
  hex(digits: string): string;
  /** A query with the numbers from 1 as its only column `n`. */
  numbers(count: number): string;
  /** Tables and routines that only this engine has. */
  own: string;
}

const words: Record<ShopEngine, Words> = {
  sqlite: {
    id: 'integer PRIMARY KEY AUTOINCREMENT',
    double: 'double',
    bytes: 'blob',
    moment: 'datetime',
    hex: (digits) => `x'${digits}'`,
    numbers: (count) =>
      `WITH RECURSIVE counting (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counting WHERE n < ${count}) SELECT n FROM counting`,
    own: `
      CREATE TABLE typed (id integer PRIMARY KEY, anything, price money, tiny tinyint(1), doc json, word text COLLATE NOCASE,
        whole int GENERATED ALWAYS AS (id * 2) STORED, at timestamp DEFAULT CURRENT_TIMESTAMP, token uuid, part float);
      INSERT INTO typed (id, anything, price, tiny, doc, word, at, token, part) VALUES
        (1, 'text', 12.3456, 1, '{"a": [1, 2]}', 'Word', '2018-11-20 10:00:00', 'a81bc81b-dead-4e5d-abff-90865d1e13b1', 0.1),
        (2, 7, null, 0, null, null, null, null, null),
        (3, x'00ff', -1, null, '[]', 'wORD', '2018-11-20', 'none', 1e300);`,
  },
  pgsql: {
    id: 'serial PRIMARY KEY',
    double: 'double precision',
    bytes: 'bytea',
    moment: 'timestamp',
    hex: (digits) => `'\\x${digits}'`,
    numbers: (count) => `SELECT n FROM generate_series(1, ${count}) AS numbers (n)`,
    own: `
      CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
      CREATE SCHEMA attic;
      CREATE TABLE attic.box (id integer PRIMARY KEY, label text);
      INSERT INTO attic.box VALUES (1, 'old');
      CREATE TABLE typed (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, feeling mood, token uuid, doc jsonb, raw json,
        words text[], numbers integer[], at timestamptz, wakes timetz, price money, place inet, span interval, flag bit(1),
        small smallint, part real, whole integer GENERATED ALWAYS AS (7 * 6) STORED, spot point, fixed char(4));
      INSERT INTO typed (feeling, token, doc, raw, words, numbers, at, wakes, price, place, span, flag, small, part, spot, fixed) VALUES
        ('ok', 'a81bc81b-dead-4e5d-abff-90865d1e13b1', '{"a": [1, 2], "k": null}', '{"b":  1}', '{a,"b c"}', '{1,2}',
         '2018-11-20 10:00:00.123456+02', '10:00:00+02', 12.34, '10.0.0.1', '1 day 02:03:04', B'1', 7, 0.1, '(1,2)', 'ab'),
        (null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
        ('sad', 'a81bc81b-dead-4e5d-abff-90865d1e13b2', '[]', 'null', '{}', '{}', '-infinity', null, -1, null, null, B'0', -7, 'NaN', null, '');
      CREATE FUNCTION add(a integer, b integer) RETURNS integer LANGUAGE sql AS 'SELECT a + b';
      COMMENT ON FUNCTION add IS 'Adds two numbers';
      CREATE FUNCTION greet(name text, word text DEFAULT 'Hello') RETURNS text LANGUAGE sql AS $$SELECT word || ' ' || name$$;
      CREATE FUNCTION is_big(n bigint) RETURNS boolean LANGUAGE sql AS 'SELECT n > 9007199254740992';
      CREATE FUNCTION same(v bigint) RETURNS bigint LANGUAGE sql AS 'SELECT v';
      CREATE FUNCTION cheap(below numeric) RETURNS TABLE (id integer, name varchar, price numeric) LANGUAGE sql AS
        'SELECT id, name, price FROM product WHERE price < below ORDER BY id';
      CREATE FUNCTION bad() RETURNS integer LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'no luck'; END$$;
      CREATE PROCEDURE put(name text) LANGUAGE sql AS 'INSERT INTO tag (name) VALUES (name)';
      CREATE PROCEDURE "twice, with all"(n integer, INOUT result integer) LANGUAGE plpgsql AS 'BEGIN result := 2 * n + coalesce(result, 0); END';
      CREATE PROCEDURE fails() LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'no luck'; END$$;`,
  },
  mysql: {
    id: 'integer AUTO_INCREMENT PRIMARY KEY',
    double: 'double',
    bytes: 'longblob',
    moment: 'datetime',
    hex: (digits) => `x'${digits}'`,
    numbers: (count) => `SELECT seq AS n FROM seq_1_to_${count}`,
    own: `
      CREATE TABLE typed (id integer AUTO_INCREMENT PRIMARY KEY, feeling enum('sad', 'ok', 'happy'), flags set('a', 'b', 'c'), doc json,
        tiny tinyint(1), small smallint unsigned, bits bit(10), flag bit(1), at timestamp NULL DEFAULT NULL, exact datetime(6),
        made timestamp DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, born year, raw varbinary(8), spot point,
        whole integer GENERATED ALWAYS AS (small * 2) STORED, part float, fixed char(4), huge bigint unsigned);
      INSERT INTO typed (feeling, flags, doc, tiny, small, bits, flag, at, exact, made, born, raw, spot, part, fixed, huge) VALUES
        ('ok', 'a,c', '{"a": [1, 2]}', 1, 7, b'1010101010', b'1', '2018-11-20 10:00:00', '2018-11-20 10:00:00.123456',
         '2018-11-20 10:00:00', 2018, x'00ff', ST_GeomFromText('POINT(1 2)'), 0.1, 'ab', 18446744073709551615),
        (null, null, null, null, null, null, null, null, null, '2018-11-20 10:00:00', null, null, null, null, null, null),
        ('sad', '', '[]', 0, 65535, b'0', b'0', null, null, '2018-11-20 10:00:00', 1999, x'', null, -1.5, '', 0);
      CREATE FUNCTION "add"(a integer, b integer) RETURNS integer DETERMINISTIC COMMENT 'Adds two numbers' RETURN a + b;
      CREATE FUNCTION greet(name varchar(100), word varchar(100)) RETURNS varchar(200) DETERMINISTIC RETURN concat(coalesce(word, 'Hello'), ' ', name);
      CREATE FUNCTION is_big(n bigint) RETURNS boolean DETERMINISTIC RETURN n > 9007199254740992;
      CREATE FUNCTION same(v bigint) RETURNS bigint DETERMINISTIC RETURN v;
      CREATE FUNCTION bad() RETURNS integer NOT DETERMINISTIC BEGIN SIGNAL SQLSTATE '45000' SET message_text = 'no luck'; RETURN 1; END;
      CREATE PROCEDURE cheap(below decimal(10,2)) SELECT id, name, price FROM product WHERE price < below ORDER BY id;
      CREATE PROCEDURE two_lists() BEGIN SELECT id FROM category ORDER BY id; SELECT name FROM tag ORDER BY id; END;
      CREATE PROCEDURE put(name varchar(100)) INSERT INTO tag (name) VALUES (name);
      CREATE PROCEDURE "twice, with all"(n integer, INOUT result integer) SET result = 2 * n + coalesce(result, 0);
      CREATE PROCEDURE fails() SIGNAL SQLSTATE '45000' SET message_text = 'no luck'`,
  },
};

/** Rows that a list without a limit does not hold, and that go out as they are read. */
const manyRows = 2_500;

/** The statements that make the database, names in double quotes. */
export function shopSql(engine: ShopEngine): string {
  const { id, double, bytes, moment, hex, numbers, own } = words[engine];
  return `
    CREATE TABLE country (code char(2) NOT NULL PRIMARY KEY, name varchar(80) NOT NULL UNIQUE);
    CREATE TABLE category (id ${id}, name varchar(80) NOT NULL, parent_id integer,
      FOREIGN KEY (parent_id) REFERENCES category (id));
    CREATE TABLE customer (id ${id}, name varchar(80) NOT NULL, email varchar(120) UNIQUE, born date, wakes time,
      seen_at ${moment}, is_active boolean NOT NULL DEFAULT true, is_known boolean, credit decimal(12,2), score ${double},
      big bigint, note text, avatar ${bytes}, country_code char(2), joined_at ${moment} NOT NULL DEFAULT CURRENT_TIMESTAMP,
      FOREIGN KEY (country_code) REFERENCES country (code));
    CREATE TABLE profile (customer_id integer NOT NULL PRIMARY KEY, motto varchar(200),
      FOREIGN KEY (customer_id) REFERENCES customer (id));
    CREATE TABLE product (id ${id}, name varchar(80) NOT NULL, sku varchar(20) NOT NULL UNIQUE, price decimal(10,2) NOT NULL,
      stock integer NOT NULL DEFAULT 0, category_id integer, weight ${double}, is_sold boolean NOT NULL DEFAULT true,
      CHECK (price >= 0), FOREIGN KEY (category_id) REFERENCES category (id));
    CREATE TABLE tag (id ${id}, name varchar(80) NOT NULL UNIQUE);
    CREATE TABLE product_tag (product_id integer NOT NULL, tag_id integer NOT NULL, PRIMARY KEY (product_id, tag_id),
      FOREIGN KEY (product_id) REFERENCES product (id), FOREIGN KEY (tag_id) REFERENCES tag (id));
    CREATE TABLE purchase (id ${id}, customer_id integer NOT NULL, status varchar(12) NOT NULL DEFAULT 'open',
      ordered_on date, total decimal(10,2), note varchar(255),
      FOREIGN KEY (customer_id) REFERENCES customer (id) ON DELETE CASCADE);
    CREATE TABLE purchase_item (purchase_id integer NOT NULL, line integer NOT NULL, product_id integer,
      quantity integer NOT NULL DEFAULT 1, PRIMARY KEY (purchase_id, line),
      FOREIGN KEY (purchase_id) REFERENCES purchase (id) ON DELETE CASCADE,
      FOREIGN KEY (product_id) REFERENCES product (id) ON DELETE SET NULL);
    CREATE TABLE item_note (id ${id}, purchase_id integer, line integer, words varchar(80),
      FOREIGN KEY (purchase_id, line) REFERENCES purchase_item (purchase_id, line));
    CREATE TABLE bag (n integer, t varchar(80));
    CREATE TABLE many (id integer PRIMARY KEY, n integer, t varchar(80));
    CREATE TABLE "Odd Name; (old)" ("Item No" ${id}, "select" varchar(80), "say ""hi""" integer, "per cent %" integer, "naïve ☃" integer);
    CREATE VIEW cheap_product AS SELECT id, name, price FROM product WHERE price < 5;
    ${own};
    INSERT INTO country (code, name) VALUES ('CH', 'Schweiz'), ('JP', '日本'), ('NO', 'Norge');
    INSERT INTO category (name, parent_id) VALUES ('Food', null);
    INSERT INTO category (name, parent_id) VALUES ('Fruit', 1), ('Tools', null), ('Empty', 3);
    INSERT INTO customer (name, email, born, wakes, seen_at, is_active, is_known, credit, score, big, note, avatar, country_code, joined_at) VALUES
      ('Ann', 'ann@example.com', '1980-02-29', '07:30:00', '2018-11-20 10:00:00', true, true, 100.50, 0.1, 9007199254740993, 'plain', ${hex('00ff10')}, 'CH', '2018-01-01 00:00:00'),
      ('Zoë 日本 😀', 'zoe@example.com', null, null, null, false, null, null, null, null, null, null, 'JP', '2018-01-02 00:00:00'),
      ('O''Brien, "Bob"', 'bob@example.com', '2001-12-31', '23:59:59', '1999-12-31 23:59:59', true, false, -0.01, -1.5, -9223372036854775808, 'two
lines, and a comma; <b>&amp;</b> \\ 100%_', ${hex('')}, null, '2018-01-03 00:00:00'),
      ('=1+1', 'formula@example.com', '1970-01-01', '00:00:00', '1970-01-01 00:00:00', true, true, 0, 1e20, 0, '', ${hex('7f')}, 'NO', '2018-01-04 00:00:00'),
      ('ann', null, '1980-02-29', null, null, true, null, 99999999.99, 3, 42, 'ÄÖÜ ß', null, 'CH', '2018-01-05 00:00:00');
    INSERT INTO profile (customer_id, motto) VALUES (1, 'says "hi"'), (3, null);
    INSERT INTO product (name, sku, price, stock, category_id, weight, is_sold) VALUES
      ('Apple', 'A-1', 0.50, 120, 2, 0.2, true), ('Äpfel', 'A-2', 2.50, 7, 2, 1.5, true), ('Hammer', 'H-1', 19.90, 3, 3, 0.8, true),
      ('Saw', 'S-1', 24.00, 0, 3, 0.65, false), ('Bread', 'B-1', 4.20, 30, 1, 0.5, true), ('Gift', 'G-1', 0, 1, null, null, true),
      ('Nail "10%"', 'N-10', 0.01, 9999, 3, 0.001, true);
    INSERT INTO tag (name) VALUES ('red'), ('sharp'), ('new'), ('unused');
    INSERT INTO product_tag (product_id, tag_id) VALUES (1, 1), (1, 3), (4, 2), (3, 3);
    INSERT INTO purchase (customer_id, status, ordered_on, total, note) VALUES
      (1, 'open', '2018-11-20', 21.40, null), (1, 'paid', '2018-11-21', 4.20, 'ring twice'), (3, 'open', '2018-11-22', null, ''),
      (4, 'lost', null, 0, null);
    INSERT INTO purchase_item (purchase_id, line, product_id, quantity) VALUES
      (1, 1, 1, 3), (1, 2, 3, 1), (2, 1, 5, 1), (3, 1, 1, 10), (3, 2, null, 1);
    INSERT INTO item_note (purchase_id, line, words) VALUES (1, 2, 'wrap it'), (null, null, 'loose');
    INSERT INTO bag (n, t) VALUES (1, 'a'), (1, 'a'), (2, null);
    INSERT INTO many (id, n, t) SELECT n, n % 7, 'row' FROM (${numbers(manyRows)}) AS numbers;
    INSERT INTO "Odd Name; (old)" ("select", "say ""hi""", "per cent %", "naïve ☃") VALUES ('from', 1, 2, 3), ('where; --', null, null, null)`;
}
