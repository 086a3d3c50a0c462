// Children and assignments of a record that is named by two columns.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeResponse, RecordedCall } from '../../../api/testing.ts';
import { queryOf, signIn } from '../../../list/testing.tsx';
import type { Row, Schema } from '../address/sources.ts';
import { aField, anId, aRelation, aSchema, fakeShop, openData } from '../testing.tsx';

const branchFields = [
  aField('country', { is_primary_key: true, allow_null: false }),
  aField('no', { type: 'integer', is_primary_key: true, allow_null: false }),
  aField('city'),
];
const staysRelation = aRelation('stay_by_country_branch_no', {
  label: 'Stays',
  field: 'country,no',
  ref_table: 'stay',
  ref_field: 'country,branch_no',
});
const brokenRelation = { ...staysRelation, name: 'broken', ref_field: 'country' };
const notesRelation = aRelation('note_by_country_city', {
  field: 'country,city',
  ref_table: 'note',
  ref_field: 'country,city',
});
const stays = aSchema([anId(), aField('country'), aField('branch_no', { type: 'integer' }), aField('title')], {
  name: 'stay',
  label: 'Stay',
});
const skillsRelation = aRelation('skill_by_branch_skill', {
  label: 'Skills',
  type: 'many_many',
  field: 'country,no',
  ref_table: 'skill',
  ref_field: 'land,id',
  junction_table: 'branch_skill',
  junction_field: 'country,branch_no',
  junction_ref_field: 'country,skill_id',
});
const junctionFields = [
  aField('country', { required: true, allow_null: false }),
  aField('branch_no', { type: 'integer', required: true, allow_null: false }),
  aField('skill_id', { type: 'integer', required: true, allow_null: false }),
];
const junction = aSchema(junctionFields, { name: 'branch_skill', label: 'Branch Skill' });
const skills = aSchema([aField('land'), aField('id', { type: 'integer' }), aField('name')], {
  name: 'skill',
  label: 'Skill',
  primary_key: ['land', 'id'],
});

/** A branch of the instance and its tables; what they hold does not depend on the filter. */
function openBranch(child: string, tables: Record<string, { schema: Schema; rows: Row[] }>, branch: Row = bern) {
  const answerFirst = ({ method, path }: RecordedCall): FakeResponse | undefined => {
    const table = tables[/^shop\/_table\/([^?]*)/.exec(path)?.[1] ?? ''];
    if (!table) return undefined;
    if (method !== 'GET') return { body: { resource: [] } };
    return { body: { resource: table.rows, meta: { count: table.rows.length, schema: table.schema } } };
  };
  const { calls } = fakeShop([branch], {
    fields: branchFields,
    schema: { related: [staysRelation, skillsRelation, brokenRelation, notesRelation] },
    answerFirst,
    filterRows: (rows) => rows,
  });
  const page = openData(`/data/shop/thing/related?key=ch&key=1&child=${child}`);
  const sent = (method: string, table: string) =>
    calls.filter((call) => call.method === method && call.path.split('?')[0] === `shop/_table/${table}`);
  return { ...page, sent };
}

const bern = { country: 'ch', no: 1, city: 'Bern' };
const skillRows = [
  { land: 'ch', id: 1, name: 'cheese' },
  { land: 'ch', id: 2, name: 'clocks' },
];
const assigned = [{ country: 'ch', branch_no: 1, skill_id: 2 }];

beforeEach(signIn);

