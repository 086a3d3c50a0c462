// Tables related by keys of two columns, beside those of the family. Branches are numbered in each country separately.
import type { EngineName, Fixture } from '../fixture/index.ts';

const counted: Record<EngineName, string> = {
  sqlite: 'integer primary key autoincrement',
  pgsql: 'serial primary key',
  mysql: 'integer auto_increment primary key',
};

/** In the order in which they can be emptied. */
const tables = ['guest', 'stay', 'entry', 'safe', 'branch_skill', 'skill', 'branch'];

/**
 * A branch has a safe, stays, and a head; entries share the country of their own key with it; it has skills by a junction
 * that has one country for both. A stay has a counted key, but guests point to it with its country.
 * Bern (ch 1) heads Basel (ch 2) and Oslo (no 1); Moss has the number 0. Cyd names a country and no stay.
 */
export async function makeBranches(engine: EngineName, { sql }: Pick<Fixture, 'sql'>): Promise<void> {
  const id = counted[engine];
  await sql(`
    create table branch (country varchar(2) not null, no integer not null, city varchar(40),
      head_country varchar(2), head_no integer, primary key (country, no),
      foreign key (head_country, head_no) references branch (country, no));
    create table safe (country varchar(2) not null, no integer not null, content varchar(40), primary key (country, no),
      foreign key (country, no) references branch (country, no));
    create table skill (country varchar(2) not null, id integer not null, name varchar(40), primary key (country, id));
    create table branch_skill (country varchar(2) not null, branch_no integer not null, skill_id integer not null,
      primary key (country, branch_no, skill_id),
      foreign key (country, branch_no) references branch (country, no),
      foreign key (country, skill_id) references skill (country, id));
    create table entry (country varchar(2) not null, line integer not null, branch_no integer, note varchar(40),
      primary key (country, line), foreign key (country, branch_no) references branch (country, no));
    create table stay (id ${id}, country varchar(2) not null, branch_no integer, title varchar(40) not null,
      hours integer not null default 0, unique (country, id),
      foreign key (country, branch_no) references branch (country, no));
    create table guest (id ${id}, name varchar(40) not null, country varchar(2), stay_id integer,
      foreign key (country, stay_id) references stay (country, id));`);
  await fillBranches(engine, { sql });
}

const countedTables = ['stay', 'guest'];
const resets: Record<EngineName, string> = {
  sqlite: `delete from sqlite_sequence where name in ('stay', 'guest');`,
  pgsql: countedTables.map((table) => `alter sequence ${table}_id_seq restart with 10;`).join(''),
  mysql: countedTables.map((table) => `alter table ${table} auto_increment = 10;`).join(''),
};

/** Puts the rows back; new ones are counted from 10 on. */
export async function fillBranches(engine: EngineName, { sql }: Pick<Fixture, 'sql'>): Promise<void> {
  await sql(`update branch set head_country = null, head_no = null;
    ${tables.map((table) => `delete from ${table};`).join('')} ${resets[engine]}
    insert into branch values ('ch', 1, 'Bern', null, null), ('no', 0, 'Moss', null, null);
    insert into branch values ('ch', 2, 'Basel', 'ch', 1), ('no', 1, 'Oslo', 'ch', 1);
    insert into safe values ('ch', 1, 'gold'), ('no', 1, 'fish');
    insert into skill values ('ch', 1, 'cheese'), ('ch', 2, 'clocks'), ('no', 1, 'skis');
    insert into branch_skill values ('ch', 1, 1), ('ch', 1, 2), ('ch', 2, 2), ('no', 1, 1);
    insert into entry values ('ch', 1, 1, 'rent'), ('ch', 2, 2, 'ink'), ('ch', 3, null, 'free'), ('no', 1, 1, 'net');
    insert into stay (id, country, branch_no, title, hours) values (1, 'ch', 1, 'walk', 2), (2, 'ch', 1, 'talk', 3),
      (3, 'ch', 2, 'tour', 1), (4, 'no', 1, 'fish', 4), (5, 'no', null, 'idle', 0), (6, 'no', 0, 'swim', 1);
    insert into guest (id, name, country, stay_id) values (1, 'Ann', 'ch', 1), (2, 'Bob', 'ch', 1), (3, 'Cyd', 'ch', null),
      (4, 'Dan', null, null), (5, 'Eve', 'no', 4);
    ${engine === 'sqlite' ? "delete from sqlite_sequence where name in ('stay', 'guest'); insert into sqlite_sequence values ('stay', 9), ('guest', 9);" : ''}`);
}
