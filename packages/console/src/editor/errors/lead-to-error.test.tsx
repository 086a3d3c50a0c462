import { TextInput as MantineTextInput } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import { refusal } from '../../api/testing.ts';
import { TextInput } from '../../fields/index.ts';
import { fakeInstanceOf, openPage, signIn } from '../../list/testing.tsx';
import { useEditor } from '../editor-context.ts';
import { EditorScreen } from '../editor-screen.tsx';
import { editorTabs } from '../editor-tabs.ts';

interface Form extends Record<string, unknown> {
  name: string;
  config: Record<string, string>;
}

/** Changes its config as a whole, as services do. */
function ConfigInputs() {
  const { form } = useEditor<Form>();
  const { config } = form.values;
  return ['host', 'user'].map((name) => (
    <MantineTextInput
      key={name}
      label={name}
      value={config[name] ?? ''}
      error={form.errors[`config.${name}`]}
      onChange={(event) => form.setFieldValue('config', { ...config, [name]: event.currentTarget.value })}
    />
  ));
}

const Inputs = () =>
  useLocation().pathname.endsWith('/config') ? <ConfigInputs /> : <TextInput name="name" label="Name" />;

const open = () =>
  openPage('/things/7', [
    {
      path: '/things/:id/*',
      element: (
        <EditorScreen<Form>
          id="7"
          resource="thing"
          base="/things"
          permissionTexts={{ resources: 'system/thing', things: 'things' }}
          texts="roles"
          emptyForm={{ name: '', config: {} }}
          validate={({ name }): Record<string, string> => (name === '' ? { name: 'Name is required.' } : {})}
          tabs={(editor) =>
            editorTabs(editor, {
              tabs: ['info', 'config'],
              labelOf: (tab) => tab,
              tabOf: (field) => (field.startsWith('config.') ? 'config' : 'info'),
            })
          }
        >
          <Inputs />
        </EditorScreen>
      ),
    },
  ]);

const thing = () => ({ id: 7, name: 'seven', config: { host: 'a', user: 'b' } });
const save = () => screen.getByRole('button', { name: 'Save' });

beforeEach(signIn);

it('leads to the tab and the field that the server refused, and forgets its error once that is edited', async () => {
  fakeInstanceOf('thing', [thing()], ({ method }) =>
    method === 'PUT'
      ? refusal(400, 'Validation failed.', { 'config.host': ['No such host.'], 'config.user': ['No such user.'] })
      : undefined,
  );
  const { user, currentAddress } = open();
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), '!');
  await user.click(save());
  const host = await screen.findByRole('textbox', { name: 'host' });
  expect(currentAddress()).toBe('/things/7/config');
  await waitFor(() => expect(document.activeElement).toBe(host));
  expect(screen.getByRole('link', { name: 'config (2)' })).toBeTruthy();

  await user.type(host, 'x');
  expect(screen.queryByText('No such host.')).toBeNull();
  expect(screen.getByText('No such user.')).toBeTruthy();
  expect(screen.getByText('Validation failed.', { selector: 'form [role="alert"] *' })).toBeTruthy();
  await user.type(screen.getByRole('textbox', { name: 'user' }), 'x');
  expect(screen.queryByText('No such user.')).toBeNull();
  await waitFor(() =>
    expect(screen.queryByText('Validation failed.', { selector: 'form [role="alert"] *' })).toBeNull(),
  );
});

it('leads to what is wrong before anything is sent, from another tab too', async () => {
  const { calls } = fakeInstanceOf('thing', [thing()]);
  const { user, currentAddress, router } = open();
  await user.clear(await screen.findByRole('textbox', { name: 'Name' }));
  await router.navigate('/things/7/config');
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Name is required.')).toBeTruthy();
  expect(currentAddress()).toBe('/things/7');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' })));
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
});
