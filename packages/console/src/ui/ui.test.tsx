import { undo } from '@codemirror/commands';
import { EditorView } from '@codemirror/view';
import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { theme } from '../theme/theme.ts';
import { CodeEditor } from './code-editor.tsx';
import { ask, confirm } from './confirm.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { DateText } from './date-text.tsx';
import { clearNotices, closeToast, noticeDetails, notices, notify } from './notify.ts';
import { SecretInput } from './secret-input.tsx';
import { Failed, Loading, NoMatch } from './states.tsx';
import { Toasts } from './toasts.tsx';

const show = (content: ReactNode) =>
  render(
    <MantineProvider theme={theme} env="test">
      {content}
    </MantineProvider>,
  );

beforeEach(() => {
  for (const { id } of notices.get().toasts) closeToast(id);
  clearNotices();
});
afterEach(() => vi.useRealTimers());

describe('toasts', () => {
  it('last 3 seconds (X-005), longer while hovered or focused', () => {
    vi.useFakeTimers();
    show(<Toasts />);
    act(() => notify.success('Saved.'));
    act(() => vi.advanceTimersByTime(2900));
    expect(screen.queryByText('Saved.')).not.toBeNull();
    fireEvent.mouseEnter(screen.getByText('Saved.').closest('[data-kind]')!);
    act(() => vi.advanceTimersByTime(10_000));
    expect(screen.queryByText('Saved.')).not.toBeNull();
    fireEvent.mouseLeave(screen.getByText('Saved.').closest('[data-kind]')!);
    act(() => vi.advanceTimersByTime(3100));
    expect(screen.queryByText('Saved.')).toBeNull();

    act(() => notify.success('Again.'));
    act(() => screen.getByRole('button', { name: 'Close this message' }).focus());
    act(() => vi.advanceTimersByTime(10_000));
    expect(screen.queryByText('Again.')).not.toBeNull();
  });

  it('keep errors in the tray, titled Api Error when nothing else is said (X-006, X-010)', () => {
    notify.success('Fine.');
    notify.error('', { message: 'm', messages: () => ['One.', 'Two.'], requestId: 'r-1', status: 400, code: 1000 });
    notify.error('Users', 'A sentence.');
    const { tray, unseen } = notices.get();
    expect(tray.map(({ title, messages }) => [title, messages])).toEqual([
      ['Users', ['A sentence.']],
      ['Api Error', ['One.', 'Two.']],
    ]);
    expect(unseen).toBe(2);
    expect(noticeDetails(tray[1]!)).toMatch(
      /^\d{4}-.*Z\nApi Error\nOne\.\nTwo\.\nHTTP 400\nCode 1000\nRequest id r-1$/,
    );
  });
});

describe('confirm', () => {
  it('answers yes, no and Escape', async () => {
    show(<ConfirmDialog />);
    for (const [press, answer] of [
      [() => userEvent.click(screen.getByRole('button', { name: 'OK' })), true],
      [() => userEvent.click(screen.getByRole('button', { name: 'Cancel' })), false],
      [() => userEvent.keyboard('{Escape}'), false],
    ] as const) {
      let confirmed: Promise<boolean> = Promise.resolve(false);
      act(() => {
        confirmed = confirm({ message: 'Delete Ada?', impact: '3 sessions are open.' });
      });
      expect(await screen.findByText('Delete Ada?')).toBeTruthy();
      expect(screen.getByText('3 sessions are open.')).toBeTruthy();
      await press();
      expect(await confirmed).toBe(answer);
    }
  });

  it('shows details under the question, which do not answer it', async () => {
    show(<ConfirmDialog />);
    let confirmed: Promise<boolean> = Promise.resolve(true);
    act(() => {
      confirmed = confirm({
        message: 'Drop it?',
        details: (
          <p>
            Loses 3 records. <button type="button">SQL</button>
          </p>
        ),
      });
    });
    const dialog = await screen.findByRole('dialog', { name: 'Drop it?' });
    const question = within(dialog).getByRole('heading', { name: 'Drop it?' });
    const details = screen.getByText('Loses 3 records.');
    expect(question.compareDocumentPosition(details)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await userEvent.click(screen.getByRole('button', { name: 'SQL' }));
    expect(question.isConnected).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await confirmed).toBe(false);
  });

  it('is not answered by Enter where something is lost', async () => {
    show(<ConfirmDialog />);
    const press = async (key: string, options: Parameters<typeof ask>[0]) => {
      let answered: Promise<string> = Promise.resolve('');
      act(() => {
        answered = ask(options);
      });
      await screen.findByRole('dialog', { name: options.message });
      await waitFor(() => expect(document.activeElement?.textContent).toBe(options.cancelLabel ?? 'Cancel'));
      await userEvent.keyboard(key);
      return answered;
    };
    expect(await press('{Enter}', { message: 'Delete it?', danger: true })).toBe('no');
    const unsaved = { message: 'Leave?', danger: true, cancelLabel: 'Stay', confirmLabel: 'Go', saveLabel: 'Save' };
    expect(await press('{Enter}', unsaved)).toBe('no');
    expect(await press('{Escape}', unsaved)).toBe('no');
    expect(await press('{Tab}{Enter}', unsaved)).toBe('save');
  });

  it('waits for the name to be typed', async () => {
    show(<ConfirmDialog />);
    let confirmed: Promise<boolean> = Promise.resolve(false);
    act(() => {
      confirmed = confirm({ message: 'Delete?', danger: true, typeToConfirm: 'crm' });
    });
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Delete' });
    expect(button.disabled).toBe(true);
    await userEvent.type(screen.getByLabelText('Type crm to go on'), 'crm{Enter}');
    expect(await confirmed).toBe(true);
  });
});

