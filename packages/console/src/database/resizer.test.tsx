import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { signIn } from '../list/testing.tsx';
import { Resizer, widestOf } from './resizer.tsx';

const open = (panel: 'picker' | 'pane', room = 1600) => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(room);
  const { container, unmount } = render(
    <MantineProvider env="test">
      <section data-testid="panel">
        <Resizer panel={panel} />
      </section>
    </MantineProvider>,
  );
  const element = container.querySelector('section')!;
  const handle = screen.getByRole('separator');
  const width = () => [element.style.getPropertyValue('--panel-width'), handle.getAttribute('aria-valuenow')];
  return { handle, width, unmount, user: userEvent.setup() };
};

beforeEach(() => {
  signIn();
  Element.prototype.setPointerCapture = () => {};
});

it('is bounded by the panel and by what is in the middle', () => {
  const pane = { min: 22, max: 60, initial: 30 };
  expect(widestOf(pane, 100, false)).toBe(60);
  expect(widestOf(pane, 70, false)).toBe(50);
  expect(widestOf(pane, 30, false)).toBe(22);
  expect(widestOf(pane, 40, true)).toBe(30);
  expect(widestOf(pane, 55, true)).toBe(35);
});

it('says what it moves, and how far', () => {
  const { handle } = open('picker');
  expect(handle.getAttribute('aria-label')).toBe('Resize the list of tables');
  expect(handle.getAttribute('aria-orientation')).toBe('vertical');
  expect(['now', 'min', 'max'].map((name) => handle.getAttribute(`aria-value${name}`))).toEqual(['15', '12', '30']);
});

it('moves by keys within its bounds', async () => {
  const { handle, width, user } = open('picker');
  handle.focus();
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}');
  expect(width()).toEqual(['16rem', '16']);
  await user.keyboard('{Shift>}{ArrowLeft}{/Shift}');
  expect(width()).toEqual(['12rem', '12']);
  await user.keyboard('{ArrowLeft}');
  expect(width()).toEqual(['12rem', '12']);
  await user.keyboard('{End}');
  expect(width()).toEqual(['30rem', '30']);
});

it('a pane at the right edge becomes wider to the left, as far as the middle allows', async () => {
  const { handle, width, user } = open('pane', 960);
  handle.focus();
  await user.keyboard('{ArrowLeft}');
  expect(width()).toEqual(['31rem', '31']);
  await user.keyboard('{End}');
  expect(width()).toEqual(['40rem', '40']);
});

it('follows the pointer, and is kept for the person', () => {
  const first = open('picker');
  fireEvent.pointerDown(first.handle, { button: 0, clientX: 240, pointerId: 1 });
  fireEvent.pointerMove(first.handle, { clientX: 288, pointerId: 1 });
  expect(first.width()).toEqual(['18rem', '18']);
  fireEvent.pointerUp(first.handle, { clientX: 304, pointerId: 1 });
  fireEvent.pointerMove(first.handle, { clientX: 400, pointerId: 1 });
  expect(first.width()).toEqual(['19rem', '19']);
  first.unmount();
  expect(open('picker').width()).toEqual(['19rem', '19']);
});

it('goes back by a double click', () => {
  const first = open('picker');
  fireEvent.keyDown(first.handle, { key: 'End' });
  fireEvent.doubleClick(first.handle);
  expect(first.width()).toEqual(['15rem', '15']);
  first.unmount();
  expect(open('picker').width()).toEqual(['15rem', '15']);
});

it('a width that was kept in a wider window is narrowed, not forgotten', () => {
  const wide = open('pane');
  fireEvent.keyDown(wide.handle, { key: 'End' });
  wide.unmount();
  const narrow = open('pane', 800);
  expect(narrow.width()).toEqual(['30rem', '30']);
  narrow.unmount();
  expect(open('pane').width()).toEqual(['60rem', '60']);
});
