import { makeTable, relationsOf, type Table } from '@sluice/sql';
import { aTable as aDescribedTable } from '@sluice/sql/schema/table.fixture';
import { describe, expect, it } from 'vitest';
import { planColumnDrop, planDropElsewhere, planTableDrop } from './plan-drop.ts';
import { planFieldRename, planRenames, planRenamesElsewhere, planTableRename } from './plan-rename.ts';
import { aField, aRelation, aTable, aVirtual } from './rows.fixture.ts';
import { type ChangePlan, emptyRows, type StoredExtras, type VirtualRow, withChanges } from './rows.ts';

type Rows = Partial<StoredExtras['rows']>;

const names = { 5: 'shop', 6: 'other' };
const storedOf = (rows: Rows, service = 5): StoredExtras => ({ service, names, rows: { ...emptyRows(), ...rows } });

/** Foreign keys: todo belongs to user and team, note belongs to todo. */
const keys = [
  { table: 'todo', columns: ['owner_id'], refTable: 'user', refColumns: ['id'] },
  { table: 'todo', columns: ['team_id'], refTable: 'team', refColumns: ['id'] },
  { table: 'note', columns: ['todo_id'], refTable: 'todo', refColumns: ['id'] },
  { table: 'note', columns: ['tag_id'], refTable: 'tag', refColumns: ['id'] },
].map((key) => ({ ...key, onUpdate: 'NO ACTION', onDelete: 'NO ACTION' }));

function todo(): Table {
  const table = aDescribedTable({ id: 'id', name: 'string', owner_id: 'integer', team_id: 'integer' }, 'todo');
  return makeTable({ ...table, description: { ...table.description, related: relationsOf('todo', keys) } });
}
const tables = ['note', 'tag', 'team', 'todo', 'user'];

/** What is stored after a plan for the table todo. */
function after(rows: Rows, plan: ChangePlan, isAdmin = true): StoredExtras['rows'] {
  const stored = storedOf(rows);
  return withChanges(stored, plan(stored, { table: todo(), tables, isAdmin, knowsService: () => true })).rows;
}
const failureOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

const leading = (overrides: Partial<VirtualRow> = {}) =>
  aVirtual('user', { type: 'has_many', field: 'id', ref_table: 'todo', ref_field: 'owner_id', ...overrides });
const through = (overrides: Partial<VirtualRow> = {}) =>
  aVirtual('user', {
    type: 'many_many',
    field: 'id',
    ref_table: 'team',
    ref_field: 'id',
    junction_service_id: 5,
    junction_table: 'todo',
    junction_field: 'owner_id',
    junction_ref_field: 'team_id',
    ...overrides,
  });

