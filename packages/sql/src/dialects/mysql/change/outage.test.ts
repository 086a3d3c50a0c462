import { type OwnServer, ownServer, ownServerMissing } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SchemaEditor } from '../../../change/index.ts';
import { openMysqlDatabase } from '../connect.ts';
import { createTable, field, id, readEverything } from './editing.fixture.ts';

describe.skipIf(ownServerMissing('mysql'))('a server that is killed in the middle of a change', () => {
  let server: OwnServer;
  beforeAll(async () => {
    server = await ownServer('mysql');
    await server.run(`create database outage; use outage;
      create table parent (id int primary key, code varchar(20) not null unique);
      create table child (id int auto_increment primary key, code varchar(20), v int,
        constraint child_code foreign key (code) references parent (code) on update cascade);
      insert into parent values (1, 'a'), (2, 'b');
      insert into child (code, v) select 'a', seq from seq_1_to_50000`);
  });
  afterAll(() => server.remove());

  // Before, within and after the statement that takes long.
  it.each([0, 40, 150, 400, 1000])('after %d ms: all of it was done, or nothing', async (delay) => {
    const { host, port, user, password } = server;
    const database = openMysqlDatabase({ host, port, user, password, database: 'outage', schema: 'default' });
    const run = (sql: string) => server.run(sql, 'outage');
    // A server that starts again counts on from the largest number.
    const everything = async () => (await readEverything(run, 'outage')).replaceAll(/AUTO_INCREMENT=\d+/g, '');
    try {
      const child = await database.table('child');
      const parent = await database.table('parent');
      const column = (name: string) => child.column(name) as never;
      const type = (length: number) => field('', { length }).type;
      const before = await everything();
      const editor = database.schemaEditor as SchemaEditor;
      const applying = editor.apply([
        createTable('fresh', [id()]),
        {
          kind: 'alterTable',
          table: child,
          steps: [
            { kind: 'changeField', column: column('v'), change: { type: field('', { type: 'bigint' }).type } },
            { kind: 'changeField', column: column('code'), change: { type: type(40) } },
            { kind: 'addField', field: field('extra', { isIndex: true }) },
          ],
        },
        {
          kind: 'alterTable',
          table: parent,
          steps: [{ kind: 'changeField', column: parent.column('code') as never, change: { type: type(30) } }],
        },
      ]);
      const outcome = applying.then(
        () => 'done',
        (error) => error.key,
      );
      await new Promise((resolve) => setTimeout(resolve, delay));
      await server.kill();
      await server.start();
      const result = await outcome;
      const after = await everything();
      if (result === 'done') {
        await run(
          'drop table fresh; alter table child drop foreign key child_code, drop column extra, modify v int, modify code varchar(20); alter table parent modify code varchar(20) not null; alter table child add constraint child_code foreign key (code) references parent (code) on update cascade',
        );
        expect(after).not.toBe(before);
      } else expect([result, after]).toEqual([expect.stringMatching(/^database\./), before]);
    } finally {
      await database.close();
    }
  });
});
