// The ways from Data to the Schema screen, where there is one.
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { signIn } from '../../list/testing.tsx';
import { aField, anId, aRelation, aSchema, fakeShop, openData, openDataBesideSchema, thingRows } from './testing.tsx';

const openMenu = async (cellText: string) => {
  fireEvent.contextMenu(await screen.findByText(cellText));
  return screen.findByRole('menu');
};

beforeEach(signIn);

describe('a table leads to its schema', () => {
  it('from the toolbar, and from a cell to its field', async () => {
    fakeShop(thingRows(2));
    const { user, currentAddress } = openDataBesideSchema('/data/shop/thing');
    const link = await screen.findByRole('link', { name: 'Schema' });
    expect(link.getAttribute('href')).toBe('/schema/shop/thing');
    const menu = await openMenu('thing 002');
    const item = within(menu).getByRole('menuitem', { name: 'Edit field…' });
    expect(item.getAttribute('href')).toBe('/schema/shop/thing/field/name');
    await user.click(item);
    expect(currentAddress()).toBe('/schema/shop/thing/field/name');
    expect(screen.getByText('Schema is here')).toBeTruthy();
  });

  it('with names as parts of an address', async () => {
    const rows = [{ id: 1, 'a/b': 'odd' }];
    fakeShop([], {
      answerFirst: ({ path }) =>
        path.startsWith('shop/_table/order%20item')
          ? { body: { resource: rows, meta: { count: 1, schema: aSchema([anId(), aField('a/b')]) } } }
          : undefined,
    });
    openDataBesideSchema('/data/shop/order%20item');
    const menu = await openMenu('odd');
    const item = within(menu).getByRole('menuitem', { name: 'Edit field…' });
    expect(item.getAttribute('href')).toBe('/schema/shop/order%20item/field/a%2Fb');
    // The open menu hides the page from readers.
    const link = screen.getByRole('link', { name: 'Schema', hidden: true });
    expect(link.getAttribute('href')).toBe('/schema/shop/order%20item');
  });

  it('not while its buttons rest, nor where the records are the platform’s own', async () => {
    const users = aRelation('user_by_thing_id', { ref_table: 'df_sys_user', ref_field: 'thing_id' });
    const words = aRelation('word_by_thing_id', { ref_table: 'word', ref_field: 'thing_id' });
    const schema = aSchema([anId(), aField('text')]);
    fakeShop(thingRows(1), {
      schema: { related: [users, words] },
      answerFirst: ({ path }) =>
        /^(system\/user|shop\/_table\/word)\?/.test(path)
          ? { body: { resource: [{ id: 5, text: 'of one' }], meta: { count: 1, schema } } }
          : undefined,
    });
    const { router, user } = openDataBesideSchema('/data/shop/thing/related?key=1&child=user_by_thing_id');
    const menu = await openMenu('of one');
    expect(within(menu).queryByRole('menuitem', { name: 'Edit field…' })).toBeNull();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('link', { name: 'Schema' })).toBeNull();
    await router.navigate('/data/shop/thing/related?key=1&child=word_by_thing_id');
    await screen.findByRole('heading', { name: 'word_by_thing_id' });
    const item = within(await openMenu('of one')).getByRole('menuitem', { name: 'Edit field…' });
    expect(item.getAttribute('href')).toBe('/schema/shop/word/field/text');
  });

  it('not where there is no such screen', async () => {
    fakeShop(thingRows(2));
    openData('/data/shop/thing');
    const menu = await openMenu('thing 002');
    expect(within(menu).getByRole('menuitem', { name: 'Copy' })).toBeTruthy();
    expect(within(menu).queryByRole('menuitem', { name: 'Edit field…' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Schema', hidden: true })).toBeNull();
  });
});

describe('a database without tables', () => {
  it('leads to where one is made', async () => {
    fakeShop([]);
    openDataBesideSchema('/data/old');
    const link = await screen.findByRole('link', { name: 'Create a table' });
    expect(link.getAttribute('href')).toBe('/schema/old?make=table');
  });

  it('only says so where there is no such screen', async () => {
    fakeShop([]);
    openData('/data/old');
    expect(await screen.findByRole('heading', { name: 'This database has no tables' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Create a table' })).toBeNull();
  });
});
