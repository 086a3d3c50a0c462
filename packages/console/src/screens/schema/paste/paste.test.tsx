import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeResponse, type RecordedCall, refusal } from '../../../api/testing.ts';
import { signIn } from '../../../list/testing.tsx';
import { aTable, fakeSchema, openSchema } from '../testing.tsx';

beforeEach(signIn);

type SentRow = Record<string, unknown>;

function open(answerFirst: (call: RecordedCall) => FakeResponse | undefined = () => undefined) {
  const rows: SentRow[] = [];
  const instance = fakeSchema([aTable('thing')], {
    answerFirst: (call) => {
      const answer = answerFirst(call);
      if (answer) return answer;
      if (!call.path.startsWith('shop/_table/')) return undefined;
      if (call.path.endsWith('count_only=true')) return { body: rows.length };
      const sent = (call.body as { resource: SentRow[] }).resource;
      rows.push(...sent);
      return { body: { resource: sent.map((_, id) => ({ id })) } };
    },
  });
  return { ...instance, rows, ...openSchema('/schema/shop?make=paste') };
}

/** Pastes into the empty field. */
async function paste(text: string) {
  const field = await screen.findByRole('textbox', { name: 'Data' });
  await screen.findByRole('link', { name: 'thing' });
  fireEvent.paste(field, { clipboardData: { getData: () => text } });
  await screen.findByRole('button', { name: 'Create the table' });
}
const chooseFile = (page: ReturnType<typeof open>, name: string, text: string) =>
  page.user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, new File([text], name));

const typeOf = (column: string) => screen.getByRole<HTMLSelectElement>('combobox', { name: `Type of ${column}` });
const create = () => screen.getByRole('button', { name: 'Create the table' });
const tableName = () => screen.getByRole<HTMLInputElement>('textbox', { name: /Table name/ });
const people = 'Number,Full Name,Born,Zip\n1,Ada,1815-12-10,01234\n2,Bob,,99999\n';

