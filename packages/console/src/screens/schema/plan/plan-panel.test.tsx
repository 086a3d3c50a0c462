import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../../api/testing.ts';
import { openPage, signIn } from '../../../list/testing.tsx';
import type { SchemaWrite } from '../address/write.ts';
import { aService, aUsage, planOf } from './plan.fixture.ts';
import { PlanPanel } from './plan-panel.tsx';

beforeEach(signIn);

const aWrite = (label: string): SchemaWrite => ({ verb: 'PATCH', path: '_schema/thing', body: { label } });

/** A panel whose write the test edits. */
function openPanel(answer: (call: RecordedCall) => FakeResponse | Promise<FakeResponse>, ...others: string[]) {
  const services = [aService(), ...others];
  const calls = fakeInstance(answer);
  let setWrite: (write: SchemaWrite | null) => void = () => undefined;
  function Host() {
    const [write, set] = useState<SchemaWrite | null>(null);
    setWrite = set;
    return (
      <>
        <p>The form</p>
        {services.map((service) => (
          <PlanPanel key={service} service={service} write={write} />
        ))}
      </>
    );
  }
  const page = openPage('/schema', [{ path: '/schema', element: <Host /> }]);
  return { ...page, calls, edit: (write: SchemaWrite | null) => act(() => setWrite(write)) };
}

const panel = () => screen.findByRole('group', { name: 'What this change would do' });

