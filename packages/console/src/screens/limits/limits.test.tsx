import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeResponse, type RecordedCall, refusal } from '../../api/testing.ts';
import type { Row } from '../../list/index.ts';
import { fakeInstanceOf, openPage, queryOf, signIn } from '../../list/testing.tsx';
import { LimitsScreen } from './index.tsx';

const counter = (id: number, attempts: number, max: number, key = `key ${id}`) => ({
  id,
  key,
  max,
  attempts,
  remaining: max - attempts,
});

const aLimit = (id: number, more: Row): Row => ({
  id,
  type: 'instance',
  key_text: `key ${id}`,
  rate: 60,
  period: 'minute',
  user_id: null,
  role_id: null,
  service_id: null,
  name: `limit ${id}`,
  description: null,
  is_active: true,
  endpoint: null,
  verb: null,
  service_by_service_id: null,
  role_by_role_id: null,
  user_by_user_id: null,
  limit_cache_by_limit_id: [],
  ...more,
});

const ofPeople = [
  counter(4, 45, 60, 'instance.each_user:7.service:5.hour'),
  counter(4, 12, 60, 'instance.each_user:8.service:5.hour'),
  counter(4, 0, 60, 'instance.each_user:9.service:5.hour'),
];

const limits = (): Row[] => [
  aLimit(3, { name: 'every', limit_cache_by_limit_id: [counter(3, 57, 60)] }),
  aLimit(4, {
    name: 'each',
    type: 'instance.each_user.service',
    period: 'hour',
    service_id: 5,
    service_by_service_id: { id: 5, name: 'db' },
    limit_cache_by_limit_id: ofPeople,
  }),
  aLimit(5, {
    name: 'ann',
    type: 'instance.user',
    period: '7-day',
    rate: 2000,
    user_id: 7,
    user_by_user_id: { id: 7, name: 'Ann' },
    is_active: false,
    limit_cache_by_limit_id: [counter(5, 0, 2000)],
  }),
];

const choices: Record<string, Row[]> = {
  'system/user': [
    { id: 7, name: 'Ann', email: 'ann@example.com' },
    { id: 8, name: 'Bob', email: 'bob@example.com' },
  ],
  'system/role': [{ id: 2, name: 'clerk' }],
  'system/service': [
    { id: 5, name: 'db', label: 'Shop' },
    { id: 6, name: 'files', label: 'files' },
  ],
};

type Other = (call: RecordedCall) => FakeResponse | undefined;

const instance = ({
  rows = limits(),
  hasLimits = true,
  other = () => undefined,
}: {
  rows?: Row[];
  hasLimits?: boolean;
  other?: Other;
} = {}) =>
  fakeInstanceOf('limit', rows, (call) => {
    const response = other(call);
    if (response) return response;
    const [path = ''] = call.path.split('?');
    if (path === 'system') return { body: { resource: [{ name: 'user' }, ...(hasLimits ? [{ name: 'limit' }] : [])] } };
    if (path === 'system/limit_cache') {
      const ids = queryOf(call).ids?.split(',').map(Number) ?? [];
      if (call.method === 'DELETE') return { body: { resource: ids.map((id) => ({ id })) } };
      return {
        body: {
          resource: rows.filter(({ id }) => ids.includes(id as number)).flatMap((row) => row.limit_cache_by_limit_id),
        },
      };
    }
    const records = choices[path];
    if (records) return { body: { resource: records, meta: { count: records.length } } };
    if (path === 'db/')
      return { body: { resource: ['', '*', '_table/', '_table/*', '_table/contact/', '_table/contact/*'] } };
    return undefined;
  });

const open = (address: string) => openPage(address, [{ path: '/limits/*', element: <LimitsScreen /> }]);
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const written = (calls: RecordedCall[], method: string) => calls.find((call) => call.method === method);
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('link')[0]?.textContent);
beforeEach(signIn);

