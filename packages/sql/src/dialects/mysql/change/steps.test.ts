import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SchemaPlan, TableStep } from '../../../change/index.ts';
import type { Column } from '../../../schema/index.ts';
import { type Editing, field, id, reference, startEditing } from './editing.fixture.ts';

const nasty = 'a `tick` "q" \'s\' ü';
const longName = 'n'.repeat(64);

/** Tables with something of everything, and records. */
const tables = `
create table parent (id int(11) not null auto_increment primary key, code varchar(20) not null default 'it''s \\\\ "x"' comment 'the; code, of (it)', unique key code_key (code)) comment='parents, (all)';
create table todo (
  id int(11) not null auto_increment,
  name varchar(40) character set latin1 collate latin1_german1_ci default 'x,\\\\y''(' comment 'a ''name'', with \`ticks\`',
  amount int(10) unsigned not null default 7,
  parent_id int(11) default null,
  code varchar(20) default null,
  total int(11) generated always as (amount * 2) virtual,
  made timestamp not null default current_timestamp() on update current_timestamp(),
  doc longtext check (json_valid(doc)),
  hidden int invisible default 3,
  \`${nasty.replaceAll('`', '``').replaceAll("'", "\\'").replaceAll("\\'", "'")}\` text default null,
  \`select\` decimal(10,2) default 1.50,
  primary key (id),
  unique key amount_key (amount),
  key name_key (name),
  key both_key (name, amount),
  constraint todo_parent foreign key (parent_id) references parent (id) on delete cascade,
  constraint todo_code foreign key (code) references parent (code) on update cascade,
  constraint amount_fits check (amount < 1000)
) auto_increment=50;
insert into parent (id, code) values (1, 'one'), (2, 'two');
insert into todo (id, name, amount, parent_id, code, doc) values (1, 'first', 1, 1, 'one', '{}'), (2, 'second', 2, 2, null, null), (3, null, 3, null, 'two', null);
update todo set \`select\` = id;
create table plain (a int, b varchar(20), c int);
insert into plain values (1, 'x', 1), (2, 'y', 2);
create table shy (id int auto_increment primary key, a varchar(20) default '😀?', b varchar(20) not null default 'what?', c enum('?', 'x'));
insert into shy (id) values (1);
create view plain_view as select * from plain;
create trigger todo_trigger before insert on todo for each row set new.hidden = 4;
create table node (id int not null auto_increment primary key, parent int, constraint node_parent foreign key (parent) references node (id));
insert into node values (1, null), (2, 1);
`;

interface Scenario {
  title: string;
  table: string;
  steps(column: (name: string) => Column): TableStep[];
  /** Of `show create table` afterwards. */
  has?: string[];
  hasNot?: string[];
  /** A query, and what it answers after a record of defaults was added. */
  rows?: string;
  shows?: unknown[][];
  undo?: SchemaPlan['undo'];
  /** How many statements it takes. */
  statements?: number;
  /** Another name of the table afterwards. */
  name?: string;
}

