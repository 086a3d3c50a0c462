import { jobStates } from '@sluice/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeResponse, type RecordedCall, refusal } from '../../api/testing.ts';
import type { Row } from '../../list/index.ts';
import { fakeInstanceOf, openPage, queryOf, signIn } from '../../list/testing.tsx';
import { JobsScreen } from './index.tsx';
import { addressOf, readSchedule, readShownState } from './job-state.ts';

const job = (id: number, more: Row = {}): Row => ({
  id,
  name: 'mail',
  state: 'failed',
  attempts: 8,
  run_at: '2026-11-20T10:00:00.000Z',
  schedule: null,
  subject: null,
  error: 'The mail server does not answer.',
  created_date: '2026-11-19T10:00:00.000Z',
  ...more,
});
const waiting = (id: number, more: Row = {}) => job(id, { state: 'waiting', attempts: 0, error: null, ...more });
const running = (id: number, more: Row = {}) => job(id, { state: 'running', attempts: 1, error: null, ...more });

/** An instance with jobs, which answers filters by state, id and name, and refuses to change what is running. */
function fakeJobs(initial: Row[], override: (call: RecordedCall) => FakeResponse | undefined = () => undefined) {
  let jobs = [...initial];
  const change = ({ method, body }: RecordedCall): FakeResponse => {
    const ids = (body as { resource: { id: number }[] }).resource.map(({ id }) => id);
    const isRunning = (id: number) => jobs.find((each) => each.id === id)?.state === 'running';
    const resource = ids.map((id) => (isRunning(id) ? { code: 409, message: `#${id} is being worked on.` } : { id }));
    const done = ids.filter((id) => !isRunning(id));
    jobs =
      method === 'DELETE'
        ? jobs.filter(({ id }) => !done.includes(id as number))
        : jobs.map((each) => (done.includes(each.id as number) ? { ...each, state: 'waiting', attempts: 0 } : each));
    const error = ids.flatMap((id, index) => (isRunning(id) ? [index] : []));
    return error.length === 0 ? { body: { resource } } : refusal(400, 'Batch Error.', { error, resource }, 1000);
  };
  const { calls } = fakeInstanceOf('job', [], (call) => {
    const refused = override(call);
    if (refused) return refused;
    if (!call.path.startsWith('system/job?')) return undefined;
    if (call.method !== 'GET') return change(call);
    const { filter = '', limit, offset = 0 } = queryOf(call);
    const state = /state = "(\w+)"/.exec(filter)?.[1];
    const after = Number(/id > (\d+)/.exec(filter)?.[1] ?? 0);
    const name = /%(.*?)%/.exec(filter)?.[1] ?? '';
    const found = jobs.filter(
      (each) => (!state || each.state === state) && (each.id as number) > after && (each.name as string).includes(name),
    );
    const [from, size] = [Number(offset), Number(limit)];
    return { body: { resource: found.slice(from, from + size), meta: { count: found.length } } };
  });
  return {
    calls,
    change: (next: (jobs: Row[]) => Row[]) => {
      jobs = next(jobs);
    },
    of: (method: string) => calls.filter((call) => call.method === method && call.path.startsWith('system/job')),
  };
}

const open = (address: string) => openPage(address, [{ path: '/jobs/*', element: <JobsScreen /> }]);
const links = () => [...document.querySelectorAll<HTMLElement>('[data-row-link]')];
const names = () => links().map(({ textContent }) => textContent);
/** Waits for the row of a job. */
const rowOf = (name: string) =>
  waitFor(() => {
    expect(names()).toContain(name);
    return links()[names().indexOf(name)]?.closest('tr') as HTMLElement;
  });
const goes = (name: string) => waitFor(() => expect(names()).not.toContain(name));
const tab = (name: RegExp) => screen.getByRole('link', { name });

beforeEach(signIn);
afterEach(() => void vi.useRealTimers());

describe('the place', () => {
  it('is a state, the name that is searched for, and a page', () => {
    expect(readShownState(new URLSearchParams('state=failed'))).toBe('failed');
    expect(readShownState(new URLSearchParams('state=constructor'))).toBe('all');
    expect(addressOf('failed', new URLSearchParams('page=3&filter=mail&state=waiting'))).toBe(
      '/jobs?filter=mail&state=failed',
    );
    expect(addressOf('all', new URLSearchParams('state=failed'))).toBe('/jobs');
  });

  it.each([
    ['37 * * * *', { kind: 'hourly', minute: '37' }],
    ['41 3 * * *', { kind: 'daily', time: '03:41' }],
    ['*/5 * * * *', { kind: 'minutes', count: 5 }],
    ['* * * * *', { kind: 'minutes', count: 1 }],
    ['*/7 * * * *', { kind: 'other' }],
    ['0 3 * * 1', { kind: 'other' }],
    ['1,2 * * * *', { kind: 'other' }],
    ['nonsense', { kind: 'other' }],
  ])('reads the schedule %s', (cron, expected) => expect(readSchedule(cron)).toEqual(expected));
});

