import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/index.ts';
import { type FakeResponse, type RecordedCall, refusal } from '../api/testing.ts';
import { column, ListScreen, type Row } from './index.ts';
import { fakeInstanceOf, openPage, queryOf, signIn } from './testing.tsx';
import { formatOf, readImportOutcome } from './transfer.ts';

const people = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `P${index + 1}` }));

const List = () => (
  <ListScreen
    texts="people:user"
    resource="user"
    pageSize={2}
    search={['name']}
    permissionTexts={{ resources: 'system/user', things: 'users' }}
    base="/users"
    columns={[column('name', { label: 'Name', opens: true })]}
    importable
    exportable
  />
);

function open(
  address = '/users',
  post: (call: RecordedCall) => FakeResponse | Promise<FakeResponse> = () => ({ status: 201, body: { resource: [] } }),
) {
  const { calls } = fakeInstanceOf('user', people(5), (call) => (call.method === 'POST' ? post(call) : undefined));
  const page = openPage(address, [
    { path: '/users', element: <List /> },
    { path: '/elsewhere', element: <p>Elsewhere</p> },
  ]);
  const posts = () => calls.filter(({ method }) => method === 'POST');
  return { ...page, calls, posts };
}

const fileInput = () => document.querySelector<HTMLInputElement>('input[type="file"]')!;
const textOf = (call: RecordedCall) => new TextDecoder().decode(call.body as ArrayBuffer);
const stopped = (index: number, message: string, done: number[] = []): FakeResponse => {
  const resource = [...done.map((id) => ({ id })), { code: 400, context: null, message, status_code: 400 }];
  return refusal(400, 'Batch Error: Not all requested records could be created.', { error: [index], resource }, 1000);
};

beforeEach(signIn);
afterEach(() => vi.restoreAllMocks());

async function openImport(page: ReturnType<typeof open>) {
  await screen.findAllByRole('link', { name: /^P/ });
  await page.user.click(screen.getByRole('button', { name: 'Import' }));
  return within(await screen.findByRole('dialog'));
}