const scenarios: Scenario[] = [
  {
    title: 'adds a field',
    table: 'todo',
    steps: () => [
      {
        kind: 'addField',
        field: field('extra', { length: 20, default: { value: "it's \\ `x`\n" }, allowNull: false }),
      },
    ],
    has: ["`extra` varchar(20) NOT NULL DEFAULT 'it''s \\\\ `x`\\n'"],
  },
  {
    title: 'adds fields with every kind of default',
    table: 'todo',
    steps: () => [
      { kind: 'addField', field: field('d1', { type: 'integer', default: { value: -3 } }) },
      { kind: 'addField', field: field('d2', { type: 'boolean', default: { value: true } }) },
      { kind: 'addField', field: field('d3', { type: 'datetime', default: { expression: 'CURRENT_TIMESTAMP' } }) },
      { kind: 'addField', field: field('d4', { type: 'integer', default: { expression: '1 + 2' } }) },
      { kind: 'addField', field: field('d5', { type: 'text', default: { value: 'long' } }) },
      { kind: 'addField', field: field('d6', { type: 'timestamp_on_update', allowNull: false }) },
      { kind: 'addField', field: field('d7', { type: 'timestamp_on_create' }) },
    ],
    has: [
      '`d1` int(11) DEFAULT -3',
      '`d2` tinyint(1) DEFAULT 1',
      '`d3` datetime DEFAULT current_timestamp()',
      '`d4` int(11) DEFAULT (1 + 2)',
      "`d5` text DEFAULT 'long'",
      '`d6` timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp()',
      '`d7` timestamp NULL DEFAULT current_timestamp()',
    ],
  },
  {
    title: 'adds fields of nasty names with indexes',
    table: 'todo',
    steps: () => [
      { kind: 'addField', field: field(`${nasty}2`, { isUnique: true }) },
      { kind: 'addField', field: field(longName, { isIndex: true }) },
      { kind: 'addField', field: field('order', { type: 'text', isIndex: true }) },
      { kind: 'addField', field: field('group', { type: 'text', isUnique: true }) },
    ],
    has: [
      'UNIQUE KEY `undx_todo_group` (`group`) USING HASH',
      'KEY `ndx_todo_order` (`order`(191))',
      '`undx_todo_a ``tick`` "q" \'s\' ü2`',
    ],
  },
  {
    title: 'adds a key to a table without one',
    table: 'plain',
    steps: () => [{ kind: 'addField', field: id() }],
    has: ['`id` int(11) NOT NULL AUTO_INCREMENT', 'PRIMARY KEY (`id`)'],
  },
  {
    title: 'adds a field by SQL',
    table: 'plain',
    steps: () => [
      { kind: 'addField', field: field('raw', { sql: "varchar(3) not null default 'x,y' check (raw <> 'z')" }) },
    ],
    has: ["`raw` varchar(3) NOT NULL DEFAULT 'x,y' CHECK (`raw` <> 'z')"],
  },
  {
    title: 'adds a field that references',
    table: 'plain',
    steps: () => [
      { kind: 'addField', field: field('parent_id', { type: 'reference' }) },
      {
        kind: 'addReference',
        reference: reference('parent_id', 'parent', 'id', { onDelete: 'SET NULL', onUpdate: 'CASCADE' }),
      },
    ],
    has: [
      'KEY `fk_plain_parent_id` (`parent_id`)',
      'CONSTRAINT `fk_plain_parent_id` FOREIGN KEY (`parent_id`) REFERENCES `parent` (`id`) ON DELETE SET NULL ON UPDATE CASCADE',
    ],
    statements: 1,
  },
  {
    title: 'adds a reference to an existing field, and to its own table',
    table: 'plain',
    steps: (column) => [
      { kind: 'setPrimaryKey', columns: ['a'] },
      { kind: 'addReference', reference: reference('a', 'parent') },
      { kind: 'changeField', column: column('c'), change: { isUnique: true } },
      { kind: 'addReference', reference: reference('c', 'plain', 'a') },
    ],
    has: [
      '`a` int(11) NOT NULL',
      'CONSTRAINT `fk_plain_a` FOREIGN KEY (`a`) REFERENCES `parent` (`id`)',
      'CONSTRAINT `fk_plain_c` FOREIGN KEY (`c`) REFERENCES `plain` (`a`)',
    ],
    hasNot: [' KEY `fk_plain_c`'],
  },
  {
    title: 'keeps a default of characters that the server does not show',
    table: 'shy',
    steps: (column) => [
      { kind: 'changeField', column: column('a'), change: { type: field('', { length: 90 }).type } },
      { kind: 'changeField', column: column('b'), change: { type: field('', { length: 90 }).type } },
    ],
    rows: 'select a, b from shy order by id desc limit 1',
    shows: [['😀?', 'what?']],
  },
  {
    title: 'widens a type and keeps all else',
    table: 'todo',
    steps: (column) => [
      { kind: 'changeField', column: column('name'), change: { type: field('', { length: 80 }).type } },
    ],
    has: [
      "`name` varchar(80) CHARACTER SET latin1 COLLATE latin1_german1_ci DEFAULT 'x,\\\\y''(' COMMENT 'a ''name'', with `ticks`'",
    ],
  },
  {
    title: 'narrows a type, which the server refuses to lose values by',
    table: 'todo',
    steps: (column) => [
      { kind: 'changeField', column: column('name'), change: { type: field('', { length: 10 }).type } },
    ],
    has: ['`name` varchar(10) CHARACTER SET latin1 COLLATE latin1_german1_ci'],
  },
  {
    title: 'rounds a number for good',
    table: 'todo',
    steps: (column) => [
      { kind: 'changeField', column: column('select'), change: { type: field('', { type: 'integer' }).type } },
    ],
    has: ['`select` int(11) DEFAULT'],
    undo: 'none',
  },
  {
    title: 'requires a value, and no longer',
    table: 'todo',
    steps: (column) => [
      { kind: 'changeField', column: column('select'), change: { allowNull: false } },
      { kind: 'changeField', column: column('made'), change: { allowNull: true } },
      { kind: 'changeField', column: column('amount'), change: { allowNull: true, default: null } },
    ],
    has: [
      '`select` decimal(10,2) NOT NULL DEFAULT 1.50',
      '`made` timestamp NULL DEFAULT current_timestamp() ON UPDATE current_timestamp()',
      '`amount` int(10) unsigned DEFAULT NULL',
    ],
    statements: 1,
  },
  {
    title: 'changes a default',
    table: 'todo',
    steps: (column) => [{ kind: 'changeField', column: column('hidden'), change: { default: { value: 9 } } }],
    has: ['`hidden` int(11) INVISIBLE DEFAULT 9'],
  },
  {
    title: 'makes and drops indexes',
    table: 'todo',
    steps: (column) => [
      { kind: 'changeField', column: column('amount'), change: { isUnique: false } },
      { kind: 'changeField', column: column('select'), change: { isUnique: true } },
      { kind: 'changeField', column: column('hidden'), change: { isIndex: true } },
    ],
    has: ['UNIQUE KEY `undx_todo_select` (`select`)', 'KEY `ndx_todo_hidden` (`hidden`)'],
    hasNot: ['amount_key'],
  },
  {
    title: 'changes the type of a field that references',
    table: 'todo',
    steps: (column) => [
      { kind: 'changeField', column: column('code'), change: { type: field('', { length: 30 }).type } },
    ],
    has: [
      '`code` varchar(30)',
      'CONSTRAINT `todo_code` FOREIGN KEY (`code`) REFERENCES `parent` (`code`) ON UPDATE CASCADE',
    ],
    statements: 2,
  },
  {
    title: 'changes the type of a field that others reference',
    table: 'parent',
    steps: (column) => [
      { kind: 'changeField', column: column('code'), change: { type: field('', { length: 30 }).type } },
    ],
    has: ["`code` varchar(30) NOT NULL DEFAULT 'it''s \\\\ \"x\"' COMMENT 'the; code, of (it)'"],
    statements: 3,
  },
  {
    title: 'changes the types of a key and of what references it in its own table',
    table: 'node',
    steps: (column) => [
      { kind: 'changeField', column: column('id'), change: { type: field('', { type: 'bigint' }).type } },
      { kind: 'changeField', column: column('parent'), change: { type: field('', { type: 'bigint' }).type } },
    ],
    has: [
      '`id` bigint(20) NOT NULL AUTO_INCREMENT',
      '`parent` bigint(20)',
      'CONSTRAINT `node_parent` FOREIGN KEY (`parent`) REFERENCES `node` (`id`)',
    ],
    statements: 3,
  },
  {
    title: 'renames fields of keys, references and checks',
    table: 'todo',
    steps: (column) => [
      { kind: 'renameField', column: column('parent_id'), newName: `${nasty.toUpperCase()}x` },
      { kind: 'renameField', column: column('name'), newName: 'title' },
      { kind: 'renameField', column: column('id'), newName: 'key' },
      { kind: 'changeField', column: column('name'), change: { type: field('', { length: 50 }).type } },
    ],
    has: [
      '`title` varchar(50) CHARACTER SET latin1',
      'KEY `both_key` (`title`,`amount`)',
      'PRIMARY KEY (`key`)',
      '`key` int(11) NOT NULL AUTO_INCREMENT',
    ],
    statements: 2,
  },
  {
    title: 'renames and retypes a field of JSON',
    table: 'todo',
    steps: (column) => [
      { kind: 'renameField', column: column('doc'), newName: 'paper' },
      { kind: 'changeField', column: column('doc'), change: { allowNull: true, default: { value: '[]' } } },
    ],
    has: ["`paper` longtext DEFAULT '[]' CHECK (json_valid(`paper`))"],
  },
  {
    title: 'renames what others are computed of',
    table: 'todo',
    steps: (column) => [
      { kind: 'renameField', column: column('amount'), newName: 'select\\' },
      { kind: 'changeField', column: column('total'), change: { type: field('', { type: 'bigint' }).type } },
    ],
    has: ['`total` bigint(20) GENERATED ALWAYS AS (`select\\` * 2) VIRTUAL', 'CHECK (`select\\` < 1000)'],
  },
  {
    title: 'renames a table that others reference',
    table: 'parent',
    steps: () => [{ kind: 'renameTable', newName: nasty }],
    name: nasty,
    has: ['CREATE TABLE `a ``tick`` "q" \'s\' ü`'],
  },
  {
    title: 'renames a table, its fields and adds some at once',
    table: 'node',
    steps: (column) => [
      { kind: 'renameField', column: column('id'), newName: 'no' },
      { kind: 'renameTable', newName: 'knot' },
      { kind: 'addField', field: field('extra', { type: 'integer', isIndex: true }) },
    ],
    name: 'knot',
    has: ['REFERENCES `knot` (`no`)', 'KEY `ndx_node_extra` (`extra`)'],
    statements: 2,
  },
  {
    title: 'sets another primary key',
    table: 'plain',
    steps: () => [{ kind: 'setPrimaryKey', columns: ['b', 'a'] }],
    has: ['PRIMARY KEY (`b`,`a`)', '`b` varchar(20) NOT NULL'],
  },
  {
    title: 'counts no longer, and drops the key',
    table: 'node',
    steps: (column) => [{ kind: 'changeField', column: column('id'), change: { isAutoIncrement: false } }],
    has: ['`id` int(11) NOT NULL,'],
    hasNot: ['AUTO_INCREMENT'],
  },
  {
    title: 'begins to count',
    table: 'plain',
    steps: (column) => [
      { kind: 'setPrimaryKey', columns: ['a'] },
      { kind: 'changeField', column: column('a'), change: { isAutoIncrement: true } },
    ],
    has: ['`a` int(11) NOT NULL AUTO_INCREMENT', 'AUTO_INCREMENT=3'],
  },
  {
    title: 'drops fields with their indexes and references',
    table: 'todo',
    steps: (column) => [
      { kind: 'dropField', column: column('parent_id') },
      { kind: 'dropField', column: column('name') },
      { kind: 'addField', field: field('parent_id', { type: 'reference' }) },
      { kind: 'addReference', reference: reference('parent_id', 'parent') },
    ],
    has: ['CONSTRAINT `fk_todo_parent_id` FOREIGN KEY (`parent_id`)', 'KEY `both_key` (`amount`)'],
    hasNot: ['`todo_parent`', '`name_key`', '`name`'],
    undo: 'none',
    statements: 1,
  },
  { title: 'does nothing', table: 'todo', steps: () => [], statements: 0 },
];