describe('the list', () => {
  it('says what waits, runs and failed: when it is due, how often it was tried, and why it failed', async () => {
    const { calls } = fakeJobs([
      job(1),
      running(2),
      waiting(3, { name: 'purge audit', schedule: '37 * * * *' }),
      waiting(4, { name: 'other', schedule: '0 3 * * 1' }),
    ]);
    open('/jobs');
    const failed = await rowOf('mail #1');
    for (const words of ['Failed', '8 times', 'The mail server does not answer.'])
      expect(failed.textContent).toContain(words);
    expect(failed.querySelector('time')?.dateTime).toBe('2026-11-20T10:00:00.000Z');
    expect((await rowOf('mail #2')).textContent).toContain('Once');
    expect(within(await rowOf('mail #2')).queryByRole('button')).toBeNull();
    expect((await rowOf('purge audit #3')).textContent).toContain('Every hour at minute 37');
    expect((await rowOf('purge audit #3')).textContent).toContain('Not yet');
    expect((await rowOf('other #4')).textContent).toContain('0 3 * * 1');
    const first = queryOf(calls.find(({ path }) => path.includes('limit=100')) as RecordedCall);
    expect(first).toEqual({ limit: '100', order: 'state asc, run_at desc, id desc', include_count: 'true' });
    await waitFor(() => expect(tab(/^All/).textContent).toBe('All (4)'));
    expect([/^Failed/, /^Waiting/, /^Running/].map((name) => tab(name).textContent)).toEqual([
      'Failed (1)',
      'Waiting (2)',
      'Running (1)',
    ]);
  });

  it('shows one state, in its own order, and is searched by name', async () => {
    const { calls } = fakeJobs([job(1), waiting(2), waiting(3, { name: 'purge audit' })]);
    const { user, currentAddress } = open('/jobs?page=2');
    await user.click(await screen.findByRole('link', { name: /^Waiting/ }));
    expect(currentAddress()).toBe('/jobs?state=waiting');
    expect(tab(/^Waiting/).getAttribute('aria-current')).toBe('page');
    expect(tab(/^All/).getAttribute('aria-current')).toBeNull();
    await rowOf('mail #2');
    await goes('mail #1');
    await user.type(screen.getByRole('searchbox', { name: 'Filter jobs by name or script' }), 'purge{Enter}');
    await goes('mail #2');
    expect(currentAddress()).toBe('/jobs?state=waiting&filter=purge');
    expect(queryOf(calls.findLast(({ path }) => path.includes('limit=100')) as RecordedCall)).toMatchObject({
      filter: '(state = "waiting") and ((name like "%purge%") or (subject like "%purge%"))',
      order: 'run_at asc, id asc',
    });
    await waitFor(() => expect(tab(/^Waiting/).textContent).toBe('Waiting (1)'));
    expect(tab(/^Failed/).getAttribute('href')).toBe('/jobs?state=failed&filter=purge');
  });

  it('says which script a job is about', async () => {
    fakeJobs([job(1, { name: 'queued script', subject: 'shop._table.item.post.queued' })]);
    open('/jobs');
    expect((await rowOf('queued script #1')).textContent).toContain('shop._table.item.post.queued');
  });

  it('has pages', async () => {
    const { calls } = fakeJobs(Array.from({ length: 101 }, (_, index) => job(index + 1)));
    open('/jobs?state=failed&page=2');
    await rowOf('mail #101');
    expect(screen.getByText('101–101 of 101')).toBeTruthy();
    expect(queryOf(calls.find(({ path }) => path.includes('limit=100')) as RecordedCall)).toMatchObject({
      offset: '100',
      order: 'run_at desc, id desc',
    });
  });

  it('shows all of a long reason on demand', async () => {
    fakeJobs([job(1, { error: 'x'.repeat(900) })]);
    const { user } = open('/jobs');
    const more = await screen.findByRole('button', { name: 'Show all of it' });
    await user.click(more);
    expect(screen.getByRole('button', { name: 'Show less' }).getAttribute('aria-expanded')).toBe('true');
  });

  it('is read again by itself, and keeps what is ticked and what has the focus', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { change } = fakeJobs([job(1), job(2), waiting(3)]);
    open('/jobs');
    const tick = within(await rowOf('mail #2')).getByRole<HTMLInputElement>('checkbox');
    act(() => {
      tick.click();
      tick.focus();
    });
    change((jobs) => [...jobs.slice(1, 2), job(9), ...jobs.slice(2)]);
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    await rowOf('mail #9');
    expect(names()).not.toContain('mail #1');
    expect(tick.checked && tick.isConnected).toBe(true);
    expect(document.activeElement).toBe(tick);
    expect(screen.getByText('1 selected')).toBeTruthy();
  });

  it.each([
    ['', 'Nothing waits and nothing failed'],
    ['?state=failed', 'Nothing failed'],
    ['?state=waiting', 'Nothing waits'],
    ['?state=running', 'Nothing runs'],
    ['?filter=x', 'No job matches “x”.'],
  ])('may be empty at /jobs%s', async (query, words) => {
    fakeJobs([]);
    open(`/jobs${query}`);
    expect(await screen.findByRole('heading', { name: words })).toBeTruthy();
  });

  it('fails in words of its own', async () => {
    fakeJobs([], () => refusal(500, 'It broke.'));
    open('/jobs');
    expect(await screen.findByText('The jobs could not be loaded.')).toBeTruthy();
    expect(screen.getByText('It broke.')).toBeTruthy();
  });

  it('says which permission is missing, and goes home', async () => {
    fakeJobs([], () => refusal(403, 'Access Forbidden.'));
    open('/jobs');
    expect(await screen.findByText('Home is here')).toBeTruthy();
    expect(screen.getByText(/GET access to system\/job/)).toBeTruthy();
  });
});

