import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { TypedSelect } from './typed-select.tsx';

afterEach(() => void vi.useRealTimers());

function Example() {
  const [value, setValue] = useState<string | null>(null);
  return (
    <MantineProvider env="test">
      <TypedSelect label="Type" data={['id', 'string', 'reference']} value={value} onChange={setValue} openOnFocus />
    </MantineProvider>
  );
}

async function typeInto(text: string): Promise<HTMLInputElement> {
  render(<Example />);
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Type' });
  await userEvent.type(input, text);
  return input;
}

it('keeps what was typed and chosen when it is left', async () => {
  const input = await typeInto('refer');
  // Where the page is slow, its list is still marked when the next field is entered.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  fireEvent.keyDown(input, { key: 'Enter', code: 'Enter' });
  expect(input.value).toBe('reference');
  fireEvent.blur(input);
  expect(input.value).toBe('reference');
});

it('takes what fits first when it is left while somebody types', async () => {
  const input = await typeInto('refer');
  fireEvent.blur(input);
  expect(input.value).toBe('reference');
});

it('takes nothing when it is left without a word', async () => {
  const input = await typeInto('refer{Backspace>5/}');
  fireEvent.blur(input);
  expect(input.value).toBe('');
});