describe('a child table', () => {
  it('is found by all the columns, and new records start with them', async () => {
    const rows = [{ id: 4, country: 'ch', branch_no: 1, title: 'walk' }];
    const { user, sent } = openBranch('stay_by_country_branch_no', { stay: { schema: stays, rows } });
    expect(await screen.findByText('walk')).toBeTruthy();
    const filter = '(country = "ch") and (branch_no = 1)';
    expect(queryOf(sent('GET', 'stay')[0]!).filter).toBe(filter);
    expect(screen.getByRole('link', { name: 'Whole table' }).getAttribute('href')).toBe(
      `/data/shop/stay?${new URLSearchParams({ filter })}`,
    );
    await user.click(screen.getByRole('link', { name: 'Create' }));
    const pane = await screen.findByRole('dialog', { name: 'Create Stay' });
    await user.type(within(pane).getByRole('textbox', { name: /^title/ }), 'talk');
    await user.click(within(pane).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent('POST', 'stay')).toHaveLength(1));
    expect(sent('POST', 'stay')[0]!.body).toEqual({ resource: [{ country: 'ch', branch_no: 1, title: 'talk' }] });
  });

  it('is not read where one of the columns has no value, which is named', async () => {
    const { sent } = openBranch('note_by_country_city', {}, { ...bern, city: null });
    expect(await screen.findByText('Nothing can refer to this record: it has no value in city.')).toBeTruthy();
    expect(sent('GET', 'note')).toEqual([]);
  });

  it('is not read by a relation whose sides differ in length', async () => {
    const { sent } = openBranch('broken', { stay: { schema: stays, rows: [] } });
    const text = 'This relation cannot be followed: the columns it names do not match.';
    expect(await screen.findByText(text)).toBeTruthy();
    expect(sent('GET', 'stay')).toEqual([]);
  });
});

describe('records behind a junction', () => {
  const tables = (schema: Schema) => ({
    branch_skill: { schema, rows: assigned },
    skill: { schema: skills, rows: skillRows },
  });

  it('are found by all the columns of both sides, and removed by the key of the junction', async () => {
    const { user, sent } = openBranch(
      'skill_by_branch_skill',
      tables({ ...junction, primary_key: ['country', 'branch_no', 'skill_id'] }),
    );
    const link = await screen.findByRole('link', { name: 'clocks' });
    expect(link.getAttribute('href')).toBe('/data/shop/skill/record?key=ch&key=2');
    expect(screen.queryByRole('link', { name: 'cheese' })).toBeNull();
    expect(queryOf(sent('GET', 'branch_skill')[0]!).filter).toBe('(country = "ch") and (branch_no = 1)');
    expect(queryOf(sent('GET', 'skill')[0]!).filter).toBe('((land = "ch") and (id = 2))');
    await user.click(screen.getByRole('button', { name: 'Remove the assignment of clocks' }));
    const dialog = await screen.findByRole('dialog', { name: /\?$/ });
    await user.click(within(dialog).getByRole('button', { name: 'Remove the assignment' }));
    expect(await screen.findByText('Assignment removed.')).toBeTruthy();
    expect(sent('DELETE', 'branch_skill')[0]!.body).toEqual({ resource: assigned });
  });

  it('of a junction without a key are removed by the values of all columns', async () => {
    const { user, sent } = openBranch('skill_by_branch_skill', tables(junction));
    await user.click(await screen.findByRole('button', { name: 'Remove the assignment of clocks' }));
    const dialog = await screen.findByRole('dialog', { name: /\?$/ });
    await user.click(within(dialog).getByRole('button', { name: 'Remove the assignment' }));
    expect(await screen.findByText('Assignment removed.')).toBeTruthy();
    expect(queryOf(sent('DELETE', 'branch_skill')[0]!).filter).toBe(
      '((country = "ch") and (branch_no = 1)) and (((country = "ch") and (skill_id = 2)))',
    );
  });

  it('are added with all the columns; of a column that points both ways only those with its value are offered', async () => {
    const { user, sent } = openBranch('skill_by_branch_skill', tables(junction));
    await user.click(await screen.findByRole('button', { name: 'Add Skill' }));
    expect(await screen.findByRole('option', { name: /cheese.*ch \/ 1/ })).toBeTruthy();
    expect(queryOf(sent('GET', 'skill').at(-1)!).filter).toBe('land = "ch"');
    await user.keyboard('clo');
    await waitFor(() =>
      expect(queryOf(sent('GET', 'skill').at(-1)!).filter).toBe(
        '(land = "ch") and ((name like "%clo%") or (land = "clo"))',
      ),
    );
    await user.click(screen.getByRole('option', { name: /clocks/ }));
    expect(await screen.findByText('Assignment added.')).toBeTruthy();
    expect(sent('POST', 'branch_skill')[0]!.body).toEqual({ resource: assigned });
  });
});
