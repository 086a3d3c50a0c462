// Tables with relations of every kind, created beside those of the fixture on each engine.
import type { EngineName, Fixture } from '../fixture/index.ts';

const words: Record<EngineName, { id: string; text: string }> = {
  sqlite: { id: 'integer primary key autoincrement', text: 'varchar(40)' },
  pgsql: { id: 'serial primary key', text: 'varchar(40)' },
  mysql: { id: 'integer auto_increment primary key', text: 'varchar(40)' },
};

/** In the order in which they can be emptied. */
const tables = ['task_tag', 'task', 'profile', 'person', 'tag', 'office'];

/**
 * An office has people, a person has one profile, tasks and a boss; tasks have tags by a junction. Ann (1) heads Bob (2)
 * and Cyd (3), who has nothing; the office 2 is empty.
 */
export async function makeFamily(engine: EngineName, { sql }: Fixture): Promise<void> {
  const { id, text } = words[engine];
  await sql(`
    create table office (id ${id}, city ${text} not null);
    create table person (id ${id}, name ${text} not null, office_id integer, boss_id integer,
      foreign key (office_id) references office (id), foreign key (boss_id) references person (id));
    create table profile (person_id integer primary key, motto ${text}, foreign key (person_id) references person (id));
    create table task (id ${id}, person_id integer, title ${text} not null, hours integer not null default 0,
      foreign key (person_id) references person (id));
    create table tag (id ${id}, name ${text} not null unique);
    create table task_tag (task_id integer not null, tag_id integer not null, primary key (task_id, tag_id),
      foreign key (task_id) references task (id), foreign key (tag_id) references tag (id));`);
  await fillFamily(engine, { sql });
}

const resets: Record<EngineName, string> = {
  sqlite: `delete from sqlite_sequence where name in (${tables.map((table) => `'${table}'`)});`,
  pgsql: ['office', 'person', 'task', 'tag'].map((table) => `alter sequence ${table}_id_seq restart with 10;`).join(''),
  mysql: ['office', 'person', 'task', 'tag'].map((table) => `alter table ${table} auto_increment = 10;`).join(''),
};

/** Puts the rows back; new ones are counted from 10 on. */
export async function fillFamily(engine: EngineName, { sql }: Pick<Fixture, 'sql'>): Promise<void> {
  await sql(`update person set boss_id = null; ${tables.map((table) => `delete from ${table};`).join('')} ${resets[engine]}
    insert into office (id, city) values (1, 'Bern'), (2, 'Oslo');
    insert into person (id, name, office_id, boss_id) values (1, 'Ann', 1, null);
    insert into person (id, name, office_id, boss_id) values (2, 'Bob', 1, 1), (3, 'Cyd', null, 1);
    insert into profile values (1, 'says "hi"');
    insert into task (id, person_id, title, hours) values
      (1, 1, 'plan', 3), (2, 1, 'write', 5), (3, 2, 'read', 1), (4, null, 'idle', 0);
    insert into tag (id, name) values (1, 'red'), (2, 'blue');
    insert into task_tag values (1, 1), (1, 2), (3, 2);
    ${engine === 'sqlite' ? "insert into sqlite_sequence select column1, 9 from (values ('office'), ('person'), ('task'), ('tag')); delete from sqlite_sequence where seq < 9;" : ''}`);
}
