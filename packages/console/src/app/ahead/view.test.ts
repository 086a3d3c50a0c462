import { afterEach, expect, it, vi } from 'vitest';
import { freshConsole } from '../../api/testing.ts';
import { keepViewCookie, readView } from './view.ts';

afterEach(() => {
  vi.useRealTimers();
  freshConsole();
});

const cookieOf = (value: unknown[]) => `a=b; SluiceView=${encodeURIComponent(JSON.stringify(value))}; c=d`;

it('a browser tells how wide it is, its zone and languages, and what it keeps that shows; nothing else', () => {
  vi.useFakeTimers();
  localStorage.setItem('sluice.density', 'compact');
  localStorage.setItem('sluice.columns.7.user', '{"hidden":["name"],"widths":{}}');
  localStorage.setItem('sluice.draft.7', 'what somebody typed');
  localStorage.setItem('other', 'x');
  keepViewCookie();
  vi.runAllTimers();
  const view = readView(document.cookie);
  expect(view).toMatchObject({
    width: innerWidth,
    language: navigator.language,
    languages: navigator.languages.slice(0, 3),
    platform: navigator.platform,
  });
  expect(view?.timeZone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(Object.fromEntries(view?.stored ?? [])).toEqual({
    'sluice.density': 'compact',
    'sluice.columns.7.user': '{"hidden":["name"],"widths":{}}',
  });
});

it('a browser that keeps too much for a cookie tells nothing', () => {
  vi.useFakeTimers();
  localStorage.setItem('sluice.columns.7.user', 'x'.repeat(2001));
  keepViewCookie();
  vi.runAllTimers();
  expect(readView(document.cookie)).toBeUndefined();
});

it.each([
  ['a zone that is none', [1440, 'Nowhere', '', 'en', ['en'], []]],
  ['a language that is none', [1440, 'UTC', '', 'x y', ['en'], []]],
  ['no list', ['']],
])('abuse: %s is no view', (_what, value) => {
  expect(() => readView(cookieOf(value))).toThrow();
});