/** Each place a table's name stands: before, and after it is called job. */
const tablePlaces: [string, Rows, Rows][] = [
  [
    'what is said of it',
    { db_table_extras: [aTable('todo', { alias: 'task' })] },
    { db_table_extras: [aTable('job', { alias: 'task' })] },
  ],
  [
    'an alias that is its name now',
    { db_table_extras: [aTable('todo', { alias: 'job', plural: 'x' })] },
    { db_table_extras: [aTable('job', { plural: 'x' })] },
  ],
  ['an alias that was all', { db_table_extras: [aTable('todo', { alias: 'job' })] }, {}],
  ['a label that is the default now', { db_table_extras: [aTable('todo', { label: 'Job' })] }, {}],
  [
    'a field',
    { db_field_extras: [aField('todo.name', { alias: 'title' }), aField('user.name', { alias: 'x' })] },
    { db_field_extras: [aField('job.name', { alias: 'title' }), aField('user.name', { alias: 'x' })] },
  ],
  [
    'a virtual field',
    { db_field_extras: [aField('todo.twice', { is_virtual: 1 })] },
    { db_field_extras: [aField('job.twice', { is_virtual: 1 })] },
  ],
  [
    'its relation',
    { db_relationship_extras: [aRelation('todo', 'user_by_owner_id', { alias: 'owner' })] },
    { db_relationship_extras: [aRelation('job', 'user_by_owner_id', { alias: 'owner' })] },
  ],
  [
    'the relation of a table it belongs to',
    { db_relationship_extras: [aRelation('user', 'todo_by_owner_id', { alias: 'todos' })] },
    { db_relationship_extras: [aRelation('user', 'job_by_owner_id', { alias: 'todos' })] },
  ],
  [
    'the relation of a table that belongs to it',
    { db_relationship_extras: [aRelation('note', 'todo_by_todo_id', { alias: 't' })] },
    { db_relationship_extras: [aRelation('note', 'job_by_todo_id', { alias: 't' })] },
  ],
  [
    'a relation through it',
    { db_relationship_extras: [aRelation('user', 'team_by_todo', { alias: 'teams' })] },
    { db_relationship_extras: [aRelation('user', 'team_by_job', { alias: 'teams' })] },
  ],
  [
    'a relation to it through another',
    { db_relationship_extras: [aRelation('tag', 'todo_by_note', { alias: 'todos' })] },
    { db_relationship_extras: [aRelation('tag', 'job_by_note', { alias: 'todos' })] },
  ],
  [
    'a relation whose name only looks like it',
    { db_relationship_extras: [aRelation('user', 'todo_by_nothing', { alias: 'x' })] },
    { db_relationship_extras: [aRelation('user', 'todo_by_nothing', { alias: 'x' })] },
  ],
  [
    'its virtual relation',
    {
      db_virtual_relationship: [
        aVirtual('todo', { type: 'belongs_to', field: 'name', ref_table: 'user', ref_field: 'name' }),
      ],
      db_relationship_extras: [aRelation('todo', 'user_by_name', { alias: 'o' })],
    },
    {
      db_virtual_relationship: [
        aVirtual('job', { type: 'belongs_to', field: 'name', ref_table: 'user', ref_field: 'name' }),
      ],
      db_relationship_extras: [aRelation('job', 'user_by_name', { alias: 'o' })],
    },
  ],
  [
    'a virtual relation to it',
    {
      db_virtual_relationship: [leading()],
      db_relationship_extras: [aRelation('user', 'todo_by_owner_id', { alias: 'x' })],
    },
    {
      db_virtual_relationship: [leading({ ref_table: 'job' })],
      db_relationship_extras: [aRelation('user', 'job_by_owner_id', { alias: 'x' })],
    },
  ],
  [
    'a virtual relation to it, in another case',
    { db_virtual_relationship: [leading({ ref_table: 'TODO' })] },
    { db_virtual_relationship: [leading({ ref_table: 'job' })] },
  ],
  [
    'a virtual relation through it',
    {
      db_virtual_relationship: [through()],
      db_relationship_extras: [aRelation('user', 'team_by_todo', { alias: 'x' })],
    },
    {
      db_virtual_relationship: [through({ junction_table: 'job' })],
      db_relationship_extras: [aRelation('user', 'team_by_job', { alias: 'x' })],
    },
  ],
  [
    'a virtual relation of itself to itself',
    {
      db_virtual_relationship: [
        aVirtual('todo', { type: 'has_many', field: 'id', ref_table: 'todo', ref_field: 'name' }),
      ],
    },
    {
      db_virtual_relationship: [
        aVirtual('job', { type: 'has_many', field: 'id', ref_table: 'job', ref_field: 'name' }),
      ],
    },
  ],
  [
    'a table of that name in another service',
    {
      db_virtual_relationship: [leading({ ref_service_id: 6 })],
      db_relationship_extras: [aRelation('user', 'other.todo_by_owner_id', { alias: 'x' })],
    },
    {
      db_virtual_relationship: [leading({ ref_service_id: 6 })],
      db_relationship_extras: [aRelation('user', 'other.todo_by_owner_id', { alias: 'x' })],
    },
  ],
  [
    'remains under the new name',
    {
      db_table_extras: [aTable('job', { label: 'Old' }), aTable('todo', { label: 'Now' })],
      db_field_extras: [aField('job.name', { alias: 'x' })],
      db_relationship_extras: [aRelation('job', 'y', { alias: 'z' })],
      db_virtual_relationship: [aVirtual('job', { type: 'has_many', field: 'id', ref_table: 'tag', ref_field: 'a' })],
    },
    { db_table_extras: [aTable('job', { label: 'Now' })] },
  ],
  [
    'remains of a relation under the new name',
    {
      db_relationship_extras: [
        aRelation('user', 'job_by_owner_id', { alias: 'old' }),
        aRelation('user', 'todo_by_owner_id', { alias: 'now' }),
      ],
    },
    { db_relationship_extras: [aRelation('user', 'job_by_owner_id', { alias: 'now' })] },
  ],
];

