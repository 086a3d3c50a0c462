import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeSession } from '../../../api/session-state.ts';
import { aSession, type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../../api/testing.ts';
import { openPage, signIn } from '../../../list/testing.tsx';
import { aService, aUsage, planOf } from './plan.fixture.ts';
import { UsedBy } from './used-by.tsx';

beforeEach(signIn);

function openUsedBy(answer: (call: RecordedCall) => FakeResponse) {
  const calls = fakeInstance(answer);
  const service = aService();
  const element = (
    <>
      <p>The form</p>
      <UsedBy service={service} table="thing" field="note" />
    </>
  );
  return { ...openPage('/schema', [{ path: '/schema', element }]), calls };
}

const unfold = () => screen.findByRole('button', { name: 'Used by' });

describe('used by', () => {
  it('asks what a drop would be told about when it is unfolded, and groups it', async () => {
    const { calls, user } = openUsedBy(() =>
      planOf({
        used_by: [
          aUsage({ kind: 'virtualRelation', id: 6, name: 'shop', detail: 'The relation b.' }),
          aUsage({ kind: 'recordFilter', detail: 'The record filter.' }),
        ],
      }),
    );
    const fold = await unfold();
    expect(calls).toEqual([]);
    await user.click(fold);
    expect((await screen.findByRole('link', { name: 'reader' })).getAttribute('href')).toBe('/roles/4');
    expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
      'Record filters of roles',
      'Virtual relations',
    ]);
    expect(calls.map(({ body }) => body)).toEqual([{ verb: 'DELETE', path: '_schema/thing/_field/note' }]);
  });

  it('says why a drop would be refused, and what a rename would be told about', async () => {
    const { calls, user } = openUsedBy(({ body }) =>
      (body as { verb: string }).verb === 'DELETE'
        ? refusal(400, "Table 'part' references it.")
        : planOf({ used_by: [aUsage({ kind: 'foreignKey', id: 6, name: 'shop' })] }),
    );
    await user.click(await unfold());
    expect(await screen.findByText("It cannot be dropped: Table 'part' references it.")).toBeTruthy();
    expect(screen.getByText('Foreign keys')).toBeTruthy();
    expect(calls[1]?.body).toEqual({
      verb: 'PATCH',
      path: '_schema/thing/_field/note',
      body: { new_name: 'note_' },
    });
  });

  it('says when nothing names it', async () => {
    const { user } = openUsedBy(() => planOf({}));
    await user.click(await unfold());
    expect(await screen.findByText(/Nothing else names it/)).toBeTruthy();
  });

  it('is for administrators alone', async () => {
    storeSession(aSession({ is_sys_admin: false }));
    openUsedBy(() => planOf({}));
    await screen.findByText('The form');
    expect(screen.queryByRole('button', { name: 'Used by' })).toBeNull();
  });

  it('says so on a server that does not tell', async () => {
    const { user } = openUsedBy(() => refusal(404, "Resource '_plan' not found."));
    await user.click(await unfold());
    expect(await screen.findByText('This server does not tell what names it.')).toBeTruthy();
  });

  it('can be asked again when it failed', async () => {
    let response = refusal(500, 'Oops.');
    const { user } = openUsedBy(() => response);
    await user.click(await unfold());
    const retry = await screen.findByRole('button', { name: 'Try again' });
    response = planOf({});
    await user.click(retry);
    expect(await screen.findByText(/Nothing else names it/)).toBeTruthy();
  });
});
