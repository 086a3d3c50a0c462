import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FormEvent, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SearchSelect } from './search-select.tsx';

const submit = vi.fn((event: FormEvent) => event.preventDefault());
beforeEach(() => void submit.mockClear());
afterEach(() => void vi.useRealTimers());

const types = ['id', 'string', 'reference'];

interface ExampleProps {
  takesOnLeave?: boolean;
  chosen?: string | null;
}

function Example({ takesOnLeave = false, chosen = null }: ExampleProps) {
  const [value, setValue] = useState(chosen);
  return (
    <MantineProvider env="test">
      <form onSubmit={submit}>
        <SearchSelect label="Type" data={types} value={value} onChange={setValue} takesOnLeave={takesOnLeave} />
      </form>
    </MantineProvider>
  );
}

function showInput(options?: ExampleProps): HTMLInputElement {
  render(<Example {...options} />);
  return screen.getByRole<HTMLInputElement>('combobox', { name: 'Type' });
}

it('takes with Enter what was typed at once, before the list had opened', async () => {
  const input = showInput();
  act(() => input.focus());
  fireEvent.input(input, { target: { value: 'refer' } });
  // What the opening of the list still has to do.
  await new Promise((done) => setTimeout(done, 20));
  await userEvent.keyboard('{Enter}');
  expect(input.value).toBe('reference');
  expect(submit).not.toHaveBeenCalled();
  await userEvent.keyboard('{Enter}');
  expect(submit).toHaveBeenCalledOnce();
});

it('marks nothing when it is only opened, and what is typed replaces what was chosen', async () => {
  const input = showInput({ chosen: 'string', takesOnLeave: true });
  await userEvent.tab();
  await userEvent.click(input);
  expect(document.querySelector('[data-combobox-selected]')).toBeNull();
  await userEvent.tab();
  expect(input.value).toBe('string');
  await userEvent.tab({ shift: true });
  await userEvent.keyboard('refer{Enter}');
  expect(input.value).toBe('reference');
});

it('takes nothing that was only typed when it is left', async () => {
  const input = showInput();
  await userEvent.type(input, 'refer');
  fireEvent.blur(input);
  expect(input.value).toBe('');
});

describe('that takes on leave', () => {
  it('keeps what was typed and chosen', async () => {
    const input = showInput({ takesOnLeave: true });
    await userEvent.type(input, 'refer');
    // Where the page is slow, its list is still marked when the next field is entered.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    fireEvent.keyDown(input, { key: 'Enter', code: 'Enter' });
    expect(input.value).toBe('reference');
    fireEvent.blur(input);
    expect(input.value).toBe('reference');
  });

  it('takes what fits first while somebody types', async () => {
    const input = showInput({ takesOnLeave: true });
    await userEvent.type(input, 'refer');
    fireEvent.blur(input);
    expect(input.value).toBe('reference');
  });

  it('takes what the arrows marked', async () => {
    const input = showInput({ takesOnLeave: true });
    await userEvent.type(input, '{ArrowDown}{ArrowDown}');
    fireEvent.blur(input);
    expect(input.value).toBe('string');
  });

  it('takes nothing without a word', async () => {
    const input = showInput({ takesOnLeave: true });
    await userEvent.type(input, 'refer{Backspace>5/}');
    fireEvent.blur(input);
    expect(input.value).toBe('');
  });
});