describe('a table is renamed', () => {
  it.each(tablePlaces)('%s', (_, before, expected) => {
    expect(after(before, planTableRename('job'))).toEqual({ ...emptyRows(), ...expected });
  });

  it('to a name that is the alias of another: refused', () => {
    const rows = { db_table_extras: [aTable('user', { alias: 'Job' })] };
    expect(failureOf(() => after(rows, planTableRename('job')))).toBe("The name 'job' is already used in the service.");
  });

  it('in letter case alone', () => {
    const rows = { db_field_extras: [aField('todo.name', { alias: 'x' })], db_virtual_relationship: [leading()] };
    expect(after(rows, planTableRename('Todo'))).toMatchObject({
      db_field_extras: [{ table: 'Todo' }],
      db_virtual_relationship: [{ ref_table: 'Todo' }],
    });
  });
});

/** Each place a field's name stands: before, and after owner_id is called boss. */
const fieldPlaces: [string, Rows, Rows][] = [
  [
    'what is said of it',
    { db_field_extras: [aField('todo.owner_id', { alias: 'owner' }), aField('note.owner_id', { alias: 'x' })] },
    { db_field_extras: [aField('todo.boss', { alias: 'owner' }), aField('note.owner_id', { alias: 'x' })] },
  ],
  ['an alias that is its name now', { db_field_extras: [aField('todo.owner_id', { alias: 'boss' })] }, {}],
  [
    'remains under the new name',
    { db_field_extras: [aField('todo.boss', { alias: 'old' }), aField('todo.owner_id', { alias: 'now' })] },
    { db_field_extras: [aField('todo.boss', { alias: 'now' })] },
  ],
  ['remains alone', { db_field_extras: [aField('todo.boss', { alias: 'old' })] }, {}],
  [
    'what names the records',
    { db_table_extras: [aTable('todo', { name_field: 'owner_id' })] },
    { db_table_extras: [aTable('todo', { name_field: 'boss' })] },
  ],
  [
    'its relation',
    { db_relationship_extras: [aRelation('todo', 'user_by_owner_id', { alias: 'owner' })] },
    { db_relationship_extras: [aRelation('todo', 'user_by_boss', { alias: 'owner' })] },
  ],
  [
    'the relation from the other side',
    { db_relationship_extras: [aRelation('user', 'todo_by_owner_id', { alias: 'todos' })] },
    { db_relationship_extras: [aRelation('user', 'todo_by_boss', { alias: 'todos' })] },
  ],
  [
    'a virtual relation by it among others',
    {
      db_virtual_relationship: [
        aVirtual('todo', { type: 'belongs_to', field: 'id,OWNER_ID', ref_table: 'user', ref_field: 'a,owner_id' }),
      ],
      db_relationship_extras: [aRelation('todo', 'user_by_id_OWNER_ID', { alias: 'o' })],
    },
    {
      db_virtual_relationship: [
        aVirtual('todo', { type: 'belongs_to', field: 'id,boss', ref_table: 'user', ref_field: 'a,owner_id' }),
      ],
      db_relationship_extras: [aRelation('todo', 'user_by_id_boss', { alias: 'o' })],
    },
  ],
  [
    'a virtual relation by its alias',
    {
      db_field_extras: [aField('todo.owner_id', { alias: 'owner' })],
      db_virtual_relationship: [
        aVirtual('todo', { type: 'belongs_to', field: 'owner', ref_table: 'user', ref_field: 'id' }),
      ],
    },
    {
      db_field_extras: [aField('todo.boss', { alias: 'owner' })],
      db_virtual_relationship: [
        aVirtual('todo', { type: 'belongs_to', field: 'owner', ref_table: 'user', ref_field: 'id' }),
      ],
    },
  ],
  [
    'a virtual relation to it',
    {
      db_virtual_relationship: [leading()],
      db_relationship_extras: [aRelation('user', 'todo_by_owner_id', { alias: 'x' })],
    },
    {
      db_virtual_relationship: [leading({ ref_field: 'boss' })],
      db_relationship_extras: [aRelation('user', 'todo_by_boss', { alias: 'x' })],
    },
  ],
  [
    'a virtual relation through it',
    { db_virtual_relationship: [through()] },
    { db_virtual_relationship: [through({ junction_field: 'boss' })] },
  ],
  [
    'a field of that name of another table',
    {
      db_virtual_relationship: [
        aVirtual('user', { type: 'has_many', field: 'owner_id', ref_table: 'team', ref_field: 'owner_id' }),
      ],
    },
    {
      db_virtual_relationship: [
        aVirtual('user', { type: 'has_many', field: 'owner_id', ref_table: 'team', ref_field: 'owner_id' }),
      ],
    },
  ],
];

