import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { EditorScreen, Section } from '../editor/index.ts';
import type { Row } from '../list/index.ts';
import { fakeInstanceOf, openPage, signIn } from '../list/testing.tsx';
import {
  type LookupKey,
  LookupKeysInput,
  lookupKeyErrors,
  lookupKeysOf,
  lookupKeysToDraft,
  lookupKeysToRecord,
} from './index.ts';

const mask = '**********';
const aRole = (): Row => ({
  id: 4,
  name: 'reader',
  lookup_by_role_id: [
    { id: 1, role_id: 4, name: 'region', value: 'eu', private: false },
    { id: 2, role_id: 4, name: 'secret', value: mask, private: true },
  ],
});

interface RoleForm extends Record<string, unknown> {
  id?: number;
  name: string;
  lookup_by_role_id: LookupKey[];
}

function Editor() {
  return (
    <EditorScreen<RoleForm>
      id="4"
      resource="role"
      base="/roles"
      permissionTexts={{ resources: 'system/role', things: 'roles' }}
      texts="roles"
      emptyForm={{ name: '', lookup_by_role_id: [] }}
      toForm={(row) => ({ ...row, name: String(row.name), lookup_by_role_id: lookupKeysOf(row.lookup_by_role_id) })}
      toRecord={(form) => ({ ...form, lookup_by_role_id: lookupKeysToRecord(form.lookup_by_role_id) })}
      validate={(form) => lookupKeyErrors('lookup_by_role_id', form.lookup_by_role_id, 'role_id')}
    >
      <Section title="Keys">
        <LookupKeysInput name="lookup_by_role_id" ownerField="role_id" />
      </Section>
    </EditorScreen>
  );
}

async function open(record = aRole()) {
  const { calls } = fakeInstanceOf('role', [record]);
  const page = openPage('/roles/4', [{ path: '/roles/*', element: <Editor /> }]);
  await screen.findByRole('button', { name: 'Add lookup key' });
  const saveKeys = async () => {
    await page.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
    return (calls.find(({ method }) => method === 'PUT')!.body as RoleForm).lookup_by_role_id;
  };
  return { ...page, calls, saveKeys };
}

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

beforeEach(signIn);

describe('lookup keys', () => {
  it('of the server are marked for removal by a cleared owner, new ones are dropped (PPL-033, PPL-034)', async () => {
    const { user, saveKeys } = await open();
    await user.click(screen.getByRole('button', { name: 'Delete lookup key region' }));
    expect(screen.queryByDisplayValue('region')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Add lookup key' }));
    await user.keyboard('passing');
    await user.click(screen.getByRole('button', { name: 'Delete lookup key passing' }));
    expect(await saveKeys()).toEqual([
      { id: 1, role_id: null, name: 'region', value: 'eu', private: false },
      { id: 2, role_id: 4, name: 'secret', value: mask, private: true },
    ]);
  });

  it('have a name of their own within the owner; one that is to go does not count (PPL-032)', async () => {
    const { user, calls, saveKeys } = await open();
    await user.click(screen.getByRole('button', { name: 'Add lookup key' }));
    await user.keyboard('region');
    await user.type(input('Value, row 3'), 'us');
    expect(screen.getAllByText('This name is not unique.')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(input('Name, row 1').getAttribute('aria-invalid')).toBe('true');
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
    await user.click(screen.getAllByRole('button', { name: 'Delete lookup key region' })[0]!);
    expect(screen.queryByText('This name is not unique.')).toBeNull();
    expect(await saveKeys()).toMatchObject([
      { id: 1, role_id: null },
      { id: 2 },
      { name: 'region', value: 'us', private: false, allow_user_update: false },
    ]);
  });

  it('need a name and a value', async () => {
    const { user, calls } = await open();
    await user.click(screen.getByRole('button', { name: 'Add lookup key' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Name is required.')).toBeTruthy();
    expect(screen.getByText('Value is required.')).toBeTruthy();
    await user.type(input('Name, row 3'), 'x');
    expect(screen.queryByText('Name is required.')).toBeNull();
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('that are private show no value, and one made public is typed again', async () => {
    const { user, saveKeys } = await open();
    expect(input('Value, row 2').readOnly).toBe(true);
    await user.click(input('Private, row 2'));
    expect(input('Value, row 2').value).toBe('');
    await user.click(input('Private, row 2'));
    expect(input('Value, row 2').value).toBe(mask);
    await user.click(screen.getByRole('button', { name: 'Replace' }));
    await user.type(input('Value, row 2'), 'new one');
    await user.click(input('Private, row 1'));
    expect(await saveKeys()).toMatchObject([
      { id: 1, value: 'eu', private: true },
      { id: 2, value: 'new one', private: true },
    ]);
  });

  it('that were stored without a value stay so', async () => {
    const { user, saveKeys } = await open({
      ...aRole(),
      lookup_by_role_id: [{ id: 3, role_id: 4, name: 'bare', value: null, private: false }],
    });
    await user.type(input('Name, row 1'), '2');
    expect(await saveKeys()).toMatchObject([{ id: 3, name: 'bare2', value: null }]);
  });

  it('are said to be none in the words of their owner', async () => {
    await open({ ...aRole(), lookup_by_role_id: [] });
    expect(screen.getByText('No lookup keys for this role. Click the plus button to add.')).toBeTruthy();
  });

  it('leave no typed secret in a draft', () => {
    const key = (value: string, isPrivate: boolean) => ({ name: 'a', value, private: isPrivate });
    expect(
      lookupKeysToDraft([key('typed', true), key(mask, true), key('open', false)]).map(({ value }) => value),
    ).toEqual(['', mask, 'open']);
  });
});
