// Each statement of a change fails in turn, and the ones that undo it: refused by the server, or the connection breaks before
// or after it was carried out.
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SchemaChange } from '../../../change/index.ts';
import { openNetworkDatabase } from '../../network/index.ts';
import { mysqlEngine } from '../connect.ts';
import { MysqlServer } from '../driver.ts';
import { mysqlPlan } from '../plan.ts';
import { createTable, type Editing, field, id, reference, startEditing } from './editing.fixture.ts';
import { isLockTimeout } from './session.ts';

const tables = `
create table parent (id int auto_increment primary key, code varchar(20) not null unique);
create table child (id int auto_increment primary key, code varchar(20), name varchar(10) comment 'c',
  constraint child_code foreign key (code) references parent (code) on update cascade, key name_key (name));
create table other (id int primary key, code varchar(20), constraint other_code foreign key (code) references parent (code));
create table node (id int auto_increment primary key, parent int, constraint node_parent foreign key (parent) references node (id));
insert into parent values (1, 'a'), (2, 'b');
insert into child values (7, 'a', 'x'), (8, 'b', null);
insert into other values (1, 'b');
insert into node values (1, null), (2, 1);
`;

const faults = ['refused', 'lostBefore', 'lostAfter', 'killed'] as const;
type Fault = (typeof faults)[number];

describe.skipIf(await engineMissing('mysql'))('a change that fails in the middle', () => {
  let editing: Editing;
  beforeAll(async () => {
    editing = await startEditing(await freshDatabase('mysql'));
  });
  afterAll(() => editing.close());
  beforeEach(async () => {
    const { run, server } = editing;
    const { database } = server;
    await run(
      `drop database ${database}; create database ${database} character set utf8mb4; use ${database}; ${tables}`,
    );
  });

  /** A database whose statements of DDL fail where the plan of faults says so, counted from 0. */
  function openFaulty(faultAt: (statement: number) => Fault | undefined) {
    const options = { ...editing.server, schema: 'default' };
    const server = new MysqlServer(options);
    let count = 0;
    const engine = mysqlEngine(options, server);
    return openNetworkDatabase({
      ...engine,
      async connect() {
        const connection = await server.connect();
        const command = connection.command.bind(connection);
        connection.command = async (sql) => {
          const fault = /^(create|alter|drop)/.test(sql) ? faultAt(count++) : undefined;
          if (fault === 'refused')
            throw Object.assign(new Error('made up'), { errno: 1234, sqlState: 'HY000', sqlMessage: 'made up' });
          if (fault === 'lostBefore') connection.destroy();
          if (fault === 'killed') {
            const [row] = await connection.values(mysqlPlan('select connection_id()', []), []);
            await editing.run(`kill ${row?.[0]}`);
          }
          await command(sql).catch((error) => {
            // One that waits for a lock is sent again, and is the same statement still.
            if (isLockTimeout(error)) count -= 1;
            throw error;
          });
          if (fault !== 'lostAfter') return;
          connection.destroy();
          throw Object.assign(new Error('cut off'), { fatal: true });
        };
        return connection;
      },
    });
  }

  const type = (name: string, length?: number) => field('', { type: name, length }).type;
  const changes: Record<string, () => Promise<SchemaChange[]>> = {
    'of a type that others reference': async () => [
      await editing.alter('parent', (column) => [
        { kind: 'changeField', column: column('code'), change: { type: type('string', 30) } },
        { kind: 'addField', field: field('more', { isIndex: true }) },
      ]),
    ],
    'of the types of a key and its references': async () => [
      await editing.alter('node', (column) => [
        { kind: 'renameField', column: column('parent'), newName: 'upper' },
        { kind: 'changeField', column: column('id'), change: { type: type('bigint') } },
        { kind: 'changeField', column: column('parent'), change: { type: type('bigint') } },
      ]),
    ],
    'of several tables': async () => [
      createTable('first', [id(), field('name', { isUnique: true })]),
      createTable(
        'second',
        [id(), field('first_id', { type: 'reference' })],
        [reference('first_id', 'first', 'id', { onDelete: 'CASCADE' })],
      ),
      await editing.alter('child', (column) => [
        { kind: 'addField', field: field('first_id', { type: 'reference' }) },
        { kind: 'addReference', reference: reference('first_id', 'first') },
        { kind: 'changeField', column: column('code'), change: { type: type('string', 25) } },
        { kind: 'renameTable', newName: 'kid' },
      ]),
      await editing.alter('other', (column) => [{ kind: 'renameField', column: column('code'), newName: 'word' }]),
    ],
  };

  const cases = Object.keys(changes).flatMap((title) => faults.map((fault) => [title, fault] as const));

  it.each(cases)('%s: %s', async (title, fault) => {
    const list = await (changes[title] as () => Promise<SchemaChange[]>)();
    const before = await editing.everything();
    const plans = await editing.editor.plan(list);
    const total = plans.flatMap(({ statements }) => statements).length;
    expect(total).toBeGreaterThan(2);
    for (let failing = 0; failing < total; failing += 1) {
      const database = openFaulty((statement) => (statement === failing ? fault : undefined));
      const failure = await database.schemaEditor?.apply(list).catch((error) => error);
      expect(failure?.key).toBe(fault === 'refused' ? 'record.database' : 'database.lost');
      expect(await editing.everything()).toBe(before);
      await database.close();
    }
  });

  it.each(cases.filter(([, fault]) => fault !== 'refused'))('%s, undone in spite of it: %s', async (title, fault) => {
    const list = await (changes[title] as () => Promise<SchemaChange[]>)();
    const before = await editing.everything();
    const total = (await editing.editor.plan(list)).flatMap(({ statements }) => statements).length;
    for (let failing = 0; failing < total; failing += 1) {
      // After the last statement the caller refuses; then a counter-step fails, once.
      const database = openFaulty((statement) => (statement === total + failing ? fault : undefined));
      const refusal = new Error('refused');
      const beforeCommit = () => Promise.reject(refusal);
      await expect(database.schemaEditor?.apply(list, { beforeCommit })).rejects.toBe(refusal);
      expect(await editing.everything()).toBe(before);
      await database.close();
    }
  });

  it.each(faults)('one that cannot be undone: %s', async (fault) => {
    const change = await editing.alter('child', (column) => [{ kind: 'dropField', column: column('name') }]);
    const before = await editing.everything();
    const database = openFaulty((statement) => (statement === 0 ? fault : undefined));
    const failure = await database.schemaEditor?.apply([change]).catch((error) => error);
    await database.close();
    const keys = {
      refused: 'record.database',
      lostBefore: 'database.lost',
      killed: 'database.lost',
      lostAfter: 'database.unsure',
    };
    expect(failure?.key).toBe(keys[fault]);
    if (fault === 'lostAfter') expect((await editing.table('child')).column('name')).toBeUndefined();
    else expect(await editing.everything()).toBe(before);
  });

  it('says what is left to do when it cannot be undone', async () => {
    const list = await (changes['of a type that others reference'] as () => Promise<SchemaChange[]>)();
    const database = openFaulty((statement) => (statement >= 2 ? 'refused' : undefined));
    await expect(database.schemaEditor?.apply(list)).rejects.toMatchObject({
      key: 'schema.halfChanged',
      message: expect.stringContaining('alter table `other` add constraint `other_code` foreign key'),
    });
    await database.close();
  });
});
