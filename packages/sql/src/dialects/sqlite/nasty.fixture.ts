// A SQLite database as nobody should design one, and people do: for tests of everything that meets foreign databases.

/** Makes the tables and their rows; run it on an empty database whose foreign keys are not enforced. */
export const nastySql = `
-- names: spaces, capitals, quotes, reserved words, unicode, dots, brackets
create table "Order Items" (
  "Item No" integer primary key,
  "select" varchar(20) not null default 'it''s',
  "say ""hi""" text,
  "semi;colon" text default "dq",
  "per cent %" decimal(10,2) default 1.50,
  "a.b" integer default -3
);
insert into "Order Items" values (1, 'one', 'say', ';', 9.99, 1), (2, 'drop table', '"''', '--', 0.1, null);

create table "Größe 日本" ("Schlüssel Ä" text primary key not null, "naïve ☃" real, "émoji 😀" boolean not null default true);
insert into "Größe 日本" values ('ä', 1.5, 1), ('Ä', 1e300, 0), ('日本語', -0.0, 1);

create table "group" ("order" integer primary key autoincrement, "from" text unique, "where" text, "table" integer);
create index "index of group" on "group" ("where", "table");
insert into "group" ("from", "where", "table") values ('a', 'b', 1), ('c', null, 2);

create table "it's [odd] \`quoted\`" ("[id]" integer primary key, "\`x\`" text);
insert into "it's [odd] \`quoted\`" values (1, 'x');

-- keys: composite, none, not named by the reference, without rowid, descending
create table membership (
  user_name text collate nocase, "Group Id" integer references "group"("order") on delete cascade on update set null,
  role varchar(10), since timestamp not null default current_timestamp,
  primary key ("Group Id", user_name)
) without rowid;
insert into membership (user_name, "Group Id", role) values ('ann', 1, 'boss'), ('bob', 1, null), ('ann', 2, 'x');

create table keyless (n integer, t text);
insert into keyless values (1, 'one'), (1, 'one'), (null, null);

create table node (id integer primary key, parent integer references node, "Owner" integer references GROUP_OWNER("ID"));
create table Group_Owner (id integer primary key, name text);
insert into Group_Owner values (1, 'own');
insert into node values (1, null, 1), (2, 1, 1), (3, 1, null);

create table lost (id integer primary key, gone integer references nowhere(id));
insert into lost values (1, null);
create table pair_ref (id integer primary key, g integer, u text, foreign key (g, u) references membership);
insert into pair_ref values (1, 1, 'ann');

create table tag (id integer primary key, name text not null unique check (length(name) < 20));
create table node_tag (node_id integer not null references node(id), tag_id integer not null references tag(id),
  primary key (node_id, tag_id));
insert into tag values (1, 'red'), (2, 'blue');
insert into node_tag values (1, 1), (1, 2), (2, 1);

create table desc_key (id integer primary key desc, v text);
insert into desc_key values (7, 'seven');

-- values: blobs, 64-bit integers, columns without type, storage classes that do not fit their column
create table extreme (
  id integer primary key, big bigint, plain integer, exact decimal(38,10), money decimal(19,4),
  raw blob, "nothing", flag tinyint(1), one int(1), bits bit, day date, moment datetime, clock time, stamp timestamp,
  uid uuid, doc json, dbl double precision, flt float, small smallint, chars nchar(5), numb numeric
);
insert into extreme (id, big, plain, raw, "nothing", flag, one, bits, day, moment, exact, dbl) values
  (9223372036854775807, 9223372036854775807, 9007199254740993, x'00ff10', 5, 1, 0, 1, '2018-11-20', 1700000000, 0.1, 0.1),
  (-9223372036854775808, -9223372036854775808, -9007199254740993, 'text', 'five', 0, 1, 0, null, '2018-11-20 10:00:00', 12345678901234567890, 9e999),
  (3, 9007199254740992, 9007199254740991, x'', x'beef', null, null, null, null, null, 1.50, -9e999),
  (4, 'not a number', 3.5, 7, 1.5, 'true', 'yes', 2, 2018, null, 'abc', 1e21);

create table generated (
  id integer primary key, price real not null default 0, tax real generated always as (price * 0.2) virtual,
  total real as (price * 1.2) stored, label text as ('p' || price)
);
insert into generated (id, price) values (1, 10), (2, 0.5);

create table strict_one (id integer primary key, n int not null, a any, r real default (1.0 + 1)) strict;
insert into strict_one (id, n, a) values (1, 1, 'x'), (2, 2, 2);

-- views, triggers, virtual tables
create view "active view" as select "order" as id, upper("from") as "UP", count(*) as n from "group" group by 1;
create view broken_view as select * from dropped_table;
create view editable as select id, name from tag;
create trigger editable_insert instead of insert on editable begin insert into tag (name) values (new.name); end;
create table audited (id integer primary key, name text);
create trigger audit_refuse before insert on audited when new.name = 'bad' begin select raise(abort, 'no bad names'); end;
create trigger audit_rollback before insert on audited when new.name = 'worse' begin select raise(rollback, 'all undone'); end;
create table deferred (id integer primary key, tag integer references tag(id) deferrable initially deferred);
create virtual table notes using fts5(title, body);
insert into notes values ('first', 'hello world'), ('second', 'goodbye');
create virtual table boxes using rtree(id, min_x, max_x);
insert into boxes values (1, 0.5, 2);
`;

/** The names a list of tables shows, in its order. */
export const nastyTables = [
  'active view',
  'audited',
  'boxes',
  'broken_view',
  'deferred',
  'desc_key',
  'editable',
  'extreme',
  'generated',
  'group',
  'Group_Owner',
  'Größe 日本',
  "it's [odd] `quoted`",
  'keyless',
  'lost',
  'membership',
  'node',
  'node_tag',
  'notes',
  'Order Items',
  'pair_ref',
  'strict_one',
  'tag',
];