describe('what a change would do', () => {
  it('is asked once a pause after the last edit, as the write would be sent', async () => {
    const { calls, edit } = openPanel(() => planOf({ statements: ['alter table thing add a'] }));
    await screen.findByText('The form');
    edit(aWrite('a'));
    edit(aWrite('ab'));
    edit({ verb: 'POST', path: '_schema', query: { fields: '*' }, body: { resource: [] } });
    expect(within(await panel()).getByText('Changes the database in one step')).toBeTruthy();
    expect(calls.map(({ method, path, body }) => [method, path.replace(/^shop-\d+/, 'shop'), body])).toEqual([
      ['POST', 'shop/_plan', { verb: 'POST', path: '_schema?fields=*', body: { resource: [] } }],
    ]);
  });

  it('is not asked without a write', async () => {
    const { calls, edit } = openPanel(() => planOf({}));
    await screen.findByText('The form');
    edit(aWrite('a'));
    edit(null);
    expect(screen.queryByText(/change would do/)).toBeNull();
    edit(aWrite('ab'));
    await panel();
    expect(calls.map(({ body }) => body)).toEqual([aWrite('ab')]);
  });

  it('keeps the old answer while the new one is worked out, and drops an overtaken one', async () => {
    const waiting: ((response: FakeResponse) => void)[] = [];
    const { calls, edit } = openPanel(() => new Promise((answer) => waiting.push(answer)));
    await screen.findByText('The form');
    edit(aWrite('a'));
    await waitFor(() => expect(calls).toHaveLength(1));
    waiting[0]?.(planOf({ losses: [{ field: 'note', records: 3 }] }));
    const head = await screen.findByText('Would lose 3 values of “note”');
    edit(aWrite('ab'));
    expect(head.isConnected).toBe(true);
    expect(screen.getByText('Being worked out again')).toBeTruthy();
    await waitFor(() => expect(calls).toHaveLength(2));
    edit(aWrite('abc'));
    await waitFor(() => expect(calls).toHaveLength(3));
    await act(async () => waiting[1]?.(planOf({ losses: [{ field: 'old', records: 3 }] })));
    await act(async () => waiting[2]?.(planOf({})));
    expect(await screen.findByText(/Changes only what Sluice says/)).toBeTruthy();
    expect(screen.queryByText('Being worked out again')).toBeNull();
  });

  it.each([
    [404, "Resource '_plan' not found for service 'shop'."],
    [405, 'POST requests are not supported.'],
    [501, 'Not implemented.'],
  ])('is silent for good on a server that answers %s', async (status, message) => {
    const other = aService();
    const { calls, edit } = openPanel(
      ({ path }) => (path === `${other}/_plan` ? planOf({ statements: ['select 1'] }) : refusal(status, message)),
      other,
    );
    await screen.findByText('The form');
    edit(aWrite('a'));
    await panel();
    edit({ verb: 'PATCH', path: '_schema/other' });
    // Both would ask at the same time.
    await waitFor(() => expect(calls.filter(({ path }) => path === `${other}/_plan`)).toHaveLength(2));
    expect(calls).toHaveLength(3);
    expect(screen.getAllByRole('group', { name: 'What this change would do' })).toHaveLength(1);
  });

  it('is asked again after a table was gone: that says nothing of plans', async () => {
    let response = refusal(404, 'Table "thing" does not exist in the database.');
    const { calls, edit } = openPanel(() => response);
    await screen.findByText('The form');
    edit(aWrite('a'));
    await waitFor(() => expect(calls).toHaveLength(1));
    response = planOf({ statements: ['alter table thing add a'] });
    edit(aWrite('ab'));
    expect(within(await panel()).getByText('Changes the database in one step')).toBeTruthy();
  });

  it('says what the write would be refused with; a 404 too, of a server that has plans', async () => {
    let response = refusal(400, "The name 'a' is already used in table 'thing'.");
    const { edit } = openPanel(() => response);
    await screen.findByText('The form');
    edit(aWrite('a'));
    const message = "This would be refused: The name 'a' is already used in table 'thing'.";
    expect(await screen.findByText(message)).toBeTruthy();
    response = refusal(404, 'Table "thing" does not exist in the database.');
    edit(aWrite('ab'));
    expect(await screen.findByText(/refused: Table "thing" does not exist/)).toBeTruthy();
  });

  it('can be asked again when the server was away', async () => {
    let response: FakeResponse = 'unreachable';
    const { edit, user } = openPanel(() => response);
    await screen.findByText('The form');
    edit(aWrite('a'));
    expect(await screen.findByText('What this would do could not be told now')).toBeTruthy();
    response = planOf({});
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/Changes only what Sluice says/)).toBeTruthy();
  });

  it('unfolds everything, and stays so for the person', async () => {
    const plan = planOf({
      statements: ['create table new', 'drop table thing'],
      undo: 'none',
      misfits: [{ field: 'rank', records: 2, problem: 'tooLong', text: "'rank' would be too small for 2 records" }],
      losses: [
        { field: 'note', records: 1 },
        { field: 'empty', records: 0 },
      ],
      used_by: [
        aUsage({ onRename: 'stays', detail: 'It is not changed.' }),
        aUsage({ kind: 'extras', id: 6, name: 'shop', detail: 'Says of the table: label.' }),
        aUsage({ kind: 'role', id: null, name: '…', detail: 'There are more places than are listed.' }),
      ],
    });
    const { edit, user, unmount } = openPanel(() => plan);
    await screen.findByText('The form');
    edit(aWrite('a'));
    const line = within(await panel()).getByRole('button', { name: /2 records do not fit “rank”/ });
    expect(line.getAttribute('aria-expanded')).toBe('false');
    await user.click(line);
    expect(screen.getByText("'rank' would be too small for 2 records")).toBeTruthy();
    expect(screen.getByText('1 value of “note”')).toBeTruthy();
    expect(screen.queryByText(/“empty”/)).toBeNull();
    expect(screen.getByText(/cannot take these steps back/)).toBeTruthy();
    expect(screen.getByRole('group', { name: 'SQL of the change' }).textContent).toBe(
      'create table new;\ndrop table thing;',
    );
    expect(screen.getByRole('link', { name: 'reader' }).getAttribute('href')).toBe('/roles/4');
    expect(screen.getByRole('link', { name: 'shop' }).getAttribute('href')).toBe('/services/6');
    expect(screen.queryByRole('link', { name: '…' })).toBeNull();
    const stays = screen.getByText('Stays as it is and has to be looked at');
    expect(stays.parentElement?.textContent).toContain('It is not changed.');
    expect(screen.getByText('Follows by itself').parentElement?.textContent).toContain('label.');

    unmount();
    const again = openPanel(() => plan);
    await screen.findByText('The form');
    again.edit(aWrite('b'));
    expect(await screen.findByRole('group', { name: 'SQL of the change' })).toBeTruthy();
  });

  it('sums up many tables, each unfolded by itself', async () => {
    const tables = Array.from({ length: 200 }, (_, index) => ({
      name: `table_${index}`,
      statements: [`create table table_${index}`],
    }));
    const { edit, user } = openPanel(() => planOf(...tables));
    await screen.findByText('The form');
    edit(aWrite('a'));
    await user.click(await screen.findByRole('button', { name: 'Changes 200 tables in 200 steps' }));
    expect(screen.getAllByRole('listitem')).toHaveLength(200);
    expect(screen.queryByRole('group', { name: 'SQL of the change' })).toBeNull();
    await user.click(screen.getByText('table_7'));
    expect(screen.getByRole('group', { name: 'SQL of the change' }).textContent).toBe('create table table_7;');
  });

  it('shows a thousand places a few at a time', async () => {
    const used_by = Array.from({ length: 1000 }, (_, index) => aUsage({ name: `role ${index}`, id: index }));
    const { edit, user } = openPanel(() => planOf({ used_by }));
    await screen.findByText('The form');
    edit(aWrite('a'));
    await user.click(await screen.findByRole('button', { name: /Changes only/ }));
    expect(screen.getAllByRole('link')).toHaveLength(50);
    await user.click(screen.getByRole('button', { name: 'Show all 1000 places' }));
    expect(screen.getAllByRole('link')).toHaveLength(1000);
  });
});
