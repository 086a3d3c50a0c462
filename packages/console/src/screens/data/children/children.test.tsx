import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeResponse, type RecordedCall, refusal } from '../../../api/testing.ts';
import { queryOf, signIn } from '../../../list/testing.tsx';
import type { Row, Schema } from '../address/sources.ts';
import { aField, anId, aRelation, aSchema, fakeShop, openData, thingFields, thingRows } from '../testing.tsx';

/** Another table of the instance: its answer to reads, for those with a filter its rows that fit. */
const table =
  (path: string, schema: Schema, rows: Row[]) =>
  (call: RecordedCall): FakeResponse | undefined => {
    if (call.method !== 'GET' || call.path.split('?')[0] !== path) return undefined;
    const { limit = '50', offset = '0' } = queryOf(call);
    const page = rows.slice(Number(offset), Number(offset) + Number(limit));
    return { body: { resource: page, meta: { count: rows.length, schema } } };
  };

const items = aSchema(
  [anId(), aField('thing_id', { type: 'integer', required: true, allow_null: false }), aField('words')],
  {
    name: 'item',
    label: 'Item',
  },
);
const itemsRelation = aRelation('item_by_thing_id', { label: 'Items', ref_table: 'item', ref_field: 'thing_id' });
const tags = aSchema([anId(), aField('name')], { name: 'tag', label: 'Tag' });
const byPair = aRelation('tag_by_pair', {
  label: 'Tags',
  type: 'many_many',
  ref_table: 'tag',
  junction_table: 'pair',
  junction_field: 'thing_id',
  junction_ref_field: 'tag_id',
});
const pairFields = [aField('thing_id', { type: 'integer' }), aField('tag_id', { type: 'integer' })];
const pairRows = [{ thing_id: 1, tag_id: 5 }];
const allTags = [{ id: 5, name: 'red' }];

const first =
  (...answers: ((call: RecordedCall) => FakeResponse | undefined)[]) =>
  (call: RecordedCall) =>
    answers.map((answer) => answer(call)).find((answer) => answer !== undefined);
const callsWith = (calls: RecordedCall[], method: string) => calls.filter((call) => call.method === method);
const answerYes = async (user: ReturnType<typeof openData>['user'], name: string) => {
  const dialog = await screen.findByRole('dialog', { name: /\?$/ });
  await user.click(within(dialog).getByRole('button', { name }));
  return dialog.textContent;
};

beforeEach(signIn);

