// Records of every engine are what the document of their service says, where nothing stands in a field or behind a relation, too.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { type Answer, startPlatform } from '@sluice/testkit';
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineName } from '../database/fixture/index.ts';
import { makeFamily } from '../database/related/family.fixture.ts';
import { type CheckAnswer, createAnswerCheck } from './answers.fixture.ts';
import type { Document } from './valid.fixture.ts';

const platform = await startPlatform();
const drops: (() => Promise<void>)[] = [];
afterAll(async () => {
  await platform.stop();
  for (const drop of drops) await drop();
});

/** A table with a field of each type that may be null, and views of it. */
const kinds: Record<EngineName, string> = {
  sqlite: `create table kind (id integer primary key autoincrement, t text, v varchar(20), i integer, b boolean, d decimal(20, 4),
    f double, day date, at time, stamp datetime, raw blob, big bigint, j json);
    create view kind_view as select id, t, i * 2 as twice from kind;`,
  pgsql: `create table kind (id serial primary key, t text, v varchar(20), i integer, b boolean, d numeric(20, 4),
    f double precision, day date, at time, stamp timestamptz, raw bytea, big bigint, j jsonb, u uuid, list integer[]);
    create view kind_view as select id, t, i * 2 as twice from kind;`,
  mysql: `create table kind (id integer auto_increment primary key, t text, v varchar(20), i integer, b tinyint(1), d decimal(20, 4),
    f double, day date, at time, stamp datetime, raw varbinary(20), big bigint, j json, e enum('a', 'b'));
    create view kind_view as select id, t, i * 2 as twice from kind;`,
};
const fill = `insert into kind (t, v, i, b, d, f, day, at, stamp, big) values
  ('text', 'x', 7, true, 12345678901234.5678, 0.5, '2024-02-29', '12:34:56', '2024-02-29 12:34:56', 9007199254740993);
  insert into kind (t) values (null);`;

const engines = [
  { engine: 'sqlite', missing: undefined },
  { engine: 'pgsql', missing: await engineMissing('pgsql') },
  { engine: 'mysql', missing: await engineMissing('mysql') },
] as const;

async function addService(engine: EngineName): Promise<void> {
  let sql: (text: string) => Promise<unknown>;
  let config: Record<string, unknown>;
  if (engine === 'sqlite') {
    await mkdir(join(platform.folder, 'db'), { recursive: true });
    const file = openSqlite(join(platform.folder, 'db', 'family.sqlite'), { create: true });
    sql = async (text) => file.exec(text);
    drops.push(async () => file.close());
    config = { database: 'family.sqlite' };
  } else {
    const place = await freshDatabase(engine);
    const { host, port, database, user: username, password } = place;
    sql = place.run;
    drops.push(place.drop);
    config = { host, port, database, username, password };
  }
  await makeFamily(engine, { sql } as Parameters<typeof makeFamily>[1]);
  await sql(`${kinds[engine]} ${fill}`);
  await platform.create('service', { name: engine, label: engine, type: engine, is_active: true, config });
}

