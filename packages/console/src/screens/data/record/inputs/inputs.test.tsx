import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { signIn } from '../../../../list/testing.tsx';
import { aField, anId, fakeShop, openData } from '../../testing.tsx';
import { maxFileBytes } from './bytes.ts';

const pane = () => screen.getByRole('dialog', { name: /Edit Thing|Create Thing/ });
const openedPane = () => screen.findByRole('dialog', { name: /Edit Thing|Create Thing/ });
const input = (name: string) => within(pane()).getByRole<HTMLInputElement>('textbox', { name: new RegExp(`^${name}`) });
const saveRecord = async (user: ReturnType<typeof openData>['user'], message = 'Record saved.') => {
  await user.click(within(pane()).getByRole('button', { name: 'Save' }));
  await screen.findByText(message);
};

beforeEach(signIn);

describe('a picklist of several', () => {
  it('is chosen value by value, and sent as one text', async () => {
    const sizes = aField('sizes', { picklist: ['S', 'M', 'L'], validation: { multi_picklist: { min: 1, max: 2 } } });
    const { tableCalls } = fakeShop([{ id: 1, sizes: 'S' }], { fields: [anId(), sizes] });
    const { user } = openData('/data/shop/thing/record?key=1');
    await openedPane();
    expect(within(pane()).getByText('1 to 2 choices')).toBeTruthy();
    await user.click(within(pane()).getByRole('combobox', { name: /sizes/ }));
    await user.click(await screen.findByRole('option', { name: 'L' }));
    await saveRecord(user);
    expect(tableCalls('PATCH')[0]!.body).toEqual({ resource: [{ id: 1, sizes: 'S,L' }], loaded: expect.anything() });
  });
});

describe('a moment', () => {
  const fields = [
    anId(),
    aField('seen', { type: 'timestamptz' }),
    aField('until', { type: 'datetime' }),
    aField('made', { type: 'timestamp_on_create' }),
  ];
  const row = { id: 1, seen: '2018-11-20 10:00:00.250+02', until: 'infinity', made: '2018-11-20 10:00:00' };

  it('changes in one part; zone and precision stay (TBL-012)', async () => {
    const { tableCalls } = fakeShop([row], { fields });
    const { user } = openData('/data/shop/thing/record?key=1');
    await openedPane();
    await user.click(within(pane()).getByRole('button', { name: 'Pick seen' }));
    expect(await screen.findByText('Stays as it is: .250+02')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Time'), { target: { value: '11:30' } });
    expect(input('seen').value).toBe('2018-11-20 11:30:00.000+02');
    fireEvent.change(screen.getByLabelText('Date'), { target: { value: '2019-01-02' } });
    await saveRecord(user);
    expect(tableCalls('PATCH')[0]!.body).toEqual({
      resource: [{ id: 1, seen: '2019-01-02 11:30:00.000+02' }],
      loaded: expect.anything(),
    });
  });

  it('has no picker for another text, or where the server sets it', async () => {
    fakeShop([row], { fields });
    openData('/data/shop/thing/record?key=1');
    await openedPane();
    expect(input('until').value).toBe('infinity');
    expect(input('made').readOnly).toBe(true);
    expect(within(pane()).getAllByRole('button', { name: /^Pick/ })).toHaveLength(1);
  });
});

describe('bytes', () => {
  const photo = aField('photo', { type: 'binary', required: true, allow_null: false });
  const chooseFile = (file: File) => {
    fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [file] } });
  };

  it('that are required come from a file', async () => {
    const { tableCalls } = fakeShop([], { fields: [anId(), photo] });
    const { user } = openData('/data/shop/thing/new');
    await openedPane();
    chooseFile(new File([new Uint8Array([0, 1, 255])], 'a.bin'));
    expect(await within(pane()).findByText('BINARY DATA · 3 bytes')).toBeTruthy();
    await saveRecord(user, 'Record created.');
    expect(tableCalls('POST')[0]!.body).toEqual({ resource: [{ photo: 'AAH/' }] });
  });

  it('of a file that is too large are refused', async () => {
    fakeShop([{ id: 1, photo: 'AAH/' }], { fields: [anId(), photo] });
    openData('/data/shop/thing/record?key=1');
    await openedPane();
    const largeFile = new File([], 'a.bin');
    Object.defineProperty(largeFile, 'size', { value: maxFileBytes + 1 });
    chooseFile(largeFile);
    expect(await within(pane()).findByText('The file is too large: at most 7 MB are taken.')).toBeTruthy();
    await waitFor(() => expect(within(pane()).getByText('BINARY DATA · 3 bytes')).toBeTruthy());
  });
});