describe('a field is renamed', () => {
  it.each(fieldPlaces)('%s', (_, before, expected) => {
    expect(after(before, planFieldRename('owner_id', 'boss'))).toEqual({ ...emptyRows(), ...expected });
  });

  it.each<[string, Rows]>([
    ['an alias', { db_field_extras: [aField('todo.name', { alias: 'Boss' })] }],
    ['a virtual field', { db_field_extras: [aField('todo.boss', { is_virtual: 1 })] }],
    ['a relation', { db_relationship_extras: [aRelation('todo', 'r', { alias: 'boss' })] }],
  ])('to the name of %s: refused', (_, rows) => {
    expect(failureOf(() => after(rows, planFieldRename('owner_id', 'boss')))).toBe(
      "The name 'boss' is already used in table 'todo'.",
    );
  });

  it('with another, each to the name of the other', () => {
    const rows = {
      db_field_extras: [aField('todo.owner_id', { label: 'One' }), aField('todo.team_id', { label: 'Two' })],
      db_relationship_extras: [aRelation('todo', 'user_by_owner_id', { alias: 'o' })],
      db_virtual_relationship: [through()],
    };
    const swap = new Map([
      ['owner_id', 'team_id'],
      ['team_id', 'owner_id'],
    ]);
    const { db_field_extras, ...others } = after(rows, planRenames({ fields: swap }));
    expect(new Map(db_field_extras.map(({ field, label }) => [field, label]))).toEqual(
      new Map([
        ['team_id', 'One'],
        ['owner_id', 'Two'],
      ]),
    );
    expect(others).toMatchObject({
      db_relationship_extras: [{ relationship: 'user_by_team_id' }],
      db_virtual_relationship: [{ junction_field: 'team_id', junction_ref_field: 'owner_id' }],
    });
  });

  it('together with its table', () => {
    const rows = { db_relationship_extras: [aRelation('user', 'todo_by_owner_id', { alias: 'x' })] };
    const renames = { table: 'job', fields: new Map([['owner_id', 'boss']]) };
    expect(after(rows, planRenames(renames)).db_relationship_extras).toMatchObject([{ relationship: 'job_by_boss' }]);
  });
});

it('a table of two thousand fields is planned with a change for each row', () => {
  const rows = {
    db_field_extras: Array.from({ length: 2000 }, (_, index) => aField(`todo.f${index}`, { label: 'x' })),
    db_relationship_extras: Array.from({ length: 2000 }, (_, index) => aRelation('todo', `r${index}`, { alias: 'x' })),
    db_virtual_relationship: Array.from({ length: 2000 }, (_, index) => leading({ field: `f${index}` })),
  };
  const stored = storedOf(rows);
  const changes = planTableRename('job')(stored, { table: todo(), tables, isAdmin: true, knowsService: () => true });
  expect(changes).toHaveLength(6000);
});

it('a rename is followed in another service', () => {
  const rows = {
    db_virtual_relationship: [
      leading({ ref_service_id: 5 }),
      leading({ ref_service_id: 6 }),
      aVirtual('todo', { type: 'has_many', field: 'id', ref_service_id: 6, ref_table: 'x', ref_field: 'y' }),
    ],
    db_relationship_extras: [
      aRelation('user', 'shop.todo_by_owner_id', { alias: 'x' }),
      aRelation('todo', 'x_by_y', { alias: 'z' }),
    ],
  };
  const stored = storedOf(rows, 6);
  const renames = { table: 'job', fields: new Map([['owner_id', 'boss']]) };
  const { rows: now } = withChanges(stored, planRenamesElsewhere({ service: 5, table: 'todo' }, renames)(stored));
  expect(now.db_virtual_relationship).toEqual([
    { ...rows.db_virtual_relationship[0], ref_table: 'job', ref_field: 'boss' },
    ...rows.db_virtual_relationship.slice(1),
  ]);
  expect(now.db_relationship_extras).toEqual([
    aRelation('user', 'shop.job_by_boss', { alias: 'x' }),
    rows.db_relationship_extras[1],
  ]);
});