describe('states', () => {
  it('loading shows nothing for 150 ms', () => {
    vi.useFakeTimers();
    show(<Loading />);
    expect(screen.queryByRole('status')).toBeNull();
    act(() => vi.advanceTimersByTime(160));
    expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy();
  });

  it('failed says what and why, with the request id, and can be tried again', async () => {
    const onRetry = vi.fn();
    show(<Failed error={{ message: 'No.', status: 500, requestId: 'req-7' }} onRetry={onRetry} />);
    expect(screen.getByRole('alert').textContent).toContain('No.');
    expect(screen.getByText('req-7')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it('failed without any answer is offline', () => {
    show(<Failed error={{ message: 'x', status: 0 }} />);
    expect(screen.getByText('You are offline')).toBeTruthy();
  });

  it('no match clears the filter', async () => {
    const clear = vi.fn();
    show(<NoMatch onClear={clear} />);
    await userEvent.click(screen.getByRole('button', { name: 'Clear the filter' }));
    expect(clear).toHaveBeenCalledOnce();
  });
});

describe('a secret', () => {
  const Field = ({ stored }: { stored: string }) => {
    const [value, setValue] = useState(stored);
    return (
      <>
        <SecretInput label="Password" value={value} onChange={setValue} />
        <output>{value}</output>
      </>
    );
  };

  it('that is stored is replaced, not edited, and can be kept after all', async () => {
    show(<Field stored="**********" />);
    expect(screen.getByLabelText<HTMLInputElement>('Password').readOnly).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Replace' }));
    await userEvent.type(screen.getByLabelText('Password'), 'new');
    expect(screen.getByRole('status').textContent).toBe('new');
    await userEvent.click(screen.getByRole('button', { name: 'Keep the stored value' }));
    expect(screen.getByRole('status').textContent).toBe('**********');
  });
});

describe('the code editor', () => {
  it.each(['nodejs', 'v8js', 'json', 'unknown'])(
    'shows, names and reports text of %s (NAV-041, NAV-046)',
    async (language) => {
      const onChange = vi.fn();
      show(<CodeEditor label="Script" language={language} value="const a = 1;" onChange={onChange} />);
      const box = await screen.findByRole('textbox', { name: 'Script' });
      expect(box.textContent).toContain('const a = 1;');
      if (language === 'nodejs' || language === 'v8js')
        await waitFor(() => expect(box.getAttribute('data-language')).toBe('javascript'));
    },
  );

  it('has nothing to undo before something is typed', async () => {
    show(<CodeEditor label="Text" value="kept" onChange={() => undefined} />);
    const view = EditorView.findFromDOM(await screen.findByRole('textbox', { name: 'Text' }))!;
    expect(undo(view)).toBe(false);
    expect(view.state.doc.toString()).toBe('kept');
  });
});

describe('a date', () => {
  it('says the exact UTC when it is pointed at', async () => {
    show(<DateText value="2026-11-20T10:11:12Z" />);
    const pointer = userEvent.setup();
    await pointer.hover(document.querySelector('time')!);
    await pointer.hover(document.querySelector('time')!);
    expect(await screen.findByText('2026-11-20T10:11:12.000Z')).toBeTruthy();
  });

  it.each([
    ['2026-11-20T10:11:12Z', '2026-11-20T10:11:12.000Z'],
    ['2018-08-01 10:11:12', '2018-08-01T10:11:12.000Z'],
  ])('%s keeps its exact moment', (value, exact) => {
    show(<DateText value={value} />);
    expect(document.querySelector('time')?.getAttribute('datetime')).toBe(exact);
  });

  it.each([
    [null, 'Never'],
    ['soon', 'soon'],
  ])('%s is said as it is', (value, shown) => {
    show(<DateText value={value} />);
    expect(screen.getByText(shown)).toBeTruthy();
  });
});
