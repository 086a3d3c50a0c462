import { makeTable } from '@sluice/sql';
import { aTable as aDescribedTable } from '@sluice/sql/schema/table.fixture';
import { expect, it } from 'vitest';
import { planRelation } from './plan-relation.ts';
import { runPlans } from './plan-table.ts';
import { ExtrasDraft, emptyRows } from './rows.ts';

it('abuse: of 1,000 virtual relations none is compared with others once there are too many', () => {
  const table = makeTable(aDescribedTable({ id: 'id' }, 'wide'));
  const draft = new ExtrasDraft({ service: 5, names: { 5: 'shop' }, rows: emptyRows() });
  const plans = Array.from({ length: 1000 }, (_, n) =>
    planRelation({ is_virtual: true, type: 'belongs_to', field: 'id', ref_table: `t${n}`, ref_field: 'id' }),
  );
  expect(() => runPlans(draft, plans, { table, tables: ['wide'], isAdmin: true, knowsService: () => true })).toThrow(
    expect.objectContaining({ key: 'schema.tooMany' }),
  );
  expect(draft.current.rows.db_virtual_relationship).toHaveLength(501);
});
