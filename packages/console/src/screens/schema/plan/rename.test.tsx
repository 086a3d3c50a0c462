import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeSession } from '../../../api/session-state.ts';
import { aSession, type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../../api/testing.ts';
import { openPage, signIn } from '../../../list/testing.tsx';
import { aService, planOf } from './plan.fixture.ts';
import { RenameButton } from './rename.tsx';

beforeEach(signIn);

/** The button on a page of its own; the instance has the tables `thing` and `item`. */
function openButton(answer: (call: RecordedCall) => FakeResponse | undefined = () => undefined, field?: string) {
  const service = aService();
  const renamed: string[] = [];
  const calls = fakeInstance((call) => {
    const response = answer(call);
    if (response) return response;
    const path = call.path.split('?')[0];
    if (path === `${service}/_plan`) return planOf({ statements: ['alter table thing rename to x'] });
    if (path === `${service}/_schema`)
      return { body: { resource: ['thing', 'item'].map((name) => ({ name, label: name })) } };
    if (call.method === 'PATCH') return { body: { name: 'x' } };
    return {
      body: {
        name: 'thing',
        alias: null,
        field: [
          { name: 'note', alias: 'remark' },
          { name: 'rank', alias: null },
        ],
      },
    };
  });
  const button = (
    <RenameButton
      service={service}
      table="thing"
      {...(field ? { field } : {})}
      onRenamed={(name) => renamed.push(name)}
    />
  );
  const element = (
    <>
      <p>The form</p>
      {button}
    </>
  );
  const page = openPage('/schema', [{ path: '/schema', element }]);
  const sent = () =>
    calls.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path.replace(`${service}/`, ''), body]);
  return { ...page, calls, renamed, sent };
}

describe('renaming', () => {
  it('is for administrators alone', async () => {
    storeSession(aSession({ is_sys_admin: false }));
    openButton();
    await screen.findByText('The form');
    expect(screen.queryByRole('button', { name: 'Rename' })).toBeNull();
  });

  it('checks the name, shows what it takes along, and says that callers have to follow', async () => {
    const { user, renamed, sent } = openButton();
    await user.click(await screen.findByRole('button', { name: 'Rename' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename table thing' }));
    const input = dialog.getByLabelText<HTMLInputElement>('New name');
    expect(input.value).toBe('thing');
    expect(dialog.getByText(/have to use the new name.*enter “thing” as the alias/)).toBeTruthy();
    const rename = dialog.getByRole('button', { name: 'Rename' });
    for (const [name, problem] of [
      [' thing', 'It has this name already.'],
      [' ', 'A name is needed.'],
      ['Item', 'The name already exists'],
    ] as const) {
      await user.clear(input);
      await user.type(input, name);
      await user.click(rename);
      expect(await dialog.findByText(problem)).toBeTruthy();
    }
    expect(sent()).toEqual([]);
    await user.clear(input);
    await user.type(input, 'article');
    expect(await dialog.findByText('Changes the database in one step')).toBeTruthy();
    await user.click(rename);
    await waitFor(() => expect(renamed).toEqual(['article']));
    expect(sent()).toEqual([['_schema/thing', { new_name: 'article' }]]);
    expect(await screen.findByText('thing is called article now.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('renames a field, and leaves an alias alone', async () => {
    const { user, renamed, sent } = openButton(undefined, 'note');
    await user.click(await screen.findByRole('button', { name: 'Rename' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename field note' }));
    expect(await dialog.findByText(/go by the alias “remark”/)).toBeTruthy();
    const input = dialog.getByLabelText('New name');
    await user.clear(input);
    await user.type(input, 'RANK');
    expect(dialog.getByText('The name already exists')).toBeTruthy();
    await user.clear(input);
    await user.type(input, 'Note{Enter}');
    await waitFor(() => expect(renamed).toEqual(['Note']));
    expect(sent()).toEqual([['_schema/thing/_field/note', { new_name: 'Note' }]]);
  });

  it('keeps what was typed when the server refuses', async () => {
    const { user, renamed } = openButton(({ method }) =>
      method === 'PATCH' ? refusal(503, "Table 'thing' was in use for 10 s. Nothing was changed.") : undefined,
    );
    await user.click(await screen.findByRole('button', { name: 'Rename' }));
    const dialog = within(await screen.findByRole('dialog'));
    const input = dialog.getByLabelText<HTMLInputElement>('New name');
    await user.clear(input);
    await user.type(input, 'article{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toContain('was in use for 10 s');
    expect(input.value).toBe('article');
    expect(renamed).toEqual([]);
  });
});