describe.each(engines.filter(({ missing }) => missing === undefined))('records of $engine', ({ engine }) => {
  let document: Document;
  let problemOf: CheckAnswer;
  const wrong: string[] = [];
  const call = async (verb: string, path: string, at: string, body?: unknown): Promise<Answer> => {
    const answer = await platform.ask(verb, `${engine}${at}`, body === undefined ? {} : { body });
    const problem = answer.status < 300 ? problemOf(verb, path, answer) : answer.text;
    if (problem !== undefined) wrong.push(`${verb} ${at}: ${problem}`);
    return answer;
  };
  /** Relations of a table, and theirs: what the document says may be asked for. */
  const relationsOf = (table: string): string[] =>
    Object.entries<Document>(document.components.schemas[`${table}.part`].properties)
      .filter(([, schema]) => schema['x-type'] === undefined)
      .map(([name]) => name);

  beforeAll(async () => {
    await addService(engine);
    document = (await platform.ask('GET', `api_docs/${engine}?openapi=3.1`)).body;
    problemOf = createAnswerCheck(document);
  }, 60_000);

  it('are read as the document says, whole, related, and one by one', async () => {
    wrong.length = 0;
    const { body: tables } = await call('GET', '/_table', '/_table');
    // MySQL lists those of other databases, too.
    const names = ['office', 'person', 'profile', 'task', 'tag', 'task_tag', 'kind', 'kind_view'];
    expect(tables.resource.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(names));
    let empty = 0;
    for (const name of names) {
      const related = relationsOf(name).join(',');
      const { body: all } = await call(
        'GET',
        `/_table/${name}`,
        `/_table/${name}?related=${related}&include_count=true`,
      );
      await call('GET', '/_schema/{table_name}', `/_schema/${name}`);
      if (document.paths[`/_table/${name}/{id}`] === undefined || name === 'kind_view' || name === 'task_tag') continue;
      const [key] = document.components.schemas[`${name}.part`]['x-primary-key'];
      for (const record of all.resource) {
        const { body } = await call('GET', `/_table/${name}/{id}`, `/_table/${name}/${record[key]}?related=${related}`);
        expect(body).toEqual(record);
        empty += Object.values(record).filter((value) => value === null || JSON.stringify(value) === '[]').length;
      }
    }
    expect(wrong).toEqual([]);
    // Nulls of fields, relations to none and to no records.
    expect(empty).toBeGreaterThan(20);
  });

  it('a relation to one that leads nowhere is null, or an empty list where it is the other one that points', async () => {
    const { body } = await call('GET', '/_table/person', '/_table/person?related=*&filter=name=Cyd');
    const [cyd] = body.resource;
    expect(cyd.office_by_office_id).toBe(null);
    expect(cyd.task_by_person_id).toEqual([]);
    expect(cyd.profile_by_person_id).toEqual([]);
    const { profile_by_person_id: schema } = document.components.schemas['person.part'].properties;
    // On SQLite it is a relation to many.
    const record = { $ref: '#/components/schemas/profile.part' };
    expect(schema).toMatchObject(
      engine === 'sqlite' ? { type: 'array', items: record } : { anyOf: [record, { type: 'array', maxItems: 0 }] },
    );
  });

  it('are made, changed and deleted as the document says, nulls among them', async () => {
    wrong.length = 0;
    const everything = Object.keys(document.components.schemas['kind.change'].properties).filter(
      (name) => name !== 'id',
    );
    const nothing = Object.fromEntries(everything.map((name) => [name, null]));
    const { body: made } = await call('POST', '/_table/kind', '/_table/kind?fields=*', {
      resource: [nothing, { t: '' }],
    });
    const [{ id }, { id: other }] = made.resource;
    expect(made.resource[0]).toEqual({ ...nothing, id });
    await call('GET', '/_table/kind/{id}', `/_table/kind/${id}`);
    await call('PATCH', '/_table/kind/{id}', `/_table/kind/${id}?fields=*`, { t: 'other', i: null });
    await call('PUT', '/_table/kind/{id}', `/_table/kind/${id}?fields=*`, { i: 3, b: false });
    await call('PATCH', '/_table/kind', '/_table/kind?fields=*', {
      resource: [
        { id, t: null },
        { id: other, b: true },
      ],
    });
    await call('PUT', '/_table/kind', '/_table/kind', { resource: [{ id, d: 1.5 }] });
    await call('DELETE', '/_table/kind/{id}', `/_table/kind/${id}?fields=*`);
    await call('DELETE', '/_table/kind', `/_table/kind?ids=${other}&fields=*`);
    const family = { name: 'Dan', office_by_office_id: { city: 'Rome' }, task_by_person_id: [{ title: 'run' }] };
    const { body: written } = await call('POST', '/_table/person', '/_table/person?fields=*&related=*', {
      resource: [family],
    });
    await call('DELETE', '/_table/task', `/_table/task?ids=${written.resource[0].task_by_person_id[0].id}`);
    await call('DELETE', '/_table/person/{id}', `/_table/person/${written.resource[0].id}?fields=*&related=*`);
    expect(wrong).toEqual([]);
  });
});