describe('trying again', () => {
  it('has one job begin again', async () => {
    const { of } = fakeJobs([job(1), job(2)]);
    const { user } = open('/jobs?state=failed');
    await user.click(await screen.findByRole('button', { name: 'Try mail #1 again' }));
    expect(await screen.findByText('1 job begins again.')).toBeTruthy();
    await goes('mail #1');
    expect(of('PATCH').map(({ body }) => body)).toEqual([{ resource: [{ id: 1, state: 'waiting' }] }]);
    // The row in its place has the focus.
    expect((document.activeElement as HTMLElement).textContent).toBe('mail #2');
  });

  it('leaves what is refused as it is, with the reason at its place', async () => {
    const { change, of } = fakeJobs([job(1), job(2)]);
    const { user } = open('/jobs');
    await user.click(within(await rowOf('mail #1')).getByRole('checkbox'));
    await user.click(within(await rowOf('mail #2')).getByRole('checkbox'));
    change((jobs) => jobs.map((each) => (each.id === 2 ? { ...each, state: 'running' } : each)));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    const problem = await screen.findByText('1 job was left as it is: #2 is being worked on.');
    expect(problem.getAttribute('role')).toBe('alert');
    expect((await rowOf('mail #2')).textContent).toContain('#2 is being worked on.');
    expect((await rowOf('mail #1')).textContent).toContain('Waiting');
    expect(queryOf(of('PATCH')[0] as RecordedCall)).toEqual({ continue: 'true' });
    await user.click(within(problem.parentElement as HTMLElement).getByRole('button'));
    expect(problem.isConnected).toBe(false);
  });

  it('says why nothing of it was done', async () => {
    fakeJobs([job(1)], ({ method }) => (method === 'PATCH' ? refusal(503, 'The store is locked.') : undefined));
    const { user } = open('/jobs');
    await user.click(await screen.findByRole('button', { name: 'Try mail #1 again' }));
    expect((await screen.findByRole('alert')).textContent).toBe('This could not be done: The store is locked.');
  });

  it('has all that failed begin again, each once, after a question', async () => {
    const many = Array.from({ length: 450 }, (_, index) => job(index + 1));
    const { of } = fakeJobs([...many, waiting(900), running(901)]);
    // Whatever is shown.
    const { user } = open('/jobs?state=running');
    await user.click(await screen.findByRole('button', { name: 'Try all 450 failed again' }));
    const dialog = await screen.findByRole('dialog', { name: 'Try 450 failed jobs again?' });
    expect(dialog.textContent).toContain('a mail, for instance, is sent');
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('450 jobs begin again.')).toBeTruthy();
    const ids = of('PATCH').map(({ body }) => (body as { resource: { id: number }[] }).resource.map(({ id }) => id));
    expect(ids.map((some) => some.length)).toEqual([200, 200, 50]);
    expect(ids.flat()).toEqual(many.map(({ id }) => id));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Try all/ })).toBeNull());
  });
});

describe('removing', () => {
  it('says what is lost, and removes one', async () => {
    const { of } = fakeJobs([job(1), job(2)]);
    const { user } = open('/jobs');
    await user.click(await screen.findByRole('button', { name: 'Remove mail #1' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove mail #1?' });
    expect(dialog.textContent).toContain('What it was to do is never done');
    expect(of('DELETE')).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('1 job was removed.')).toBeTruthy();
    expect(of('DELETE')[0]?.body).toEqual({ resource: [{ id: 1 }] });
    await goes('mail #1');
  });

  it('leaves out what has a schedule', async () => {
    const { of } = fakeJobs([job(1), job(2), waiting(3, { name: 'purge audit', schedule: '37 * * * *' })]);
    const { user } = open('/jobs');
    expect(within(await rowOf('purge audit #3')).queryByRole('button', { name: /^Remove/ })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove 2 jobs?' });
    expect(dialog.textContent).toContain('The one with a schedule stays.');
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('2 jobs were removed.')).toBeTruthy();
    expect(of('DELETE')[0]?.body).toEqual({ resource: [{ id: 1 }, { id: 2 }] });
  });
});

it('knows every state of the contract', () => {
  for (const state of jobStates) expect(readShownState(new URLSearchParams({ state }))).toBe(state);
});