describe('the list of limits', () => {
  it('has its columns and cells (LIM-002, LIM-011, OPEN-181, OPEN-182, OPEN-185, C-LIM-01, C-LIM-02, C-LIM-03)', async () => {
    const { calls } = instance();
    open('/limits');
    await screen.findByRole('link', { name: 'each' });
    const heads = screen.getAllByRole('columnheader').map((head) => head.textContent);
    expect(heads.filter(Boolean)).toEqual([
      'ID',
      'Limit Name',
      'Limit Type',
      'Limit Rate',
      'Limit Counter',
      'User',
      'Service',
      'Role',
      'Active',
    ]);
    const cells = screen.getAllByRole('row').map((row) =>
      within(row)
        .queryAllByRole('cell')
        .slice(1, -1)
        .map((cell) => cell.textContent),
    );
    expect(cells.slice(1)).toEqual([
      ['3', 'every', 'Instance', '60 / Minute', '57 / 60', '', '', '', 'Active'],
      ['4', 'each', 'Service by Each User', '60 / Hour', '57 by 2max 45 / 60', '', 'db', '', 'Active'],
      ['5', 'ann', 'User', '2,000 / Week', '0 / 2,000', 'Ann', '', '', 'Inactive'],
    ]);
    const bars = screen.getAllByRole('meter').map((bar) => [bar.getAttribute('aria-valuenow'), bar.dataset.tone]);
    expect(bars).toEqual([
      ['95', 'danger'],
      ['75', 'warning'],
      ['0', 'calm'],
    ]);
    expect(calls.some(({ path }) => path === 'system')).toBe(true);
    expect(queryOf(calls.find(({ path }) => path.startsWith('system/limit?'))!)).toEqual({
      limit: '100',
      order: 'id asc',
      related: 'service_by_service_id,role_by_role_id,user_by_user_id,limit_cache_by_limit_id',
      include_count: 'true',
    });
    for (const path of Object.keys(choices)) expect(calls.some((call) => call.path.startsWith(`${path}?`))).toBe(true);
  });

  it('sorts by what the server does not know, and turns it round (LIM-003)', async () => {
    const { calls } = instance();
    const { user, currentAddress } = open('/limits');
    await screen.findByRole('link', { name: 'each' });
    await user.click(button('Limit Counter'));
    await waitFor(() => expect(names()).toEqual(['ann', 'each', 'every']));
    await user.click(button('Limit Counter'));
    await waitFor(() => expect(names()).toEqual(['every', 'each', 'ann']));
    expect(currentAddress()).toBe('/limits?order=limit_cache_by_limit_id+desc');
    await user.click(button('User'));
    await waitFor(() => expect(names()).toEqual(['ann', 'every', 'each']));
    await user.click(button('Limit Name'));
    await waitFor(() => expect(names()).toEqual(['ann', 'each', 'every']));
    const orders = calls.filter(({ path }) => path.startsWith('system/limit?')).map((call) => queryOf(call).order);
    expect([...new Set(orders)]).toEqual(['id asc', 'name asc']);
  });

  it('resets one, those selected, and all of them, after a question (LIM-036, LIM-044, LIM-045, LIM-048, LIM-049, C-LIM-08, C-LIM-09)', async () => {
    const { calls } = instance();
    const { user } = open('/limits');
    await screen.findByRole('link', { name: 'each' });
    const answer = async (question: string) => {
      const dialog = await screen.findByRole('dialog', { name: question });
      await user.click(within(dialog).getByRole('button', { name: 'Reset' }));
    };
    await user.click(button('Reset limit Counter of every'));
    await answer('Clear counter for every?');
    expect(await screen.findByText('Limit counter successfully reset.')).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await user.click(button('Reset limit Counters'));
    await answer('Reset selected limits?');
    expect(await screen.findByText('Limit counters successfully reset.')).toBeTruthy();
    await user.click(button('Reset all counters'));
    await answer('Reset the counters of all limits?');
    await waitFor(() =>
      expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
        'system/limit_cache?ids=3',
        'system/limit_cache?ids=3%2C4%2C5',
        'system/limit_cache?force=true',
      ]),
    );
  });

  it('looks at the counters of the page again and again, and not while it is hidden', async () => {
    let attempts = 57;
    const { calls } = instance({
      other: ({ path }) =>
        path.startsWith('system/limit_cache?') ? { body: { resource: [counter(3, attempts, 60)] } } : undefined,
    });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      open('/limits');
      await screen.findByText('57 / 60');
      attempts = 58;
      await act(() => vi.advanceTimersByTimeAsync(2_500));
      expect(await screen.findByText('58 / 60')).toBeTruthy();
      const looks = () => calls.filter(({ path }) => path.startsWith('system/limit_cache?'));
      expect(queryOf(looks()[0]!).ids).toBe('3,4,5');
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
      document.dispatchEvent(new Event('visibilitychange'));
      const before = looks().length;
      await act(() => vi.advanceTimersByTimeAsync(20_000));
      expect(looks().length).toBe(before);
    } finally {
      vi.restoreAllMocks();
      vi.useRealTimers();
      document.dispatchEvent(new Event('visibilitychange'));
    }
  });

  it('is empty with its own words, and says when it could not be read (LIM-039)', async () => {
    instance({ rows: [] });
    const { unmount } = open('/limits');
    expect(await screen.findByText('You have no Limits!')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Reset all counters' })).toBe(null);
    unmount();
    instance({ other: ({ path }) => (path.startsWith('system/limit?') ? refusal(500, 'It broke.') : undefined) });
    open('/limits');
    const message =
      'There was an error loading data for the Limits tab. Please try refreshing your browser and logging in again.';
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
  });

  it('says that a subscription is needed where there are no limits (LIM-006, LIM-007, OPEN-180)', async () => {
    const { calls } = instance({ hasLimits: false });
    open('/limits/create');
    expect(await screen.findByText(/requires a Sluice GOLD product subscription/)).toBeTruthy();
    const tabs = ['Manage', 'Create'].map((name) => screen.getByRole('link', { name }).getAttribute('href'));
    expect(tabs).toEqual(['/limits', '/limits']);
    expect(calls.some(({ path }) => path.startsWith('system/limit'))).toBe(false);
  });
});

