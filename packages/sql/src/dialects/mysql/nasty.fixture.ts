// A MariaDB database as nobody should design one, and people do: for tests of everything that meets foreign databases.

/**
 * Makes the tables and their rows in the current database, which is empty, and some in a second one, which stands for
 * another schema. Both names must be plain words.
 */
export const nastySql = (main: string, other: string): string => `
-- names: spaces, capitals, quotes, backticks, backslashes, reserved words, unicode, dots; two that differ by case alone
create table \`Order Items\` (
  \`Item No\` int unsigned auto_increment primary key,
  \`select\` varchar(20) not null default 'it''s "\\\\" x',
  \`say "hi"\` text default 'dq',
  \`semi;colon\` text,
  \`per cent %\` decimal(10,2) default 1.50,
  \`a.b\` int default -3,
  \`back\\slash\` varchar(20),
  \`tick\`\`ed\` varchar(20),
  \`question?\` int
);
insert into \`Order Items\` (\`select\`, \`say "hi"\`, \`semi;colon\`, \`per cent %\`, \`a.b\`, \`back\\slash\`, \`tick\`\`ed\`) values
  ('one', 'say', ';', 9.99, 1, 'a\\\\b', '\`'), ('drop table', '"''', '--', 0.1, null, '\\\\', '?'), ('?', '50%', '_', -0.01, 0, '%\\\\_', '''');
create table \`Größe 日本\` (\`Schlüssel Ä\` varchar(40) collate utf8mb4_bin primary key, \`naïve ☃\` double, \`émoji\` bool not null default true);
insert into \`Größe 日本\` values ('ä', 1.5, 1), ('Ä', 1e300, 0), ('日本語 😀', -0.0, 1);
create table \`group\` (\`order\` int auto_increment primary key, \`from\` varchar(20) unique, \`where\` varchar(20), \`table\` int);
create index \`index of group\` on \`group\` (\`where\`, \`table\`);
insert into \`group\` (\`from\`, \`where\`, \`table\`) values ('a', 'b', 1), ('c', null, 2);
create table \`it's [odd] "quoted"\` (\`[id]\` int primary key, \`"x"\` text);
insert into \`it's [odd] "quoted"\` values (1, 'x');
create table Twin (id int primary key, upper_one int);
create table twin (id int primary key, lower_one int);
insert into Twin values (1, 1); insert into twin values (2, 2);
create table \`dotted.name\` (id int primary key);
insert into \`dotted.name\` values (1);

-- keys: composite, none, text in any case, decimal, binary, dates, 64-bit without a sign, cyclic, to itself, of two columns
create table membership (
  user_name varchar(20) collate utf8mb4_general_ci, \`Group Id\` int, role varchar(10),
  since timestamp not null default current_timestamp, primary key (\`Group Id\`, user_name),
  constraint \`fk Group\` foreign key (\`Group Id\`) references \`group\` (\`order\`) on delete cascade on update restrict
);
insert into membership (user_name, \`Group Id\`, role) values ('ann', 1, 'boss'), ('bob', 1, null), ('ann', 2, 'x');
create table pair_ref (id int primary key, g int, u varchar(20),
  foreign key (g, u) references membership (\`Group Id\`, user_name) on update cascade);
insert into pair_ref values (1, 1, 'ann');
create table keyless (n int, t text);
insert into keyless values (1, 'one'), (1, 'one'), (null, null);
create table decimal_key (id decimal(38,10) primary key, v text);
insert into decimal_key values (12345678901234567890.1234567890, 'long'), (1.5, 'short');
create table binary_key (id binary(4) primary key, v int);
insert into binary_key values (x'00ff1027', 1), (x'61620000', 2);
create table time_key (at datetime(3), day date, primary key (at, day));
insert into time_key values ('2018-11-20 10:00:00', '2018-11-20'), ('2018-11-20 10:00:00.125', '0000-01-01');
create table huge_key (id bigint unsigned auto_increment primary key, v int);
insert into huge_key values (18446744073709551614, 1), (9223372036854775808, 2), (1, 3);
create table node (id int primary key, parent int, partner int unique, foreign key (parent) references node (id));
create table spouse (id int primary key, node_id int not null unique, foreign key (node_id) references node (id) on delete cascade);
alter table node add constraint node_partner foreign key (partner) references spouse (id);
insert into node values (1, null, null), (2, 1, null);
insert into spouse values (7, 2);
update node set partner = 7 where id = 1;
create table tag (id smallint primary key, name varchar(20) not null unique check (length(name) < 18));
create table node_tag (node_id int not null, tag_id smallint not null, primary key (node_id, tag_id),
  foreign key (node_id) references node (id), foreign key (tag_id) references tag (id));
insert into tag values (1, 'red'), (2, 'blue');
insert into node_tag values (1, 1), (1, 2), (2, 1);

-- values: every type, at its ends
create table extreme (
  id bigint primary key, tiny tinyint, tinyu tinyint unsigned, flag tinyint(1), one int(1), small smallint, medium mediumint,
  zero int(6) zerofill, big bigint, bigu bigint unsigned, exact decimal(38,10), digits decimal(65,0), money decimal(19,4),
  dbl double, flt float, flat float(7,3), bit1 bit, bits bit(12), bits64 bit(64), day date, moment datetime, fine datetime(6),
  clock time, fine_clock time(2), stamp timestamp null, fine_stamp timestamp(3) null, born year,
  chars char(5), latin varchar(20) character set latin1, words text, doc json, kind enum('a', 'B b', 'c,d', 'e''f'), flags set('x', 'y', 'z'),
  fixed binary(3), raw blob, varraw varbinary(20), address inet6, uid uuid, place point, shape geometry
);
insert into extreme values
  (9223372036854775807, 127, 255, 1, 1, 32767, 8388607, 42, 9223372036854775807, 18446744073709551615,
   1234567890123456789012345678.0123456789, repeat('9', 65), 922337203685477.5807, 1.7976931348623157e308, 3.4028e38, 1234.567, 1,
   b'101010101010', b'${'1'.repeat(64)}', '9999-12-31', '9999-12-31 23:59:59', '2018-11-20 10:00:00.120000', '838:59:59', '10:00:00.5',
   '2038-01-19 03:14:07', '2018-11-20 10:00:00', 2155, 'ab', 'für', 'é 日本 😀', '{"a": [1, 12345678901234567890]}', 'e''f', 'x,z',
   x'00ff10', x'00ff10', x'', '::1', '123e4567-e89b-12d3-a456-426655440000', point(1.5, -2), st_geomfromtext('LINESTRING(0 0,1 1)', 4326)),
  (-9223372036854775808, -128, 0, 0, 0, -32768, -8388608, 0, -9223372036854775808, 0, -0.0000000001, -1, -0.5, -2.2250738585072014e-308,
   0.1, -0.125, 0, 0, 0, '1000-01-01', '1000-01-01', '1000-01-01 00:00:00.000001', '-838:59:59', '-00:00:00.01', '1970-01-01 00:00:01', '1970-01-01 00:00:01.001',
   1901, '', '', '', '""', 'a', '', x'', x'', x'ff', '2001:db8::ff00:42:8329', '00000000-0000-0000-0000-000000000000', point(0, 0), point(1, 1));
insert into extreme (id) values (3);
create table generated (
  id int primary key, price decimal(10,2) not null default 0, tax decimal(10,2) as (price * 0.2) virtual,
  total decimal(10,2) as (price * 1.2) stored, label varchar(20) as (concat('p', price)) persistent, secret int invisible default 7
);
insert into generated (id, price) values (1, 10), (2, 0.5);
create table stamped (
  id int auto_increment primary key, made timestamp not null default current_timestamp,
  changed timestamp not null default current_timestamp on update current_timestamp, note varchar(20),
  day date not null default (curdate()), uid varchar(36) not null default (uuid()), size int not null default (1 + 2)
);
insert into stamped (note) values ('one'), ('two');
create table versioned (id int primary key, v int) with system versioning;
insert into versioned values (1, 1); update versioned set v = 2;
create table parts (id int, at date, primary key (id, at)) partition by range (year(at))
  (partition old values less than (2000), partition new values less than maxvalue);
insert into parts values (1, '1999-01-01'), (2, '2020-01-01');
create table old_engine (id int auto_increment primary key, name varchar(20) unique) engine = MyISAM;
insert into old_engine (name) values ('a'), ('b');

-- views, triggers, sequences
create view \`active view\` as select \`order\` as id, upper(\`from\`) as \`UP\`, count(*) as n from \`group\` group by 1, 2;
create table dropped_table (id int);
create view broken_view as select * from dropped_table;
drop table dropped_table;
create view editable as select id, name from tag;
create sequence counter;
create table audited (id int auto_increment primary key, name varchar(20));
create trigger audit_refuse before insert on audited for each row begin
  if new.name = 'bad' then signal sqlstate '45000' set message_text = 'no bad names'; end if;
  set new.name = trim(new.name);
end;

-- another schema, and keys between the two
create table ${other}.tag (id int primary key, label varchar(20));
insert into ${other}.tag values (1, 'elsewhere');
create table ${other}.remote (id int primary key, tag smallint, foreign key (tag) references ${main}.tag (id));
insert into ${other}.remote values (1, 2);
create table outward (id int primary key, there int, foreign key (there) references ${other}.tag (id) on delete set null);
insert into outward values (1, 1);
`;

/** The names a list of tables shows, in its order; `other` is the name of the second database. */
export const nastyTables = (other: string): string[] => [
  'active view',
  'audited',
  'binary_key',
  'broken_view',
  'decimal_key',
  'dotted.name',
  'editable',
  'extreme',
  'generated',
  'group',
  'Größe 日本',
  'huge_key',
  `it's [odd] "quoted"`,
  'keyless',
  'membership',
  'node',
  'node_tag',
  'old_engine',
  'Order Items',
  'outward',
  'pair_ref',
  'parts',
  ...[`${other}.remote`, `${other}.tag`],
  'spouse',
  'stamped',
  'tag',
  'time_key',
  'Twin',
  'twin',
  'versioned',
];
