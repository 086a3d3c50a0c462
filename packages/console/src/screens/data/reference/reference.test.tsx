import type { FieldDescription } from '@sluice/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeResponse, type RecordedCall, refusal } from '../../../api/testing.ts';
import { queryOf, signIn } from '../../../list/testing.tsx';
import type { Row } from '../address/sources.ts';
import { aField, anId, aRelation, aSchema, fakeShop, openData } from '../testing.tsx';

const kinds = aSchema([anId(), aField('name')], { name: 'kind', label: 'Kind' });
const rows = Array.from({ length: 12 }, (_, index) => ({ id: index + 1, name: `kind ${index + 1}` }));
const fields = [
  anId(),
  aField('name'),
  aField('kind_id', { type: 'reference', ref_table: 'kind', ref_field: 'id', is_foreign_key: true }),
];
const answerKinds = (call: RecordedCall): FakeResponse | undefined => {
  if (!call.path.startsWith('shop/_table/kind?')) return undefined;
  const { filter = '', limit, offset } = queryOf(call);
  const id = /id = (\d+)/.exec(filter)?.[1];
  const search = /"%(.*?)%"/.exec(filter)?.[1];
  const found = rows.filter((row) => (search ? row.name.includes(search) : id ? row.id === Number(id) : true));
  const page = found.slice(Number(offset), Number(offset) + Number(limit));
  return { body: { resource: page, meta: { count: found.length, schema: kinds } } };
};
const openThing = (
  answerFirst: (call: RecordedCall) => FakeResponse | undefined = answerKinds,
  kind: number | null = 3,
) => {
  const shop = fakeShop([{ id: 1, name: 'a', kind_id: kind }], { fields, answerFirst });
  return { ...shop, ...openData('/data/shop/thing/record?key=1') };
};
const pane = () => screen.getByRole('dialog', { name: 'Edit Thing' });
const input = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^kind_id/ });

beforeEach(signIn);

describe('a reference', () => {
  it('is shown by name, and its record opens (C-DAT-10)', async () => {
    const { calls } = openThing();
    const link = await screen.findByRole('link', { name: 'Open kind 3 in Kind' });
    expect(link.getAttribute('href')).toBe('/data/shop/kind/record?key=3');
    const kindCall = calls.find(({ path }) => path.startsWith('shop/_table/kind?'))!;
    expect(queryOf(kindCall)).toMatchObject({ filter: 'id = 3', limit: '10', offset: '0', fields: '*' });
  });

  it('is chosen from the records found, by keyboard, page by page (OPEN-129)', async () => {
    const { user, tableCalls } = openThing();
    (await input()).focus();
    await user.keyboard('{ArrowDown}');
    expect(await screen.findAllByRole('option')).toHaveLength(10);
    await user.keyboard('{PageDown}');
    expect(await screen.findByText('11–12 of 12')).toBeTruthy();
    await user.keyboard('12');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
    await user.keyboard('{Enter}');
    expect((await input()).value).toBe('12');
    expect(await screen.findByRole('link', { name: 'Open kind 12 in Kind' })).toBeTruthy();
    await user.click(within(pane()).getByRole('button', { name: 'Save' }));
    await screen.findByText('Record saved.');
    expect(tableCalls('PATCH')[0]!.body).toEqual({ resource: [{ id: 1, kind_id: 12 }], loaded: expect.anything() });
  });

  it('closes its drop-down on Escape, not the pane', async () => {
    const { user, currentAddress } = openThing();
    (await input()).focus();
    await user.keyboard('{ArrowDown}');
    await screen.findAllByRole('option');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryAllByRole('option')).toHaveLength(0));
    expect(currentAddress()).toBe('/data/shop/thing/record?key=1');
  });

  it('is set to null', async () => {
    const { user, tableCalls } = openThing();
    await user.click(await screen.findByRole('button', { name: 'Set kind_id to NULL' }));
    expect(screen.queryByRole('link', { name: /Open kind/ })).toBeNull();
    await user.click(within(pane()).getByRole('button', { name: 'Save' }));
    await screen.findByText('Record saved.');
    expect(tableCalls('PATCH')[0]!.body).toEqual({ resource: [{ id: 1, kind_id: null }], loaded: expect.anything() });
  });

  it('says when no record has its value', async () => {
    const { user } = openThing();
    await user.clear(await input());
    await user.type(await input(), '99');
    expect(await screen.findByText('No record of kind has this id.')).toBeTruthy();
  });

  it('reads nothing while there is no value', async () => {
    const { calls } = openThing(answerKinds, null);
    await input();
    expect(calls.filter(({ path }) => path.startsWith('shop/_table/kind'))).toEqual([]);
  });

  it('is typed where the person may not read its table', async () => {
    const { user, tableCalls } = openThing(({ path }) =>
      path.startsWith('shop/_table/kind') ? refusal(403, 'No access.') : undefined,
    );
    expect(await screen.findByText('You may not read kind: type the value itself.')).toBeTruthy();
    expect(within(pane()).queryByRole('button', { name: 'Choose kind_id' })).toBeNull();
    await user.clear(await input());
    await user.type(await input(), '7');
    await user.click(within(pane()).getByRole('button', { name: 'Save' }));
    await screen.findByText('Record saved.');
    expect(tableCalls('PATCH')[0]!.body).toEqual({ resource: [{ id: 1, kind_id: 7 }], loaded: expect.anything() });
  });

  it('says why its choices could not be read', async () => {
    const { user } = openThing((call) =>
      call.path.startsWith('shop/_table/kind?limit') ? refusal(500, 'The database is gone.') : answerKinds(call),
    );
    await user.click(await screen.findByRole('button', { name: 'Choose kind_id' }));
    expect(await screen.findByText('The database is gone.')).toBeTruthy();
  });
});

