import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { sessionState } from '../../api/session-state.ts';
import { anEnvironment, type FakeResponse, type RecordedCall, refusal } from '../../api/testing.ts';
import { serviceTypes } from '../../fields/config/service-types.fixture.ts';
import type { Row } from '../../list/index.ts';
import { fakeInstanceOf, openPage, queryOf, signIn } from '../../list/testing.tsx';
import { ServicesScreen } from './index.tsx';

const services = (): Row[] => [
  {
    id: 1,
    name: 'system',
    label: 'System Management',
    type: 'system',
    description: null,
    is_active: true,
    deletable: false,
    config: {},
    service_doc_by_service_id: null,
  },
  {
    id: 5,
    name: 'crm',
    label: 'Customers',
    type: 'mysql',
    description: 'Shop',
    is_active: false,
    deletable: true,
    config: { host: 'db.example.com', database: 'crm', password: '**********' },
    service_doc_by_service_id: null,
  },
  {
    id: 7,
    name: 'weather',
    label: 'Weather API',
    type: 'rws',
    description: null,
    is_active: true,
    deletable: true,
    config: { base_url: 'https://x' },
    service_doc_by_service_id: { service_id: 7, format: 0, content: '{}' },
  },
];

const instance = (rows = services(), other: (call: RecordedCall) => FakeResponse | undefined = () => undefined) =>
  fakeInstanceOf('service', rows, (call) => {
    const response = other(call);
    if (response) return response;
    if (call.path === 'system/service_type') return { body: { resource: serviceTypes } };
    if (call.path.startsWith('?group=')) return { body: { services: [] } };
    return undefined;
  });

const open = (address: string) => openPage(address, [{ path: '/services/*', element: <ServicesScreen /> }]);
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const confirmed = async (user: ReturnType<typeof open>['user'], question: string) => {
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain(question);
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
};

beforeEach(signIn);

describe('the list of services', () => {
  it('has its columns and loads what the tab needs (SVC-003, SVC-034, SVC-057, C-SVC-01, C-SVC-02, C-SVC-03)', async () => {
    const { calls } = instance();
    open('/services');
    await screen.findByRole('link', { name: 'crm' });
    expect(
      screen
        .getAllByRole('columnheader')
        .map((head) => head.textContent)
        .filter(Boolean),
    ).toEqual(['ID', 'Name', 'Label', 'Description', 'Type', 'Active']);
    expect(await screen.findByRole('cell', { name: 'MySQL' })).toBeTruthy();
    const list = calls.find(({ path }) => path.startsWith('system/service?'))!;
    expect(queryOf(list)).toEqual({
      limit: '100',
      order: 'id asc',
      related: 'service_doc_by_service_id',
      include_count: 'true',
    });
    expect(calls.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['system/service_type', '?group=source+control%2Cfile']),
    );
    expect(screen.getByRole('link', { name: 'Create' }).getAttribute('href')).toBe('/services/create');
  });

  it('is empty with its own words (SVC-002)', async () => {
    instance([]);
    open('/services');
    expect(await screen.findByText('You have no Services!')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Create A Service!' })).toBeTruthy();
  });

  it('deletes only what may be deleted, in the documents’ words (SVC-037, SVC-038, SVC-050, SVC-051, SVC-052, OPEN-136, OPEN-137)', async () => {
    const { calls } = instance();
    const { user } = open('/services');
    await screen.findByRole('link', { name: 'crm' });
    expect(screen.queryByRole('checkbox', { name: 'Select System Management' })).toBeNull();
    await user.click(button('Actions for Weather API'));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await confirmed(user, 'Delete Weather API?');
    expect(await screen.findByText('Service successfully deleted.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'weather' })).toBeNull());
    await user.click(screen.getByRole('checkbox', { name: 'Select Customers' }));
    await user.click(button('Delete'));
    await confirmed(user, 'Delete selected services?');
    expect(await screen.findByText('Services deleted successfully.')).toBeTruthy();
    expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
      'system/service/7',
      'system/service?ids=5&rollback=true',
    ]);
  });

  it('switches a service on from its row', async () => {
    const { calls } = instance();
    const { user } = open('/services');
    await screen.findByRole('link', { name: 'crm' });
    await user.click(button('Actions for Customers'));
    await user.click(await screen.findByRole('menuitem', { name: 'Activate' }));
    expect(await screen.findByText('Service updated successfully')).toBeTruthy();
    expect(calls.find(({ method }) => method === 'PUT')).toMatchObject({
      path: 'system/service/5?fields=*&related=service_doc_by_service_id',
      body: { is_active: true },
    });
  });

  it.each(['system/service?', 'system/service_type'])(
    'goes home with the permission message when %s is forbidden (SVC-030, SVC-031, SVC-032, OPEN-066)',
    async (path) => {
      instance(services(), (call) => (call.path.startsWith(path) ? refusal(403, 'Access Forbidden.') : undefined));
      open('/services');
      expect(await screen.findByText('Home is here')).toBeTruthy();
      expect(
        screen.getByText(
          'To use the Services tab your role must allow GET access to system/service and system/service_type. To create, update, or delete services you need POST, PUT, DELETE access to /system/service and/or /system/service/*.',
        ),
      ).toBeTruthy();
    },
  );
});

