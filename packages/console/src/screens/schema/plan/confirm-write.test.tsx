import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../../api/testing.ts';
import { openPage, signIn } from '../../../list/testing.tsx';
import { dropTableWrite } from '../draft/table.ts';
import { confirmWrite } from './confirm-write.tsx';
import { aService, aUsage, planOf } from './plan.fixture.ts';

beforeEach(signIn);

function openQuestion(answer: (call: RecordedCall) => FakeResponse | Promise<FakeResponse>) {
  const calls = fakeInstance(answer);
  const page = openPage('/schema', [{ path: '/schema', element: <p>The form</p> }]);
  const service = aService();
  const ask = () =>
    confirmWrite({
      service,
      write: dropTableWrite('thing'),
      message: 'Are you sure you want to drop table thing?',
      confirmLabel: 'Drop',
    });
  return { ...page, calls, ask };
}

const dropButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Drop' });

describe('the question before a drop', () => {
  it('says what is lost and who names it, and asks for the name when records are lost', async () => {
    const { ask, calls, user } = openQuestion(() =>
      planOf({
        statements: ['drop table thing'],
        losses: [{ field: null, records: 12 }],
        used_by: [aUsage(), aUsage({ kind: 'extras', name: 'shop', onDrop: 'removed', detail: 'Says: label.' })],
      }),
    );
    const answered = ask();
    const button = await dropButton();
    expect(screen.getByText('Are you sure you want to drop table thing?')).toBeTruthy();
    expect(screen.getByText('Would lose all 12 records of “thing”')).toBeTruthy();
    expect(screen.getByText('Stays as it is and has to be looked at')).toBeTruthy();
    expect(screen.getByText('Goes with it').parentElement?.textContent).toContain('Says: label.');
    expect(button.disabled).toBe(true);
    await user.type(screen.getByLabelText('Type thing to go on'), 'thing');
    await user.click(button);
    expect(await answered).toBe(true);
    expect(calls.map(({ body }) => body)).toEqual([{ verb: 'DELETE', path: '_schema/thing' }]);
  });

  it('asks for no name when nothing is lost', async () => {
    const { ask, user } = openQuestion(() => planOf({ statements: ['drop table thing'] }));
    const answered = ask();
    const button = await dropButton();
    expect(screen.queryByRole('textbox')).toBeNull();
    await user.click(button);
    expect(await answered).toBe(true);
  });

  it('says that the drop would be refused, and leaves it to the person', async () => {
    const { ask, user } = openQuestion(() => refusal(400, 'The foreign key of part leads here.'));
    const answered = ask();
    const button = await dropButton();
    expect(screen.getByText('This would be refused: The foreign key of part leads here.')).toBeTruthy();
    expect(button.disabled).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await answered).toBe(false);
  });

  it('is the plain one on a server without plans', async () => {
    const { ask, user } = openQuestion(() => refusal(404, "Resource '_plan' not found."));
    const answered = ask();
    await user.click(await dropButton());
    expect(screen.queryByText(/would/)).toBeNull();
    expect(await answered).toBe(true);
  });

  it('does not wait for a slow plan, which comes into the open dialog', async () => {
    let tell: (response: FakeResponse) => void = () => undefined;
    const { ask, user } = openQuestion(() => new Promise((answer) => (tell = answer)));
    const answered = ask();
    const button = await dropButton();
    expect(screen.getByText('Working out what this change would do')).toBeTruthy();
    expect(button.disabled).toBe(false);
    tell(planOf({ losses: [{ field: null, records: 1 }] }));
    expect(await screen.findByText('Would lose the only record of “thing”')).toBeTruthy();
    await user.click(button);
    expect(await answered).toBe(true);
  });

  it('is asked once when pressed twice', async () => {
    const { ask, user } = openQuestion(() => planOf({ statements: ['drop table thing'] }));
    const [first, second] = [ask(), ask()];
    expect(await first).toBe(false);
    await user.click(await dropButton());
    expect(await second).toBe(true);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
