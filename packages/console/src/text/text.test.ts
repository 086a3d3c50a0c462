import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { rest as german } from './de/index.ts';
import { start as germanStart } from './de/start.ts';
import { rest as english } from './en/index.ts';
import { start as englishStart } from './en/start.ts';
import { chooseLanguage, text, useText } from './index.ts';

type Words = { [key: string]: string | Words };

const flat = (words: Words, at = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${at}${key}`, value] as [string, string]] : flat(value, `${at}${key}.`),
  );
const blanks = (words: string): string[] => [...words.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]!).sort();

const en = { ...englishStart, ...english } as Record<string, Words>;
const de = { ...germanStart, ...german } as Record<string, Words>;

describe('both languages', () => {
  it('have the same areas', () => expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort()));

  it.each(Object.keys(en))('have the same keys and blanks in %s', (area) => {
    const ours = new Map(flat(en[area]!));
    const theirs = new Map(flat(de[area] ?? {}));
    expect([...theirs.keys()].sort()).toEqual([...ours.keys()].sort());
    // A language may do without a blank, but cannot fill in what the others do not give.
    for (const [key, words] of theirs) expect(blanks(ours.get(key)!)).toEqual(expect.arrayContaining(blanks(words)));
  });

  it('leave nothing empty', () => {
    for (const [key, words] of [...flat(en), ...flat(de)]) expect([key, words.trim()]).not.toEqual([key, '']);
  });
});

describe('a language', () => {
  it('can be chosen, and is remembered', async () => {
    await chooseLanguage('de');
    expect(text('common:save')).toBe('Speichern');
    expect(text('frame:nav.services')).toBe('Dienste');
    expect(document.documentElement.lang).toBe('de');
    expect(localStorage.getItem('sluice.language')).toBe('de');
    await chooseLanguage('en');
    expect(text('common:save')).toBe('Save');
  });

  it('is what components speak from then on; what is filled in is never remembered', async () => {
    const { result } = renderHook(() => ({ common: useText('common'), home: useText('home') }));
    const read = () => [
      result.current.common('save'),
      ...[2, 3].map((count) => result.current.home('allKeys', { count })),
    ];
    const inEnglish = read();
    expect(inEnglish[0]).toBe('Save');
    expect(inEnglish.slice(1).map((words) => /\d/.exec(words)?.[0])).toEqual(['2', '3']);
    await act(() => chooseLanguage('de'));
    expect(read()[0]).toBe('Speichern');
    await act(() => chooseLanguage('en'));
    expect(read()).toEqual(inEnglish);
  });
});

describe('the texts the documents fix', () => {
  it.each([
    ['common:unknownError', 'The server returned an unknown error.'],
    ['common:apiError', 'Api Error'],
    ['session:login.title', 'Login'], // SES-023
    ['profile:saved', 'Profile updated successfully.'], // PRO-015
    ['profile:savedBoth', 'Profile and password updated successfully.'], // PRO-016
    ['profile:savedPasswordOnly', 'Password updated successfully but Profile could not be saved.'], // PRO-017
    ['profile:different', 'Passwords do not match.'], // PRO-008
    [
      'profile:loadError',
      'There was an error loading User Profile data. Please try refreshing your browser and logging in again.',
    ], // PRO-014
  ] as const)('%s', (key, words) => expect(text(key)).toBe(words));
});
