import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { refusal } from '../../../api/testing.ts';
import { openPage, queryOf, signIn } from '../../../list/testing.tsx';
import { refreshService } from '../address/sources.ts';
import { usePlace } from '../address/use-place.ts';
import { DiagramView } from './diagram-view.tsx';
import { aField, anId, aTable, fakeSchema, shopTables } from './schema.fixture.ts';

beforeEach(signIn);

function Place() {
  const { service, table, view } = usePlace();
  return view === 'diagram' ? <DiagramView service={service} table={table || null} /> : <p>The form of {table}</p>;
}

const openDiagram = (address = '/schema/shop?view=diagram') =>
  openPage(address, [{ path: '/schema/:service/:table?/:part?/:name?', element: <Place /> }]);

const boxes = () => screen.queryAllByRole('button').filter((button) => button.dataset.table !== undefined);
const names = () => boxes().map((box) => box.dataset.table);
const box = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}, \\d+ field`) });
const fieldOf = (table: HTMLElement, name: string) => table.querySelector(`[data-field="${name}"] rect`)!;

describe('the diagram of a service', () => {
  it('draws every table with a name that says what it is and what it belongs to', async () => {
    fakeSchema(shopTables());
    openDiagram();
    expect((await box('product')).getAttribute('aria-label')).toBe(
      'product, 3 fields, related to category, order line',
    );
    expect((await box('note')).getAttribute('aria-label')).toBe('note, 2 fields');
    expect(names()).toEqual(['category', 'note', 'order line', 'product']);
    expect(screen.getByRole('group', { name: /^Diagram of Shop: 4 tables, 3 relations/ })).not.toBeNull();
  });

  it('begins with the neighbourhood of a table, which can be widened', async () => {
    fakeSchema(shopTables());
    const { user, currentAddress } = openDiagram('/schema/shop/category?view=diagram');
    await box('category');
    expect(names()).toEqual(['category', 'product']);
    await user.click(screen.getByText('2 steps'));
    await waitFor(() => expect(names()).toEqual(['category', 'product', 'order line']));
    await user.click(screen.getByText('All tables'));
    await waitFor(() => expect(names()).toHaveLength(4));
    expect(currentAddress()).toBe('/schema/shop?view=diagram');
  });

  it('reads descriptions in slices, one with a comma alone, and tells how far it is', async () => {
    const tables = [...Array.from({ length: 60 }, (_, n) => aTable(`t${n}`)), aTable('a,b')];
    let release = () => {};
    const held = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    const calls = fakeSchema(tables, ({ path }) => (path.includes('ids=') ? held : undefined));
    openDiagram();
    expect(await screen.findByText('Reading the tables: 1 of 61')).not.toBeNull();
    release();
    await box('t59');
    const slices = calls.flatMap((call) => queryOf(call).ids?.split(',').length ?? []);
    expect(slices).toEqual([50, 10]);
    expect(calls.some(({ path }) => path.startsWith('shop/_schema/a%2Cb'))).toBe(true);
    expect(names()).toHaveLength(61);
  });

  it('leaves out what the person may not read, and says so', async () => {
    fakeSchema(shopTables(), ({ path }) =>
      decodeURIComponent(path).includes('ids=') && decodeURIComponent(path).includes('note')
        ? refusal(403, 'Access Forbidden.')
        : undefined,
    );
    openDiagram();
    await box('product');
    expect(names()).toEqual(['category', 'order line', 'product']);
    expect(screen.getByText(/^1 table is left out/)).not.toBeNull();
  });

  it('says why it could not be read and tries again', async () => {
    let isAway = true;
    fakeSchema(shopTables(), ({ path }) =>
      isAway && path.startsWith('shop/') ? refusal(503, 'The database is away.') : undefined,
    );
    const { user } = openDiagram();
    expect(await screen.findByText('The diagram of Shop could not be read')).not.toBeNull();
    expect(screen.getByText('The database is away.')).not.toBeNull();
    isAway = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await box('product');
  });

  it('says so when the person may read none of the tables', async () => {
    fakeSchema(shopTables(), ({ path }) => (path.includes('ids=') ? refusal(403, 'Access Forbidden.') : undefined));
    openDiagram();
    expect(await screen.findByText(/^4 tables are left out/)).not.toBeNull();
    expect(screen.queryByRole('link', { name: 'Create a table' })).toBeNull();
  });

  it('invites to make the first table', async () => {
    fakeSchema([]);
    openDiagram();
    const create = await screen.findByRole('link', { name: 'Create a table' });
    expect(create.getAttribute('href')).toBe('/schema/shop?make=table');
  });

  it('of too many tables draws those around one that is searched for', async () => {
    fakeSchema([...shopTables(), ...Array.from({ length: 2000 }, (_, n) => aTable(`t${n}`))]);
    const { user } = openDiagram();
    expect(await screen.findByText('2,004 tables are too many to draw at once')).not.toBeNull();
    expect(names()).toEqual([]);
    await user.type(screen.getByRole('searchbox', { name: 'Find a table or field' }), 'product');
    await user.click(await screen.findByRole('button', { name: 'product' }));
    await waitFor(() => expect(names()).toEqual(['product', 'category', 'order line']));
  });

  it('says that a table is not there', async () => {
    fakeSchema(shopTables());
    const { user } = openDiagram('/schema/shop/gone?view=diagram');
    expect(await screen.findByText('There is no table “gone” to draw')).not.toBeNull();
    await user.click(screen.getByRole('button', { name: 'All tables' }));
    await box('product');
  });
});

describe('a table of the diagram', () => {
  it('is opened by Enter and by a double click', async () => {
    fakeSchema(shopTables());
    const { user, currentAddress, router } = openDiagram();
    (await box('product')).focus();
    await user.keyboard('{Enter}');
    expect(currentAddress()).toBe('/schema/shop/product');
    await router.navigate('/schema/shop?view=diagram');
    await user.dblClick(await box('note'));
    expect(currentAddress()).toBe('/schema/shop/note');
  });

  it('offers what one can do with it when it is selected', async () => {
    fakeSchema(shopTables());
    const { user, currentAddress } = openDiagram();
    await user.click(await box('product'));
    expect((await box('product')).getAttribute('aria-pressed')).toBe('true');
    const bar = within(screen.getByRole('toolbar', { name: 'Actions on product' }));
    expect(bar.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe('/schema/shop/product');
    expect(bar.getByRole('link', { name: 'New field' }).getAttribute('href')).toBe(
      '/schema/shop/product/field?view=diagram',
    );
    expect(bar.getByRole('link', { name: 'New relation' }).getAttribute('href')).toBe(
      '/schema/shop/product/relation?view=diagram',
    );
    expect(bar.queryByRole('link', { name: 'View data' })).toBeNull();
    await user.click(bar.getByRole('button', { name: 'Neighbourhood' }));
    expect(currentAddress()).toBe('/schema/shop/product?view=diagram');
    await waitFor(() => expect(names()).toEqual(['product', 'category', 'order line']));
  });

  it('opens the pane of a field that is clicked, and goes on showing all tables', async () => {
    fakeSchema(shopTables());
    const { user, currentAddress, router } = openDiagram();
    await user.click(fieldOf(await box('product'), 'title'));
    expect(currentAddress()).toBe('/schema/shop/product/field/title?view=diagram');
    expect(names()).toHaveLength(4);
    await router.navigate('/schema/shop/product?view=diagram');
    expect(names()).toHaveLength(4);
    await waitFor(() => expect(document.activeElement?.getAttribute('data-table')).toBe('product'));
  });

  it('says which permission is missing for new fields', async () => {
    fakeSchema([aTable('t', [anId()], [], { access: 1 })]);
    const { user } = openDiagram();
    await user.click(await box('t'));
    for (const name of ['New field', 'New relation', 'Connect…']) {
      const button = screen.getByRole<HTMLButtonElement>('button', { name });
      expect([button.disabled, button.title]).toEqual([true, 'Your role lacks POST for this table’s schema.']);
    }
  });

  it('is connected by keyboard with one it is to refer to', async () => {
    fakeSchema(shopTables());
    const { user, currentAddress } = openDiagram();
    (await box('note')).focus();
    await user.keyboard(' ');
    await user.click(screen.getByRole('button', { name: 'Connect…' }));
    expect(screen.getByText(/^Choose the table that note is to refer to/)).not.toBeNull();
    await waitFor(() => expect(document.activeElement?.getAttribute('data-table')).toBe('note'));
    await user.keyboard('{Escape}');
    expect(screen.queryByText(/^Choose the table/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Connect…' }));
    (await box('product')).focus();
    await user.keyboard('{Enter}');
    expect(currentAddress()).toBe('/schema/shop/note/field?view=diagram&ref_table=product&ref_field=id');
  });

  it('is connected by a line from a field to one of another table', async () => {
    fakeSchema(shopTables());
    const { user, currentAddress } = openDiagram();
    await user.click(await box('note'));
    const handle = (await box('note')).querySelector('[data-field="id"] [data-handle]')!;
    vi.spyOn(document, 'elementFromPoint').mockReturnValue(fieldOf(await box('category'), 'title'));
    fireEvent.pointerDown(handle, { pointerId: 1, button: 0, clientX: 10, clientY: 10 });
    fireEvent.pointerMove(handle, { pointerId: 1, clientX: 90, clientY: 90 });
    fireEvent.pointerUp(handle, { pointerId: 1, clientX: 90, clientY: 90 });
    expect(currentAddress()).toBe('/schema/shop/note/field?view=diagram&ref_table=category&ref_field=title');
    vi.restoreAllMocks();
  });

  it('is moved by keys and stands there when one comes back, until all is laid out again', async () => {
    fakeSchema(shopTables());
    const first = openDiagram();
    const at = async () => (await box('product')).getAttribute('transform');
    const before = await at();
    (await box('product')).focus();
    await first.user.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}');
    const moved = await at();
    expect(moved).not.toBe(before);
    first.unmount();
    const { user } = openDiagram();
    expect(await at()).toBe(moved);
    await user.click(screen.getByRole('button', { name: 'Lay out again' }));
    await waitFor(async () => expect(await at()).toBe(before));
  });

  it('is reached by arrows, each press going to the nearest one', async () => {
    fakeSchema(shopTables());
    const { user } = openDiagram();
    (await box('category')).focus();
    await user.keyboard('{ArrowRight}');
    await waitFor(() => expect(document.activeElement?.getAttribute('data-table')).toBe('product'));
    await user.keyboard('{ArrowDown}');
    await waitFor(() => expect(document.activeElement?.getAttribute('data-table')).not.toBe('product'));
    expect(boxes().filter((button) => button.tabIndex === 0)).toHaveLength(1);
  });

  it('lights up with those it is related to while the pointer is over it', async () => {
    fakeSchema(shopTables());
    openDiagram();
    fireEvent.pointerOver(await box('category'));
    await waitFor(() =>
      expect(
        boxes()
          .filter(({ dataset }) => dataset.lit)
          .map(({ dataset }) => dataset.table),
      ).toEqual(['category', 'product']),
    );
  });
});

describe('pointers on the diagram', () => {
  const drawing = () => screen.getByRole('group', { name: /^Diagram of/ });
  const view = () => {
    const [x = 0, y = 0, zoom = 0] = (drawing().firstElementChild?.getAttribute('transform') ?? '')
      .match(/-?[\d.]+/g)!
      .map(Number);
    return { x, y, zoom };
  };
  const drag = (target: Element, pointerType: string) => {
    fireEvent.pointerDown(target, { pointerId: 1, button: 0, pointerType, clientX: 100, clientY: 100 });
    fireEvent.pointerMove(target, { pointerId: 1, pointerType, clientX: 130, clientY: 80 });
    fireEvent.pointerUp(target, { pointerId: 1, pointerType, clientX: 130, clientY: 80 });
    fireEvent.click(target);
  };

  it('move the drawing, and a box with a mouse; what follows is no click', async () => {
    fakeSchema(shopTables());
    openDiagram();
    const product = await box('product');
    const before = view();
    drag(drawing(), 'mouse');
    expect(view()).toEqual({ ...before, x: before.x + 30, y: before.y - 20 });
    const place = product.getAttribute('transform');
    drag(product, 'mouse');
    expect((await box('product')).getAttribute('transform')).not.toBe(place);
    expect(screen.queryByRole('toolbar')).toBeNull();
  });

  it('of a finger move a box only when it is selected', async () => {
    fakeSchema(shopTables());
    const { user } = openDiagram();
    const place = (await box('product')).getAttribute('transform');
    const before = view();
    drag(await box('product'), 'touch');
    expect((await box('product')).getAttribute('transform')).toBe(place);
    expect(view().x).toBe(before.x + 30);
    await user.click(await box('product'));
    drag(await box('product'), 'touch');
    expect((await box('product')).getAttribute('transform')).not.toBe(place);
  });

  it('of two fingers zoom', async () => {
    fakeSchema(shopTables());
    openDiagram();
    await box('product');
    const { zoom } = view();
    const finger = (pointerId: number, clientX: number) => ({ pointerId, clientX, clientY: 100, pointerType: 'touch' });
    fireEvent.pointerDown(drawing(), { ...finger(1, 100), button: 0 });
    fireEvent.pointerDown(drawing(), { ...finger(2, 200), button: 0 });
    fireEvent.pointerMove(drawing(), finger(2, 250));
    expect(view().zoom).toBeCloseTo(zoom * 1.5);
    fireEvent.pointerUp(drawing(), finger(2, 250));
    fireEvent.pointerUp(drawing(), finger(1, 100));
  });

  it('zoom with the wheel about the place they are at', async () => {
    fakeSchema(shopTables());
    openDiagram();
    await box('product');
    const before = view();
    fireEvent.wheel(drawing(), { deltaY: -100, clientX: 400, clientY: 300 });
    const after = view();
    expect(after.zoom).toBeGreaterThan(before.zoom);
    const under = ({ x, y, zoom }: typeof before) => [(400 - x) / zoom, (300 - y) / zoom];
    expect(under(after)[0]).toBeCloseTo(under(before)[0]!);
    expect(under(after)[1]).toBeCloseTo(under(before)[1]!);
  });
});

describe('around the diagram', () => {
  it('a search goes from match to match', async () => {
    fakeSchema(shopTables());
    const { user } = openDiagram();
    await box('product');
    const input = screen.getByRole('searchbox', { name: 'Find a table or field' });
    expect(input.hasAttribute('data-filter')).toBe(true);
    const marked = () => boxes().find(({ dataset }) => dataset.current)?.dataset.table;
    await user.type(input, 'title');
    expect(screen.getByText('2 found')).not.toBeNull();
    await user.keyboard('{Enter}');
    expect([marked(), screen.getByText('1 of 2').textContent]).toEqual(['category', '1 of 2']);
    await user.keyboard('{Enter}');
    expect(marked()).toBe('product');
    await user.keyboard('{Enter}');
    expect(marked()).toBe('category');
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    expect(marked()).toBe('product');
    await user.clear(input);
    await user.type(input, 'zzz');
    expect(screen.getByText('Nothing found')).not.toBeNull();
  });

  it('a search in a neighbourhood goes to tables outside of it', async () => {
    fakeSchema(shopTables());
    const { user, currentAddress } = openDiagram('/schema/shop/category?view=diagram');
    await box('category');
    await user.type(screen.getByRole('searchbox', { name: 'Find a table or field' }), 'note{Enter}');
    await waitFor(() => expect(names()).toEqual(['note']));
    expect(currentAddress()).toBe('/schema/shop/note?view=diagram');
  });

  it('zoom, place and what is drawn outlast a reload', async () => {
    fakeSchema(shopTables());
    const first = openDiagram('/schema/shop/category?view=diagram');
    await box('category');
    await first.user.click(screen.getByText('2 steps'));
    await box('order line');
    await first.user.click(screen.getByRole('button', { name: 'Zoom in' }));
    const scene = () => screen.getByRole('group', { name: /^Diagram of/ }).firstElementChild?.getAttribute('transform');
    const before = scene();
    window.dispatchEvent(new Event('pagehide'));
    first.unmount();
    openDiagram('/schema/shop/category?view=diagram');
    await box('order line');
    await waitFor(() => expect(scene()).toBe(before));
  });

  it('fields can be narrowed down to keys', async () => {
    fakeSchema(shopTables());
    const { user } = openDiagram();
    await box('product');
    await user.click(screen.getByText('Keys only'));
    await waitFor(async () => expect(fieldOf(await box('product'), 'category_id')).not.toBeNull());
    expect((await box('product')).querySelector('[data-field="title"]')).toBeNull();
  });

  it('a change of the schema shows, and what stood stays where it was', async () => {
    const tables = shopTables();
    fakeSchema(tables);
    const { client } = openDiagram();
    const at = (await box('product')).getAttribute('transform');
    tables.push(aTable('later', [anId(), aField('title')]));
    await refreshService(client, 'shop');
    await box('later');
    expect((await box('product')).getAttribute('transform')).toBe(at);
  });

  it('the picture is saved with the name of the service', async () => {
    fakeSchema(shopTables());
    const made: Blob[] = [];
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${made.push(blob)}` }));
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    const { user } = openDiagram();
    await box('product');
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: 'As SVG' }));
    await waitFor(() => expect(saved).toHaveBeenCalled());
    expect((saved.mock.contexts[0] as HTMLAnchorElement).download).toBe('shop-schema.svg');
    const markup = await made[0]!.text();
    for (const { name } of shopTables()) expect(markup).toContain(`>${name}</text>`);
    vi.restoreAllMocks();
  });
});