describe('a reference by several fields', () => {
  const part = (name: string, field: string, type: FieldDescription['type']) =>
    aField(name, { type, ref_table: 'branch', ref_field: field, is_foreign_key: true });
  const stayFields = [
    anId(),
    part('country', 'country', 'string'),
    aField('title'),
    part('branch_no', 'no', 'integer'),
  ];
  const toBranch = aRelation('branch_by_country_branch_no', {
    type: 'belongs_to',
    field: 'country,branch_no',
    ref_table: 'branch',
    ref_field: 'country,no',
  });
  const branches = aSchema([aField('country'), aField('no', { type: 'integer' }), aField('city_name')], {
    name: 'branch',
    label: 'Branch',
    primary_key: ['country', 'no'],
  });
  const bern = { country: 'ch', no: 1, city_name: 'Bern' };
  const answerBranches = (call: RecordedCall): FakeResponse | undefined => {
    if (!call.path.startsWith('shop/_table/branch?')) return undefined;
    const found = queryOf(call).filter === '(country = "ch") and (no = 1)' ? [bern] : [];
    return { body: { resource: found, meta: { count: found.length, schema: branches } } };
  };
  const openStay = (stay: Row, address = 'record?key=1', answerFirst = answerBranches) => {
    const shop = fakeShop([{ id: 1, title: 'walk', ...stay }], {
      fields: stayFields,
      schema: { related: [toBranch] },
      answerFirst,
    });
    const page = openData(`/data/shop/thing/${address}`);
    return { ...page, branchCalls: () => shop.calls.filter(({ path }) => path.startsWith('shop/_table/branch')) };
  };

  it('is shown by name below the last of them, as a link; each says what it refers to, and with what', async () => {
    const { branchCalls } = openStay({ country: 'ch', branch_no: 1 });
    const link = await screen.findByRole('link', { name: 'Open Bern in Branch' });
    expect(link.getAttribute('href')).toBe('/data/shop/branch/record?key=ch&key=1');
    const branchNo = screen.getByRole('textbox', { name: /^branch_no/ });
    expect(branchNo.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(screen.getByText('Refers to branch together with branch_no')).toBeTruthy();
    expect(screen.getByText('Refers to branch together with country')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Choose/ })).toBeNull();
    expect(branchCalls()).toHaveLength(1);
  });

  it('follows what is typed, and says when there is no such record', async () => {
    const { user } = openStay({ country: 'ch', branch_no: 9 });
    expect(await screen.findByText('No record of branch has these values together: country, branch_no.')).toBeTruthy();
    await user.clear(screen.getByRole('textbox', { name: /^branch_no/ }));
    await user.type(screen.getByRole('textbox', { name: /^branch_no/ }), '1');
    expect(await screen.findByRole('link', { name: 'Open Bern in Branch' })).toBeTruthy();
  });

  it('reads nothing while one of them has no value', async () => {
    const { user, branchCalls } = openStay({ country: 'ch', branch_no: null });
    await user.type(await screen.findByRole('textbox', { name: /^branch_no/ }), '1');
    expect(await screen.findByRole('link', { name: 'Open Bern in Branch' })).toBeTruthy();
    expect(branchCalls().map((call) => queryOf(call).filter)).toEqual(['(country = "ch") and (no = 1)']);
  });

  it('is looked up for a new record too', async () => {
    const { user } = openStay({}, 'new');
    await user.type(await screen.findByRole('textbox', { name: /^branch_no/ }), '1');
    await user.type(screen.getByRole('textbox', { name: /^country/ }), 'ch');
    expect(await screen.findByRole('link', { name: 'Open Bern in Branch' })).toBeTruthy();
  });

  it('says that its table may not be read', async () => {
    openStay({ country: 'ch', branch_no: 1 }, 'record?key=1', ({ path }) =>
      path.startsWith('shop/_table/branch') ? refusal(403, 'No access.') : undefined,
    );
    expect(await screen.findByText('You may not read branch.')).toBeTruthy();
  });
});