describe('the editor of a limit', () => {
  it('says what is wrong one at a time, beside the field and under its title (LIM-021, LIM-026)', async () => {
    const { calls } = instance();
    const { user } = open('/limits/create');
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Limit Create Error')).toBeTruthy();
    expect(screen.getAllByText('Please select a limit type.').length).toBe(2);
    expect(screen.getByText('1 field needs attention')).toBeTruthy();
    expect(written(calls, 'POST')).toBe(undefined);
  });

  it('changes one and closes (LIM-009, LIM-018, LIM-033, LIM-041, C-LIM-05)', async () => {
    const { calls } = instance();
    const { user, currentAddress, router } = open('/limits/4');
    const rate = await screen.findByRole('textbox', { name: 'Limit Rate' });
    expect(screen.queryByRole('button', { name: 'Save and Close' })).toBe(null);
    await user.clear(rate);
    await user.type(rate, '90');
    await user.click(button('Save'));
    expect(await screen.findByText('Limit updated successfully.')).toBeTruthy();
    expect(written(calls, 'PUT')!.body).toEqual({
      id: 4,
      name: 'each',
      description: null,
      type: 'instance.each_user.service',
      rate: 90,
      period: 'hour',
      user_id: null,
      service_id: 5,
      role_id: null,
      endpoint: null,
      verb: null,
      is_active: true,
    });
    await waitFor(() => expect(currentAddress()).toBe('/limits'));
    router.dispose();
  });

  it('shows the fullest counters with the names of their people', async () => {
    instance();
    open('/limits/4');
    const list = await screen.findByText('Ann');
    expect(list.closest('li')?.textContent).toBe('Ann45 / 60');
    expect(screen.getByText('Bob').closest('li')?.textContent).toBe('Bob12 / 60');
  });
});