describe('a table from data', () => {
  it('reads what is pasted, makes the table, inserts the rows and opens it', async () => {
    const page = open();
    await paste(people);
    expect(screen.getByText('Pasted text: 2 rows, 4 columns')).toBeTruthy();
    expect(['Number', 'Full Name', 'Born', 'Zip'].map((column) => typeOf(column).value)).toEqual([
      'integer',
      'string',
      'date',
      'string',
    ]);
    expect(screen.getByText('all 2 values are whole numbers')).toBeTruthy();
    expect(screen.getByText('some numbers begin with a zero, which a number would lose')).toBeTruthy();
    const preview = within(screen.getByRole('region', { name: 'Rows as they would be inserted' }));
    expect(preview.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
      '1',
      'Ada',
      '1815-12-10',
      '01234',
      '2',
      'Bob',
      'NULL',
      '99999',
    ]);
    await page.user.type(tableName(), 'people');
    await page.user.click(create());
    expect(await screen.findByText('All records were inserted.')).toBeTruthy();
    const [made, ...others] = page.writes();
    expect(made).toMatchObject({ method: 'POST', path: 'shop/_schema?fields=*&check_exist=true' });
    const [table] = (made!.body as { resource: { name: string; field: SentRow[] }[] }).resource;
    expect(table!.name).toBe('people');
    expect(
      table!.field.map(({ name, type, length, allow_null, is_primary_key }) => [
        name,
        type,
        length,
        allow_null,
        is_primary_key,
      ]),
    ).toEqual([
      ['id', 'id', null, false, true],
      ['number', 'integer', null, false, false],
      ['full_name', 'string', 32, false, false],
      ['born', 'date', null, true, false],
      ['zip', 'string', 32, false, false],
    ]);
    expect(others).toHaveLength(1);
    expect(page.rows).toEqual([
      { number: 1, full_name: 'Ada', born: '1815-12-10', zip: '01234' },
      { number: 2, full_name: 'Bob', born: null, zip: '99999' },
    ]);
    await waitFor(() => expect(page.currentAddress()).toBe('/schema/shop/people'));
  });

  it('names the table after a file, and takes its column named id as the key', async () => {
    const page = open();
    await screen.findByRole('link', { name: 'thing' });
    await chooseFile(page, 'My Orders.json', '[{"id":7,"total":1.5},{"id":8,"total":null}]');
    await screen.findByRole('button', { name: 'Create the table' });
    expect(tableName().value).toBe('my_orders');
    expect(typeOf('id').value).toBe('id');
    expect(screen.queryByRole('checkbox', { name: /Add a field/ })).toBeNull();
    await page.user.click(create());
    await screen.findByText('All records were inserted.');
    expect(page.rows).toEqual([
      { id: 7, total: '1.5' },
      { id: 8, total: null },
    ]);
  });

  it('only makes the table when the rows are not wanted', async () => {
    const page = open();
    await paste(people);
    await page.user.type(tableName(), 'people');
    await page.user.click(screen.getByRole('checkbox', { name: 'Insert the 2 records' }));
    await page.user.click(create());
    await waitFor(() => expect(page.currentAddress()).toBe('/schema/shop/people'));
    expect(page.rows).toEqual([]);
  });

  it('sends nothing with a name that exists, or none, and says so', async () => {
    const page = open();
    await paste(people);
    await page.user.click(create());
    expect((await screen.findAllByText('A table needs a name.')).length).toBeGreaterThan(0);
    await page.user.type(tableName(), 'Thing');
    await page.user.click(create());
    expect(await screen.findByText('Validation Error')).toBeTruthy();
    expect(screen.getAllByText('The name already exists').length).toBeGreaterThan(1);
    expect(page.writes()).toEqual([]);
  });

  it('inserts nothing when the table cannot be made, and keeps all that was typed', async () => {
    const page = open(({ method, path }) =>
      method === 'POST' && path.startsWith('shop/_schema') ? refusal(400, 'No table today.') : undefined,
    );
    await paste(people);
    await page.user.type(tableName(), 'people');
    await page.user.click(create());
    const failure = await screen.findByText('The table was not made, and nothing was inserted');
    expect(failure.closest('[role=alert]')!.textContent).toContain('No table today.');
    expect(page.rows).toEqual([]);
    expect(tableName().value).toBe('people');
    expect(page.writes()).toHaveLength(1);
  });

  it('counts and marks values that do not fit a changed type, and leaves their rows out', async () => {
    const page = open();
    await paste('a,b\n1,2024-01-01\n2,soon\n3,later\n');
    await page.user.selectOptions(typeOf('b'), 'date');
    expect(await screen.findByText('2 values do not fit')).toBeTruthy();
    expect(screen.getAllByText('(does not fit)')).toHaveLength(2);
    await page.user.type(tableName(), 'x');
    await page.user.click(create());
    expect(await screen.findByText('2 rows were left out')).toBeTruthy();
    expect(page.rows).toEqual([{ a: 1, b: '2024-01-01' }]);
    expect(screen.getByText('Row 2:').parentElement!.textContent).toBe('Row 2: The value of b does not fit.');
  });

  it('reads commas before the fraction once the column is one of numbers', async () => {
    const page = open();
    await paste('a;b\nx;1,500\ny;1,250\n');
    expect(typeOf('b').value).toBe('string');
    await page.user.selectOptions(typeOf('b'), 'decimal');
    await page.user.type(tableName(), 'x');
    await page.user.click(create());
    await screen.findByText('All records were inserted.');
    expect(page.rows.map(({ b }) => b)).toEqual(['1.500', '1.250']);
  });

  it('renames columns, leaves some out, and refuses two of the same name', async () => {
    const page = open();
    await paste('a,b,c\n1,2,3\n');
    const name = screen.getByRole('textbox', { name: 'Name of b' });
    await page.user.clear(name);
    await page.user.type(name, 'A');
    expect((await screen.findAllByText('The field name already exists')).length).toBeGreaterThan(0);
    await page.user.type(tableName(), 'x');
    await page.user.click(create());
    expect(page.writes()).toEqual([]);
    await page.user.clear(name);
    await page.user.type(name, 'bee');
    await page.user.click(screen.getByRole('checkbox', { name: 'Use c' }));
    await page.user.click(create());
    await screen.findByText('All records were inserted.');
    expect(page.rows).toEqual([{ a: 1, bee: 2 }]);
  });

  it('reads the data again in another way', async () => {
    const page = open();
    await paste('name,town\nAda,London\nBob,Rome\n');
    expect(screen.getByText('Pasted text: 2 rows, 2 columns')).toBeTruthy();
    await page.user.click(screen.getByRole('switch', { name: 'The first row has the names' }));
    expect(await screen.findByText('Pasted text: 3 rows, 2 columns')).toBeTruthy();
    await page.user.selectOptions(screen.getByRole('combobox', { name: 'Format' }), ';');
    expect(await screen.findByText('Pasted text: 2 rows, 1 column')).toBeTruthy();
  });

  it('ends at a refused row and goes on without it', async () => {
    let isFirst = true;
    const page = open(({ method, path }) => {
      if (method !== 'POST' || !path.startsWith('shop/_table/') || !isFirst) return undefined;
      isFirst = false;
      const failure = { code: 400, context: null, message: 'Not this one.', status_code: 400 };
      return refusal(400, 'Batch Error', { error: [0], resource: [failure] }, 1000);
    });
    await paste(people);
    await page.user.type(tableName(), 'people');
    await page.user.click(create());
    expect(await screen.findByText('A row was refused')).toBeTruthy();
    expect(screen.getByText('Row 1:').parentElement!.textContent).toBe('Row 1: Not this one.');
    await page.user.click(screen.getByRole('button', { name: 'Leave out refused rows and go on' }));
    expect(await screen.findByText('1 of 2 records are in the table')).toBeTruthy();
    expect(page.rows.map(({ number }) => number)).toEqual([2]);
  });

  it.each([
    ['', ' \n '],
    ['There is nothing in it that could be a table.', '[]'],
    ['Record 2 of this JSON is no object.', '[{"a":1},2]'],
    [/The data could not be read: /, '[{"a":}]'],
  ])('says %j of %j', async (problem, text) => {
    const page = open();
    const field = await screen.findByRole('textbox', { name: 'Data' });
    fireEvent.change(field, { target: { value: text } });
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Read the data' });
    if (problem === '') return expect(button.disabled).toBe(true);
    await page.user.click(button);
    expect(await screen.findByText(problem)).toBeTruthy();
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Data' }).value).toBe(text);
  });

  it('asks before data is left', async () => {
    const page = open();
    await paste(people);
    await page.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await page.user.click(await screen.findByRole('button', { name: 'Stay here' }));
    expect(page.currentAddress()).toBe('/schema/shop?make=paste');
    await page.user.click(screen.getByRole('button', { name: 'Other data' }));
    await page.user.click(await screen.findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(page.currentAddress()).toBe('/schema/shop'));
  });
});
