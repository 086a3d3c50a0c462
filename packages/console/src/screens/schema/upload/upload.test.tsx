import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeResponse, type RecordedCall, refusal } from '../../../api/testing.ts';
import { signIn } from '../../../list/testing.tsx';
import { aTable, fakeSchema, openSchema } from '../testing.tsx';

beforeEach(signIn);

type Page = ReturnType<typeof openSchema>;

const open = (answerFirst?: (call: RecordedCall) => FakeResponse | undefined) => {
  const instance = fakeSchema([aTable('thing'), aTable('order')], answerFirst ? { answerFirst } : {});
  return { ...instance, ...openSchema('/schema/shop?make=upload') };
};

/** Puts a text into the editor by a file. */
async function choose({ user }: Page, text: string, name = 'schema.json') {
  await screen.findByRole('link', { name: 'thing' });
  await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, new File([text], name));
}

const uploadButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Upload' });
const tables = (...names: string[]) => names.map((name) => ({ name, field: [{ name: 'id', type: 'id' }] }));
const json = (value: unknown) => JSON.stringify(value);
const statesOf = async () =>
  within(await screen.findByRole('region', { name: 'Tables in the JSON' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

describe('the upload of schema JSON', () => {
  it('begins with a sample, sends it and opens its table', async () => {
    const page = open();
    await screen.findByRole('link', { name: 'thing' });
    expect(await screen.findByText('Valid: 1 table.')).toBeTruthy();
    expect(await statesOf()).toEqual(['todo3New']);
    await page.user.click(uploadButton());
    expect(await screen.findByText('Tables created successfully.')).toBeTruthy();
    await waitFor(() => expect(page.currentAddress()).toBe('/schema/shop/todo'));
    const [write] = page.writes();
    expect(write).toMatchObject({ method: 'POST', path: 'shop/_schema' });
    const [table] = (write!.body as { resource: { name: string; field: { name: string }[] }[] }).resource;
    expect([table!.name, table!.field.map(({ name }) => name)]).toEqual(['todo', ['id', 'name', 'complete']]);
    expect(await screen.findByRole('link', { name: 'todo' })).toBeTruthy();
  });

  it.each<[string, unknown]>([
    ['a list of tables', tables('a', 'b')],
    ['what _schema?ids= answers', { resource: tables('a', 'b') }],
  ])('takes %s', async (_, value) => {
    const page = open();
    await choose(page, `\uFEFF${json(value)}`);
    expect(await screen.findByText('Valid: 2 tables.')).toBeTruthy();
    await page.user.click(uploadButton());
    await waitFor(() => expect(page.writes().map(({ body }) => body)).toEqual([{ resource: tables('a', 'b') }]));
  });

  it('takes one table', async () => {
    const page = open();
    await choose(page, json(tables('a')[0]));
    await page.user.click(uploadButton());
    await waitFor(() => expect(page.writes().map(({ body }) => body)).toEqual([{ resource: tables('a') }]));
  });

  const manyTables = tables(...Array.from({ length: 1001 }, (_, index) => `t${index}`));
  it.each<[string, string, string]>([
    ['no JSON', '{\n  "name": }', 'The schema JSON is not valid. The mistake is at line 2, column 11.'],
    ['an empty list', '[]', 'The schema JSON is not valid. It has to be'],
    ['a list of no tables', '[1]', 'The schema JSON is not valid. It has to be'],
    ['a name that exists', json(tables('thing')), 'The table name already exists.'],
    ['a name that exists in another case', json(tables('THING', 'new')), 'The table name already exists.'],
    ['a table without a name', json([...tables('new'), { field: [] }]), 'Table 2 has no name.'],
    ['a name that is there twice', json(tables('new', 'New')), 'The table “New” is there twice.'],
    ['too many tables', json(manyTables), 'One upload takes at most 1,000 tables, and this JSON has 1001.'],
  ])('refuses %s before it is sent', async (_, text, problem) => {
    const page = open();
    await choose(page, text);
    await screen.findByText((shown) => shown.startsWith(problem));
    await page.user.click(uploadButton());
    expect((await screen.findByRole('alert')).textContent).toContain(problem);
    expect(page.writes()).toEqual([]);
    expect(page.currentAddress()).toBe('/schema/shop?make=upload');
  });

  it('changes tables that exist only when that is said', async () => {
    const page = open();
    await choose(page, json(tables('new', 'thing')));
    const isMeant = await screen.findByRole('checkbox', { name: 'Change the table that exists already: thing' });
    expect(await statesOf()).toEqual(['new1New', 'thing1Exists, would be changed']);
    expect(uploadButton().disabled).toBe(true);
    await page.user.click(isMeant);
    await page.user.click(uploadButton());
    expect(await screen.findByText('Tables created successfully.')).toBeTruthy();
    expect(page.writes()).toHaveLength(1);
  });

  it('tells which tables were made and which failed, reads the list again and offers the rest', async () => {
    let isBroken = true;
    const page = open((call) => {
      if (call.method !== 'POST' || call.path !== 'shop/_schema' || !isBroken) return undefined;
      isBroken = false;
      const failed = { code: 400, context: null, message: 'No such type.', status_code: 400 };
      const untried = { ...failed, message: 'This table was not tried, since another one failed before it.' };
      return refusal(400, 'Batch Error', { error: [1, 2], resource: [{ name: 'a' }, failed, untried] }, 1000);
    });
    await choose(page, json(tables('a', 'b', 'c')));
    const listings = () =>
      page.calls.filter(({ method, path }) => method === 'GET' && path.startsWith('shop/_schema?'));
    const before = listings().length;
    await page.user.click(uploadButton());
    const failure = (await screen.findByText('Some tables were made, others were not')).closest('[role=alert]')!;
    const lines = [...failure.querySelectorAll('li')].map((line) => line.textContent);
    expect(lines).toEqual([
      'b: No such type. Show line 1',
      '1 table was made: a',
      '1 table was not tried, since another one failed before it: c',
    ]);
    await waitFor(() => expect(listings().length).toBeGreaterThan(before));
    await page.user.click(screen.getByRole('button', { name: 'Leave out the tables that were made' }));
    await waitFor(async () => expect(await statesOf()).toEqual(['b1New', 'c1New']));
    await page.user.click(uploadButton());
    await waitFor(() => expect(page.writes().at(-1)!.body).toEqual({ resource: tables('b', 'c') }));
  });

  it('keeps what was written when the server refuses it or does not answer', async () => {
    const answers: FakeResponse[] = [refusal(400, 'Table is odd.'), 'unreachable'];
    const page = open(({ method, path }) =>
      method === 'POST' && path === 'shop/_schema' ? answers.shift() : undefined,
    );
    await choose(page, json(tables('a')));
    await page.user.click(uploadButton());
    expect((await screen.findByText('No table was made')).closest('[role=alert]')!.textContent).toContain(
      'a: Table is odd.',
    );
    await page.user.click(uploadButton());
    expect(await screen.findByText(/It is not known whether tables were made/)).toBeTruthy();
    expect(await statesOf()).toEqual(['a1New']);
    await page.user.click(uploadButton());
    await waitFor(() => expect(page.currentAddress()).toBe('/schema/shop/a'));
  });

  it('asks before an edited text is left, and not for the sample', async () => {
    const page = open();
    await choose(page, json(tables('a')));
    await screen.findByText('a');
    await page.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await page.user.click(await screen.findByRole('button', { name: 'Stay here' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Stay here' })).toBeNull());
    expect(page.currentAddress()).toBe('/schema/shop?make=upload');
    await page.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await page.user.click(await screen.findByRole('button', { name: 'Continue without saving' }));
    await waitFor(() => expect(page.currentAddress()).toBe('/schema/shop'));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull());
    await page.router.navigate('/schema/shop?make=upload');
    await page.user.click(await screen.findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(page.currentAddress()).toBe('/schema/shop'));
  });

  it('refuses a file that is too large', async () => {
    const page = open();
    await choose(page, `"${'x'.repeat(5 * 1024 * 1024)}"`, 'big.json');
    expect(await screen.findByText('big.json is larger than 5 MB.')).toBeTruthy();
    expect(await statesOf()).toEqual(['todo3New']);
  });

  it('saves the schema of the service as JSON, without views', async () => {
    const described = [aTable('thing'), aTable('seen', undefined, { is_view: true })];
    let saved: Blob | undefined;
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => {
          saved = blob;
          return 'blob:x';
        },
        revokeObjectURL: () => {},
      }),
    );
    const page = open(({ path }) => (path.includes('ids=') ? { body: { resource: described } } : undefined));
    await screen.findByRole('link', { name: 'thing' });
    await page.user.click(screen.getByRole('button', { name: 'Download schema JSON' }));
    expect(await screen.findByText('The schema was saved as a file.')).toBeTruthy();
    expect(page.calls.map(({ path }) => path)).toContain('shop/_schema?ids=order%2Cthing');
    expect(JSON.parse(await saved!.text())).toEqual({ resource: [described[0]] });
  });
});