// ---- drops ----

const all: Rows = {
  db_table_extras: [aTable('todo', { label: 'Tasks', name_field: 'owner' }), aTable('user', { alias: 'person' })],
  db_field_extras: [
    aField('todo.owner_id', { alias: 'owner', sql: { SELECT: '1' } }),
    aField('todo.twice', { is_virtual: 1 }),
    aField('user.owner_id', { alias: 'x' }),
  ],
  db_relationship_extras: [
    aRelation('todo', 'user_by_owner', { alias: 'o' }),
    aRelation('user', 'todo_by_owner_id', { alias: 'todos' }),
    aRelation('user', 'team_by_todo', { alias: 'teams' }),
    aRelation('note', 'todo_by_todo_id', { alias: 't' }),
    aRelation('note', 'user_by_id', { alias: 'u' }),
  ],
  db_virtual_relationship: [
    aVirtual('todo', { type: 'belongs_to', field: 'owner', ref_table: 'user', ref_field: 'id' }),
    leading(),
    through(),
    leading({ ref_field: 'name' }),
    aVirtual('note', { type: 'belongs_to', field: 'id', ref_table: 'user', ref_field: 'id' }),
  ],
};

describe('a drop', () => {
  it('of a table takes all that names it', () => {
    expect(after(all, planTableDrop())).toEqual({
      db_table_extras: [all.db_table_extras![1]],
      db_field_extras: [all.db_field_extras![2]],
      db_relationship_extras: [all.db_relationship_extras![4]],
      db_virtual_relationship: [all.db_virtual_relationship![4]],
    });
  });

  it('of a column takes what is said of it, and relations by it or its alias', () => {
    expect(after(all, planColumnDrop('owner_id'))).toEqual({
      db_table_extras: [aTable('todo', { label: 'Tasks' }), all.db_table_extras![1]],
      db_field_extras: all.db_field_extras!.slice(1),
      db_relationship_extras: all.db_relationship_extras!.slice(3),
      db_virtual_relationship: all.db_virtual_relationship!.slice(3),
    });
  });

  it('of a column leaves what others say', () => {
    expect(after(all, planColumnDrop('team_id')).db_field_extras).toEqual(all.db_field_extras);
    expect(after(all, planColumnDrop('name')).db_virtual_relationship).toHaveLength(4);
  });

  it('of a column with a db_function is for administrators', () => {
    expect(failureOf(() => after(all, planColumnDrop('owner_id'), false))).toContain('Only administrators');
    expect(failureOf(() => after(all, planColumnDrop('name'), false))).toBeUndefined();
  });

  it('leaves what is said of a virtual relation that has the same name and stays', () => {
    const rows = {
      db_virtual_relationship: [
        aVirtual('user', { type: 'has_many', field: 'id', ref_table: 'todo', ref_field: 'owner_id' }),
      ],
      db_relationship_extras: [
        aRelation('user', 'todo_by_owner_id', { alias: 'x' }),
        aRelation('user', 'team_by_todo', { alias: 'y' }),
      ],
    };
    const plain = { ...rows, db_virtual_relationship: [through({ junction_service_id: 6 })] };
    expect(after(plain, planTableDrop()).db_relationship_extras).toEqual([rows.db_relationship_extras[1]]);
    expect(after(rows, planTableDrop()).db_relationship_extras).toEqual([]);
  });

  it('is followed in another service', () => {
    const stored = storedOf(
      {
        db_virtual_relationship: [leading({ ref_service_id: 5 }), leading({ ref_service_id: 6 })],
        db_relationship_extras: [aRelation('user', 'shop.todo_by_owner_id', { alias: 'x' })],
      },
      6,
    );
    const at = { service: 5, table: 'todo' };
    const dropped = (fields?: string[]) => withChanges(stored, planDropElsewhere(at, fields)(stored)).rows;
    expect(dropped()).toMatchObject({ db_virtual_relationship: [{ ref_service_id: 6 }], db_relationship_extras: [] });
    expect(dropped(['owner_id'])).toEqual(dropped());
    expect(dropped(['name'])).toEqual(stored.rows);
  });
});
