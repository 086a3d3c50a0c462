import type { ExplainRequest, Explanation } from '@sluice/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeSession } from '../api/session-state.ts';
import { aSession, type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../api/testing.ts';
import { openPage, signIn } from '../list/testing.tsx';
import { ExplainPanel } from './explain-panel.tsx';

const row = (id: number, changes: Partial<Explanation['rows'][number]> = {}) => ({
  id,
  number: id,
  service: 'db',
  component: '_table/*',
  verb_mask: 1,
  requestor_mask: 1,
  counts: true,
  why: 'counts' as const,
  ...changes,
});

const explanation = (changes: Partial<Explanation> = {}): Explanation => ({
  allowed: true,
  refusal: null,
  caller: {
    kind: 'user',
    user: { id: 4, name: 'Bo', email: 'bo@example.com', is_active: true },
    app: { id: 5, name: 'shop', is_active: true },
    role: { id: 2, name: 'reader', is_active: true },
    role_from: 'user',
  },
  call: {
    verb: 'GET',
    requestor: 'API',
    service: 'db',
    component: '_table/contact',
    service_id: 3,
    service_type: 'sqlite',
    service_is_active: true,
  },
  decided_by: 'wildcard',
  verb_mask: 1,
  verbs: ['GET'],
  rows: [row(1), row(2, { component: '*', counts: false, why: 'outranked', service: null })],
  filter: null,
  record: null,
  reasons: ['Bo has the role reader.', 'Row 1 grants GET.'],
  ...changes,
});

function instance(answer: (request: ExplainRequest) => FakeResponse = () => ({ body: explanation() })) {
  const calls = fakeInstance((call: RecordedCall) => {
    const [path] = call.path.split('?');
    if (path === 'system/access/explain') return answer(call.body as ExplainRequest);
    if (path === '')
      return {
        body: {
          services: [
            { name: 'db', label: 'Database' },
            { name: 'files', label: 'Files' },
          ],
        },
      };
    if (path === 'db')
      return { body: { resource: ['', '*', '_table/', '_table/*', '_table/contact/', '_table/contact/*'] } };
    if (path === 'system/app')
      return {
        body: {
          resource: [
            { id: 5, name: 'shop' },
            { id: 1, name: 'admin' },
          ],
        },
      };
    if (path === 'system/user/4')
      return { body: { id: 4, user_to_app_to_role_by_user_id: [{ app_id: 5, role_id: 2 }] } };
    return refusal(404, 'Not found.');
  });
  return { requests: () => calls.filter(({ path }) => path === 'system/access/explain').map(({ body }) => body) };
}

const open = (subject: Parameters<typeof ExplainPanel>[0]['subject'], search = '', isDirty = false) =>
  openPage(`/roles/2/explain${search}`, [
    { path: '/roles/2/explain', element: <ExplainPanel subject={subject} isDirty={isDirty} /> },
  ]);

beforeEach(signIn);

describe('asking', () => {
  it('asks for nothing until a service is chosen, then once typing rests, and the address holds the question', async () => {
    const { requests } = instance();
    const { user, currentAddress } = open({ role_id: 2 });
    expect(screen.getByText('Choose a service to see what happens and why.')).toBeTruthy();
    await user.click(screen.getByRole('combobox', { name: 'Service' }));
    await user.click(await screen.findByRole('option', { name: 'db · Database' }));
    await user.type(screen.getByRole('combobox', { name: 'Path below the service' }), '_table/contact');
    await waitFor(() => expect(currentAddress()).toBe('/roles/2/explain?path=db%2F_table%2Fcontact'));
    await waitFor(() =>
      expect(requests().at(-1)).toEqual({ role_id: 2, verb: 'GET', requestor: 'API', path: 'db/_table/contact' }),
    );
    expect(requests().length).toBeLessThan(4);
  });

  it('begins with the question of the address, for a person through an app they have a role for', async () => {
    const { requests } = instance();
    open({ user_id: 4 }, '?verb=DELETE&path=db/_table/contact&by=SCRIPT');
    expect(await screen.findByText('Allowed')).toBeTruthy();
    expect(requests()).toEqual([
      { user_id: 4, app_id: 5, verb: 'DELETE', requestor: 'SCRIPT', path: 'db/_table/contact' },
    ]);
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Through the app' }).value).toBe('shop');
  });

  it('sends a record of a table once it can be read, and says when it cannot', async () => {
    const { requests } = instance();
    const { user } = open({ role_id: 2 }, '?path=db/_table/contact');
    await screen.findByText('Allowed');
    const record = screen.getByRole('textbox', { name: 'A record, as JSON' });
    await user.click(record);
    await user.paste('{"id":');
    expect(await screen.findByText('This is not a JSON object.')).toBeTruthy();
    expect(screen.getByText('Allowed')).toBeTruthy();
    await user.paste('7}');
    await waitFor(() => expect(requests().at(-1)).toMatchObject({ record: { id: 7 } }));
    expect(requests()).toHaveLength(2);
  });

  it('asks at once with Enter, which saves nothing', async () => {
    const { requests } = instance();
    const { user } = open({ role_id: 2 }, '?path=db');
    await screen.findByText('Allowed');
    await user.type(screen.getByRole('combobox', { name: 'Path below the service' }), 'x{Enter}');
    await waitFor(() => expect(requests().at(-1)).toMatchObject({ path: 'db/x' }));
  });
});

describe('the answer', () => {
  it('says the verdict, the way to it row by row, and the sentences', async () => {
    instance();
    open({ role_id: 2 }, '?path=db/_table/contact');
    const verdict = (await screen.findByText('Allowed')).closest('[role="status"]')!;
    expect(verdict.textContent).toContain('GET /api/v2/db/_table/contact');
    expect(screen.getByText('their own for this app')).toBeTruthy();
    const rows = within(screen.getByRole('table', { name: 'Rows of the role' })).getAllByRole('row');
    expect(rows[1]!.textContent).toContain('Its verbs count');
    expect(rows[2]!.textContent).toContain('all services');
    expect(rows[2]!.textContent).toContain('A closer match decided');
    expect(screen.getByText('GET: granted')).toBeTruthy();
    expect(screen.getByText('DELETE: not granted')).toBeTruthy();
    expect(screen.getByText('Row 1 grants GET.')).toBeTruthy();
    // The page is the role's own: no link leads to where one is.
    expect(screen.queryByRole('link', { name: 'reader' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Bo' }).getAttribute('href')).toBe('/users/4');
  });

  it('gives a refusal with its exact text and status, and the filter with its lookups filled in', async () => {
    instance(() => ({
      body: explanation({
        allowed: false,
        refusal: { status: 403, message: 'Access Forbidden. No.' },
        filter: {
          row_id: 31,
          row_number: 1,
          filter_op: 'AND',
          conditions: [{ name: 'owner', operator: '=', value: '{user.id}', filled: 4 }],
          text: '(owner = 4)',
        },
        record: { passes: false, text: 'owner is 5.' },
      }),
    }));
    open({ role_id: 2 }, '?path=db/_table/contact');
    expect(await screen.findByText('Refused with 403')).toBeTruthy();
    expect(screen.getByText('Access Forbidden. No.')).toBeTruthy();
    const conditions = screen.getByRole('table', { name: 'Record filter' });
    expect(conditions.textContent).toContain('{user.id}');
    expect(conditions.textContent).toContain('4');
    expect(screen.getByText('from row 1')).toBeTruthy();
    expect(screen.getByText('It does not pass')).toBeTruthy();
  });

  it('lists the first rows of many and the rest when asked', async () => {
    instance(() => ({ body: explanation({ rows: Array.from({ length: 30 }, (_, index) => row(index + 1)) }) }));
    const { user } = open({ role_id: 2 }, '?path=db');
    await user.click(await screen.findByRole('button', { name: 'Show 22 more rows' }));
    expect(within(screen.getByRole('table', { name: 'Rows of the role' })).getAllByRole('row')).toHaveLength(31);
  });

  it('shows in place why there is none', async () => {
    instance(() => refusal(404, 'There is no such role.'));
    open({ role_id: 2 }, '?path=db');
    expect((await screen.findByRole('alert')).textContent).toContain('There is no such role.');
  });
});

describe('who asks', () => {
  it('must be an administrator', () => {
    storeSession(aSession({ is_sys_admin: false }));
    const { requests } = instance();
    open({ role_id: 2 }, '?path=db');
    expect(screen.getByText('Only administrators can ask what others may do.')).toBeTruthy();
    expect(requests()).toEqual([]);
  });

  it('says that it explains the saved state', async () => {
    instance();
    const dirty = open({ role_id: 2 }, '?path=db', true);
    expect(screen.getByText(/The answer speaks of what is saved/)).toBeTruthy();
    dirty.unmount();
    open({});
    expect(screen.getByText(/Save first/)).toBeTruthy();
  });
});
