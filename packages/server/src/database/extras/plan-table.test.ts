import { makeTable } from '@sluice/sql';
import { aTable as aDescribedTable } from '@sluice/sql/schema/table.fixture';
import { countRounds } from '@sluice/testkit/rounds';
import { expect, it } from 'vitest';
import { planField } from './plan-field.ts';
import { planRelation } from './plan-relation.ts';
import { runPlans } from './plan-table.ts';
import { ExtrasDraft, emptyRows } from './rows.ts';

it('abuse: others have their turn while a thousand fields of a table are planned', async () => {
  const names = Array.from({ length: 1000 }, (_, n) => `f${n}`);
  const table = makeTable(aDescribedTable(Object.fromEntries(names.map((name) => [name, 'string'] as const)), 'wide'));
  const draft = new ExtrasDraft({ service: 5, names: {}, rows: emptyRows() });
  const plans = names.map((name) => planField({ name, label: `Label of ${name}` }));
  const rounds = countRounds();
  await runPlans(draft, plans, { table, tables: ['wide'], isAdmin: true });
  rounds.stop();
  expect(rounds.current).toBe(4);
  expect(draft.current.rows.db_field_extras).toHaveLength(1000);
});

it('abuse: of 2,500 virtual relations none is compared with others once there are too many', async () => {
  const table = makeTable(aDescribedTable({ id: 'id' }, 'wide'));
  const draft = new ExtrasDraft({ service: 5, names: { 5: 'shop' }, rows: emptyRows() });
  const plans = Array.from({ length: 2500 }, (_, n) =>
    planRelation({ is_virtual: true, type: 'belongs_to', field: 'id', ref_table: `t${n}`, ref_field: 'id' }),
  );
  await expect(runPlans(draft, plans, { table, tables: ['wide'], isAdmin: true })).rejects.toMatchObject({
    key: 'schema.tooMany',
  });
  expect(draft.current.rows.db_virtual_relationship).toHaveLength(501);
});