describe('a child table', () => {
  const openItems = (rows: Row[], relation = itemsRelation) => {
    const { calls } = fakeShop(thingRows(3), {
      schema: { related: [relation] },
      answerFirst: table('shop/_table/item', items, rows),
    });
    return { calls, ...openData('/data/shop/thing/related?key=1&child=item_by_thing_id') };
  };

  it('reads ten records of its parent, and starts new ones with its value (TBL-029, TBL-043, OPEN-132, C-DAT-09)', async () => {
    const { calls, user } = openItems([{ id: 8, thing_id: 1, words: 'of one' }]);
    expect(await screen.findByText('of one')).toBeTruthy();
    const itemCall = calls.find(({ path }) => path.startsWith('shop/_table/item?'))!;
    expect(queryOf(itemCall)).toMatchObject({ filter: 'thing_id = 1', limit: '10', offset: '0', fields: '*' });
    await user.click(screen.getByRole('link', { name: 'Create' }));
    const pane = await screen.findByRole('dialog', { name: 'Create Item' });
    await user.type(within(pane).getByRole('textbox', { name: /^words/ }), 'new');
    await user.click(within(pane).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(callsWith(calls, 'POST')).toHaveLength(1));
    expect(callsWith(calls, 'POST')[0]!.body).toEqual({ resource: [{ thing_id: 1, words: 'new' }] });
  });

  it('says that its relation is virtual, and reads from the service that has the table (TBL-011)', async () => {
    const relation = { ...itemsRelation, is_virtual: true, ref_service_id: 7 };
    const { calls } = fakeShop(thingRows(1), {
      schema: { related: [relation] },
      answerFirst: table('old/_table/item', items, [{ id: 8, thing_id: 1, words: 'elsewhere' }]),
    });
    openData('/data/shop/thing/related?key=1&child=item_by_thing_id');
    expect(await screen.findByText('elsewhere')).toBeTruthy();
    expect(screen.getByText('Virtual relation')).toBeTruthy();
    expect(calls.some(({ path }) => path.startsWith('shop/_table/item'))).toBe(false);
  });

  it('of at most one record cannot get a second', async () => {
    openItems([{ id: 8, thing_id: 1, words: 'the only' }], { ...itemsRelation, type: 'has_one' });
    expect(await screen.findByText('the only')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Create' })).toBeNull();
  });

  it('is not read when its service is unknown or the parent has no value', async () => {
    const related = [
      { ...itemsRelation, ref_service_id: 99 },
      { ...itemsRelation, name: 'item_by_note', field: 'note' },
    ];
    const { calls } = fakeShop(thingRows(1), { schema: { related } });
    const { router } = openData('/data/shop/thing/related?key=1&child=item_by_thing_id');
    expect(await screen.findByText('item is in a service that you cannot use.')).toBeTruthy();
    await router.navigate('/data/shop/thing/related?key=1&child=item_by_note');
    expect(await screen.findByText('Nothing can refer to this record: it has no value in note.')).toBeTruthy();
    expect(calls.filter(({ path }) => path.includes('item'))).toEqual([]);
  });

  it('that the person may not read says so; the parent stays', async () => {
    fakeShop(thingRows(1), {
      schema: { related: [itemsRelation] },
      answerFirst: ({ path }) =>
        path.startsWith('shop/_table/item') ? refusal(403, 'GET access to item is not allowed.') : undefined,
    });
    openData('/data/shop/thing/related?key=1&child=item_by_thing_id');
    expect(await screen.findByText('GET access to item is not allowed.')).toBeTruthy();
    expect(within(screen.getByRole('table', { name: 'Thing' })).getByText('thing 001')).toBeTruthy();
  });

  it('of a missing record leads back', async () => {
    fakeShop(thingRows(1), { schema: { related: [itemsRelation] } });
    const { user, currentAddress } = openData('/data/shop/thing/related?page=1&key=9&child=item_by_thing_id');
    expect(await screen.findByText('There is no such record')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(currentAddress()).toMatch(/^\/data\/shop\/thing(\?page=1)?$/));
  });
});

describe('records behind a junction', () => {
  const openTags = (junction: Schema, related = [byPair]) => {
    const { calls } = fakeShop(thingRows(1), {
      fields: thingFields,
      schema: { related },
      answerFirst: first(
        table('shop/_table/pair', junction, pairRows),
        table('shop/_table/tag', tags, allTags),
        ({ method }) => (method === 'GET' ? undefined : { body: { resource: [] } }),
      ),
    });
    return { calls, ...openData('/data/shop/thing/related?key=1&child=tag_by_pair') };
  };

  it('are read with its pages of ten, and removed by its key (TBL-011)', async () => {
    const keyed = aSchema([anId(), ...pairFields.map((field) => ({ ...field, is_primary_key: false }))], {
      name: 'pair',
      label: 'Pair',
    });
    const { calls, user } = openTags({ ...keyed, primary_key: ['thing_id', 'tag_id'] });
    expect(await screen.findByRole('link', { name: 'red' })).toBeTruthy();
    const [pairs, found] = ['pair', 'tag'].map(
      (name) => calls.find(({ path }) => path.startsWith(`shop/_table/${name}?`))!,
    );
    expect(queryOf(pairs!)).toMatchObject({ filter: 'thing_id = 1', limit: '10', offset: '0' });
    expect(queryOf(found!).filter).toBe('(id = 5)');
    await user.click(screen.getByRole('button', { name: 'Remove the assignment of red' }));
    expect(await answerYes(user, 'Remove the assignment')).toContain('Its record in Pair will be deleted');
    expect(await screen.findByText('Assignment removed.')).toBeTruthy();
    expect(callsWith(calls, 'DELETE')[0]!.body).toEqual({ resource: [{ thing_id: 1, tag_id: 5 }] });
  });

  it('of a junction without a key are removed by both values', async () => {
    const { calls, user } = openTags(aSchema(pairFields, { name: 'pair', label: 'Pair' }));
    await user.click(await screen.findByRole('button', { name: 'Remove the assignment of red' }));
    await answerYes(user, 'Remove the assignment');
    expect(await screen.findByText('Assignment removed.')).toBeTruthy();
    const [call] = callsWith(calls, 'DELETE');
    expect(call!.body).toBeUndefined();
    expect(queryOf(call!).filter).toBe('(thing_id = 1) and ((tag_id = 5))');
  });

  it('of a junction with further fields are removed with a warning, and created in its own table', async () => {
    const loanSchema = aSchema([...pairFields, aField('due', { required: true, allow_null: false })], {
      name: 'pair',
      label: 'Loan',
      primary_key: ['thing_id', 'tag_id'],
    });
    const pairRelation = aRelation('pair_by_thing_id', { ref_table: 'pair', ref_field: 'thing_id' });
    const { user, currentAddress } = openTags(loanSchema, [byPair, pairRelation]);
    await user.click(await screen.findByRole('button', { name: 'Remove the assignment of red' }));
    expect(await answerYes(user, 'Cancel')).toContain('and with it: due');
    await user.click(screen.getByRole('link', { name: 'Add in Loan' }));
    expect(currentAddress()).toBe('/data/shop/thing/related?key=1&child=pair_by_thing_id&child.pane=new');
    expect(await screen.findByRole('dialog', { name: 'Create Loan' })).toBeTruthy();
  });

  it('that cannot be read are shown by their value', async () => {
    fakeShop(thingRows(1), {
      schema: { related: [byPair] },
      answerFirst: first(
        table('shop/_table/pair', aSchema(pairFields, { name: 'pair' }), pairRows),
        table('shop/_table/tag', tags, []),
      ),
    });
    openData('/data/shop/thing/related?key=1&child=tag_by_pair');
    expect(await screen.findByText('5 (cannot be read)')).toBeTruthy();
  });
});