describe('import', () => {
  it.each([
    ['people.csv', 'text/csv', 'name\nJo\n'],
    ['people.JSON', 'application/json', '[{"name":"Jo"}]'],
    ['people.xml', 'application/xml', '<x><resource><name>Jo</name></resource></x>'],
  ])(
    'sends %s as it is, as %s, and reloads the list (PPL-054, PPL-061, OPEN-047, OPEN-097)',
    async (name, type, content) => {
      const page = open('/users?page=2');
      await openImport(page);
      await page.user.upload(fileInput(), new File([content], name));
      expect(await screen.findByText('Users imported successfully.')).toBeTruthy();
      const [post] = page.posts();
      const spreadsheet = type === 'text/csv' ? '?spreadsheet=true' : '';
      expect(post).toMatchObject({ path: `system/user${spreadsheet}` });
      expect(post!.headers.get('Content-Type')).toBe(type);
      expect(textOf(post!)).toBe(content);
      await waitFor(() => expect(page.currentAddress()).toBe('/users'));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    },
  );

  it('takes csv, json and xml only, chosen or dropped (PPL-041)', async () => {
    const page = open();
    const dialog = await openImport(page);
    fireEvent.drop(dialog.getByText('Drop a file here, or choose one.'), {
      dataTransfer: { files: [new File(['x'], 'people.xlsx')] },
    });
    expect(await dialog.findByRole('alert')).toHaveProperty(
      'textContent',
      'Acceptable file formats are csv, json, and xml.',
    );
    expect(page.posts()).toHaveLength(0);
    fireEvent.drop(dialog.getByText('Drop a file here, or choose one.'), {
      dataTransfer: { files: [new File(['name'], 'people.csv')] },
    });
    expect(await screen.findByText('Users imported successfully.')).toBeTruthy();
  });

  it('takes apostrophes of our export off CSV, unless told that it is from elsewhere', async () => {
    const page = open();
    const dialog = await openImport(page);
    const box = dialog.getByRole('checkbox', { name: 'CSV was exported here' });
    expect((box as HTMLInputElement).checked).toBe(true);
    await page.user.click(box);
    await page.user.upload(fileInput(), new File(["name\n'=1\n"], 'people.csv'));
    expect(await screen.findByText('Users imported successfully.')).toBeTruthy();
    expect(page.posts().map(({ path }) => path)).toEqual(['system/user']);
  });

  it('tells which record was refused and why, and goes on without it when told to', async () => {
    const page = open('/users', ({ path }) =>
      path.includes('continue')
        ? refusal(
            400,
            'Batch Error: Not all requested records could be created.',
            {
              error: [0, 1, 3],
              resource: [
                { code: 400, message: 'The email has already been taken.', status_code: 400 },
                { code: 400, message: 'The email field is required.', status_code: 400 },
                { id: 8 },
                { code: 400, message: 'The name is odd.', status_code: 400 },
              ],
            },
            1000,
          )
        : stopped(1, 'The email field is required.', [7]),
    );
    const dialog = await openImport(page);
    await page.user.upload(fileInput(), new File(['…'], 'people.csv'));
    expect((await dialog.findByRole('listitem')).textContent).toBe('Record 2: The email field is required.');
    expect(dialog.getByText('1 record of people.csv was imported.')).toBeTruthy();
    await page.user.click(dialog.getByRole('button', { name: 'Import the rest' }));
    await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(2));
    // The first one is in: that it is there already is no failure.
    expect(dialog.getByText('2 records of people.csv were imported.')).toBeTruthy();
    expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Record 2: The email field is required.',
      'Record 4: The name is odd.',
    ]);
    expect(dialog.queryByRole('button', { name: 'Import the rest' })).toBeNull();
    expect(page.posts().map(({ path }) => path)).toEqual([
      'system/user?spreadsheet=true',
      'system/user?continue=true&spreadsheet=true',
    ]);
  });

  it('shows why a file was refused as a whole, and takes another one', async () => {
    let isBad = true;
    const page = open('/users', () =>
      isBad ? refusal(400, 'There are no record sets in the request.') : { status: 201, body: { resource: [] } },
    );
    const dialog = await openImport(page);
    await page.user.upload(fileInput(), new File([''], 'empty.csv'));
    expect(await dialog.findByText('empty.csv was not imported.')).toBeTruthy();
    expect(dialog.getByText('There are no record sets in the request.')).toBeTruthy();
    isBad = false;
    await page.user.upload(fileInput(), new File(['name'], 'full.csv'));
    expect(await screen.findByText('Users imported successfully.')).toBeTruthy();
  });

  it('goes on when one leaves, and leaves one where one went', async () => {
    let answer: (said: FakeResponse) => void = () => undefined;
    const page = open('/users', () => new Promise((resolve) => (answer = resolve)));
    await openImport(page);
    await page.user.upload(fileInput(), new File(['name'], 'people.csv'));
    expect(await screen.findByText(/^Importing people\.csv/)).toBeTruthy();
    await act(() => page.router.navigate('/elsewhere'));
    answer({ status: 201, body: { resource: [] } });
    expect(await screen.findByText('Users imported successfully.')).toBeTruthy();
    expect(page.currentAddress()).toBe('/elsewhere');
  });

  it('knows formats by the ending, and batches by their code', () => {
    expect(['a.csv', 'a.b.XML', 'json', 'a.txt', 'a.'].map(formatOf)).toEqual(['csv', 'xml', null, null, null]);
    expect(readImportOutcome(new Error('x'), true, 0)).toBeNull();
    expect(readImportOutcome(new ApiError({ status: 413, code: 413, message: 'x' }), true, 0)).toBeNull();
  });
});

describe('export', () => {
  it('has the browser fetch all rows in one of three formats (PPL-042, PPL-062, OPEN-098)', async () => {
    const opened: { address: URL; name: string }[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      opened.push({ address: new URL(this.href), name: this.download });
    });
    const page = open();
    await screen.findByRole('link', { name: 'P1' });
    await page.user.click(screen.getByRole('button', { name: 'Export' }));
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['CSV', 'JSON', 'XML']);
    await page.user.click(screen.getByRole('menuitem', { name: 'XML' }));
    await waitFor(() => expect(opened).toHaveLength(1));
    expect(opened[0]!.name).toBe('user.xml');
    expect(opened[0]!.address.pathname).toBe('/api/v2/system/user');
    expect(Object.fromEntries(opened[0]!.address.searchParams)).toEqual({
      file: 'user.xml',
      api_key: 'key',
      session_token: 'token-1',
    });
    await page.user.click(screen.getByRole('checkbox', { name: 'Select P2' }));
    await page.user.click(screen.getAllByRole('button', { name: 'Export' }).at(-1)!);
    await page.user.click(await screen.findByRole('menuitem', { name: 'CSV' }));
    await waitFor(() => expect(opened).toHaveLength(2));
    expect(opened[1]!.address.searchParams.get('ids')).toBe('2');
    // CSV is what spreadsheets open.
    expect(opened.map(({ address }) => address.searchParams.get('spreadsheet'))).toEqual([null, 'true']);
  });

  it('tells what keeps it from being fetched', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { user } = (() => {
      fakeInstanceOf('user', people(1), (call) => (queryOf(call).limit === '1' ? refusal(503, 'Down.') : undefined));
      return openPage('/users', [{ path: '/users', element: <List /> }]);
    })();
    await screen.findByRole('link', { name: 'P1' });
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: 'CSV' }));
    expect(await screen.findByText('Down.')).toBeTruthy();
    expect(click).not.toHaveBeenCalled();
  });
});