describe.skipIf(await engineMissing('mysql'))('a change of a table', () => {
  let editing: Editing;
  beforeAll(async () => {
    editing = await startEditing(await freshDatabase('mysql'));
  });
  afterAll(() => editing.close());
  beforeEach(async () => {
    const { run, server } = editing;
    await run(
      `drop database ${server.database}; create database ${server.database} character set utf8mb4; use ${server.database}; ${tables}`,
    );
    await editing.database.tables({ refresh: true });
  });

  const showCreate = async (name: string) =>
    String((await editing.run(`show create table \`${name.replaceAll('`', '``')}\``))[0]?.[1]);

  it.each(scenarios.map((scenario) => [scenario.title, scenario] as const))('%s', async (_, scenario) => {
    const { editor, everything, alter } = editing;
    const change = await alter(scenario.table, scenario.steps);
    const before = await everything();
    const undo = scenario.undo ?? 'counterSteps';

    const [plan] = await editor.plan([change]);
    expect(plan?.misfits).toEqual([]);
    expect(plan?.undo).toBe(undo);
    if (scenario.statements !== undefined) expect(plan?.statements).toHaveLength(scenario.statements);
    expect(await everything()).toBe(before);

    const refusal = new Error('refused by the caller');
    const seen: (readonly SchemaPlan[])[] = [];
    if (undo === 'counterSteps') {
      await expect(
        editor.apply([change], {
          beforeCommit: async (plans) => {
            seen.push(plans);
            throw refusal;
          },
        }),
      ).rejects.toBe(refusal);
      expect(seen[0]?.[0]?.statements).toEqual(plan?.statements);
      expect(await everything()).toBe(before);
    }

    await editor.apply([change]);
    const sql = await showCreate(scenario.name ?? scenario.table);
    for (const text of scenario.has ?? []) expect(sql).toContain(text);
    if (scenario.rows) {
      await editing.run(`insert into ${scenario.table} (id) values (9)`);
      expect(await editing.run(scenario.rows)).toEqual(scenario.shows);
    }
    for (const text of scenario.hasNot ?? []) expect(sql).not.toContain(text);
  });
});