describe('creating a service', () => {
  it('starts with the type, by group, and sends what was filled in (SVC-004, SVC-036, SVC-048, C-SVC-06, OPEN-138)', async () => {
    const { calls } = instance();
    const { user, currentAddress } = open('/services/create');
    expect(await screen.findByRole('heading', { name: 'Create Service' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Select Service Type' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    await user.type(screen.getByRole('searchbox', { name: 'Find a type' }), 'sqlite');
    await user.click(button(/^SQLite/));
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'crm2');
    await user.type(screen.getByRole('textbox', { name: /^Label/ }), 'Second');
    expect(screen.getByText('The part of the path in API requests: /api/v2/crm2')).toBeTruthy();
    await user.click(button('Save'));
    // What is missing is on another tab: it says so there.
    expect(await screen.findByRole('link', { name: 'Config (1)' })).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Config (1)' }));
    expect(currentAddress()).toBe('/services/create/config');
    expect(screen.getByText('Database is required.')).toBeTruthy();
    await user.type(screen.getByRole('textbox', { name: /^Database/ }), 'crm.db');
    await user.click(button('Save'));
    expect(await screen.findByText('Service saved successfully.')).toBeTruthy();
    await waitFor(() => expect(currentAddress()).toBe('/services'));
    const request = calls.find(({ method }) => method === 'POST')!;
    expect(request.path).toBe('system/service?fields=*&related=service_doc_by_service_id');
    expect(request.body).toMatchObject({
      resource: [
        {
          name: 'crm2',
          label: 'Second',
          is_active: true,
          type: 'sqlite',
          service_doc_by_service_id: null,
          config: { database: 'crm.db', max_records: 1000 },
        },
      ],
    });
  });

  it('refuses a name that could not stand in a path', async () => {
    instance();
    const { user } = open('/services/create');
    await user.click(await screen.findByRole('button', { name: /^MySQL/ }));
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'my db');
    await user.click(button('Save'));
    expect(await screen.findByText('Only letters, numbers, underscores and dashes.')).toBeTruthy();
  });

  it('shows what an unavailable type needs, on every tab, with nothing to fill in (OPEN-141)', async () => {
    instance();
    const { user } = open('/services/create');
    await user.click(await screen.findByRole('button', { name: /^Oracle/ }));
    const needs = /^This feature requires a Sluice SILVER product subscription\./;
    expect(screen.getByText(needs)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    for (const tab of ['Config', 'Service Definition']) {
      await user.click(screen.getByRole('link', { name: tab }));
      expect(screen.getByText(needs)).toBeTruthy();
    }
    expect(screen.queryByRole('textbox')).toBeNull();
    await user.click(button('Change'));
    await user.click(screen.getByRole('link', { name: 'Info' }));
    expect(await screen.findByRole('heading', { name: 'Select Service Type' })).toBeTruthy();
  });

  it('opens what the licence covers (SVC-013)', async () => {
    sessionState.set({
      ...sessionState.get(),
      environment: anEnvironment({ platform: { license: 'SILVER', bitnami_demo: false, is_hosted: false } }),
    });
    instance();
    const { user } = open('/services/create');
    await user.click(await screen.findByRole('button', { name: /^SQL Server/ }));
    expect(button('Save')).toBeTruthy();
  });

  it('moves between types with the arrows', async () => {
    instance();
    const { user } = open('/services/create');
    (await screen.findByRole('searchbox', { name: 'Find a type' })).focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(document.activeElement?.textContent).toBe('Cassandra');
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('textbox', { name: /^Name/ })).toBeTruthy();
  });
});

describe('editing a service', () => {
  it('keeps the type, saves and stays or closes (SVC-019, SVC-020, SVC-049, C-SVC-07)', async () => {
    const { calls } = instance();
    const { user, currentAddress } = open('/services/5/config');
    const host = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Host' });
    expect(host.value).toBe('db.example.com');
    await user.type(host, '!');
    await user.click(button('Save'));
    expect(await screen.findByText('Service updated successfully')).toBeTruthy();
    expect(currentAddress()).toBe('/services/5/config');
    const request = calls.find(({ method }) => method === 'PUT')!;
    expect(request.path).toBe('system/service/5?fields=*&related=service_doc_by_service_id');
    expect(request.body).toMatchObject({
      id: 5,
      name: 'crm',
      type: 'mysql',
      config: { host: 'db.example.com!', password: '**********' },
    });
    await user.click(screen.getByRole('link', { name: 'Info' }));
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
    await user.click(button('Save and Close'));
    await waitFor(() => expect(currentAddress()).toBe('/services'));
  });

  it('shows what the server says about a config field beside it', async () => {
    instance(services(), ({ method }) =>
      method === 'PUT'
        ? refusal(400, 'Invalid data supplied. The host is odd.', { host: ['The host is odd.'] })
        : undefined,
    );
    const { user } = open('/services/5/config');
    const host = await screen.findByRole('textbox', { name: 'Host' });
    await user.type(host, '!');
    await user.click(button('Save'));
    expect(await screen.findByText('The host is odd.')).toBeTruthy();
    expect(host.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('link', { name: 'Config (1)' })).toBeTruthy();
  });

  it('cannot delete what must stay', async () => {
    instance();
    open('/services/1');
    await screen.findByRole('heading', { name: 'Edit System Management' });
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  });

  it('says where calls come from (OPEN-153)', async () => {
    sessionState.set({ ...sessionState.get(), environment: anEnvironment({ server: { ip: '203.0.113.9' } }) });
    instance();
    open('/services/5/config');
    expect(await screen.findByText(/Calls come from 203\.0\.113\.9\./)).toBeTruthy();
  });

  it('says that the types could not be loaded (SVC-042)', async () => {
    instance(services(), ({ path }) => (path === 'system/service_type' ? refusal(500, 'Down.') : undefined));
    open('/services/5');
    expect(
      await screen.findByText(
        'There was an error loading data for the Services tab. Please try refreshing your browser and logging in again.',
      ),
    ).toBeTruthy();
  });
});

describe('testing a connection', () => {
  it('tries what the form has and shows the driver’s words', async () => {
    let isUp = false;
    const { calls } = instance(services(), ({ path }) =>
      path.endsWith('_test')
        ? isUp
          ? { body: { success: true } }
          : refusal(503, 'connect ECONNREFUSED 203.0.113.7:3306')
        : undefined,
    );
    const { user } = open('/services/5/config');
    await user.type(await screen.findByRole('textbox', { name: 'Host' }), '!');
    await user.click(button('Test connection'));
    expect(await screen.findByText('connect ECONNREFUSED 203.0.113.7:3306')).toBeTruthy();
    expect(calls.at(-1)).toMatchObject({
      method: 'POST',
      path: 'system/service/5/_test',
      body: { type: 'mysql', name: 'crm', config: { host: 'db.example.com!', password: '**********' } },
    });
    await user.type(screen.getByRole('textbox', { name: 'Host' }), '!');
    expect(screen.queryByText('connect ECONNREFUSED 203.0.113.7:3306')).toBeNull();
    isUp = true;
    await user.click(button('Test connection'));
    expect(await screen.findByText('It works: the connection was made.')).toBeTruthy();
  });

  it('says at a field what to do about it', async () => {
    const refused = { code: 503, status_code: 503, context: { host: ['Check the host.'] }, message: 'Not known.' };
    instance(services(), ({ path }) =>
      path.endsWith('_test') ? { status: 503, body: { error: refused } } : undefined,
    );
    const { user } = open('/services/5/config');
    const host = await screen.findByRole('textbox', { name: 'Host' });
    await user.click(button('Test connection'));
    expect((await screen.findByText(/Not known/)).textContent).toBe('Not known.\nCheck the host.');
    expect(host.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('Check the host.')).toBeTruthy();
    await user.type(host, '!');
    expect(screen.queryByText(/Check the host/)).toBeNull();
  });

  it('works before the service is saved', async () => {
    const { calls } = instance(services(), ({ path }) =>
      path.endsWith('_test') ? { body: { success: true } } : undefined,
    );
    const { user } = open('/services/create');
    await user.click(await screen.findByRole('button', { name: /^MySQL/ }));
    await user.click(screen.getByRole('link', { name: 'Config' }));
    await user.click(button('Test connection'));
    await screen.findByText('It works: the connection was made.');
    expect(calls.at(-1)).toMatchObject({
      path: 'system/service/_test',
      body: { type: 'mysql', config: { port: 3306 } },
    });
  });
});

describe('the definition', () => {
  it('is edited in json or yaml (SVC-006, SVC-009, SVC-056, OPEN-155)', async () => {
    const { calls } = instance();
    const { user } = open('/services/7/definition');
    const editor = await screen.findByRole('textbox', { name: 'Service Definition' });
    expect(editor.getAttribute('aria-readonly')).toBeNull();
    expect(editor.closest<HTMLElement>('[style*="height"]')?.getAttribute('style')).toContain('100dvh - 400px');
    await user.upload(
      document.querySelector<HTMLInputElement>('input[type="file"]')!,
      new File(['openapi: 3.1.0'], 'api.yml'),
    );
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('radio', { name: 'YAML' }).checked).toBe(true));
    await user.click(button('Save'));
    await screen.findByText('Service updated successfully');
    expect(calls.find(({ method }) => method === 'PUT')!.body).toMatchObject({
      service_doc_by_service_id: { content: 'openapi: 3.1.0', format: 1 },
    });
  });

  const byHand = ['rws', 'nodejs', 'php', 'python', 'v8js'];
  const types = serviceTypes.filter(({ singleton }) => !singleton).map(({ name }) => name);
  it.each([
    ...byHand.map((type) => [type, true] as const),
    ...types.filter((type) => !byHand.includes(type)).map((type) => [type, false] as const),
  ])('of %s can be edited: %s (SVC-055)', async (type, isEditable) => {
    sessionState.set({
      ...sessionState.get(),
      environment: anEnvironment({ platform: { license: 'GOLD', bitnami_demo: false, is_hosted: false } }),
    });
    instance([{ ...services()[1]!, type, config: {} }]);
    open('/services/5/definition');
    const editor = await screen.findByRole('textbox', { name: 'Service Definition' });
    await waitFor(() => expect(editor.getAttribute('aria-readonly')).toBe(isEditable ? null : 'true'));
    expect(document.querySelector('input[type="file"]') !== null).toBe(isEditable);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'JSON' }).disabled).toBe(!isEditable);
  });
});
