// Every word of the console, by language and area.
//
// To add an area `limits`:
//   1. text/en/limits.ts and text/de/limits.ts, each `export const limits = { title: 'Limits', … };` (nesting is fine; `{{name}}` is
//      filled in; plurals are two keys, `row_one` and `row_other`, chosen by `count`);
//   2. one line in text/en/index.ts and one in text/de/index.ts.
// Then `const t = useText('limits')` and `t('title')` in a component, `text('limits:title')` elsewhere; keys are checked by the compiler,
// and a test checks that both languages have the same ones. What lists and editors say themselves they read by the name of the area,
// `<ListScreen texts="limits">`: section-texts.ts has those keys. What signed-out pages show goes into common.ts or session.ts, which are
// loaded at once; all other areas come with the first page behind the sign-in. Texts the documents fix stay word for word in English.

import i18next, { type TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import type { Texts } from './en/index.ts';
import { start as english } from './en/start.ts';
import type { EditorArea, EditorTexts, ImportArea, ImportTexts, ListArea, ListTexts } from './section-texts.ts';
import { type ServerWords, setServerWords } from './server-words.ts';

export { formatExactMoment, formatMoment, formatNumber, joinList } from './formats.ts';
export type { EditorArea, EditorTexts, ImportArea, ListArea, ListTexts } from './section-texts.ts';
export { answerText, groupText, operationText, serverText, translateType, typeText } from './server-words.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Texts;
  }
}

interface Language {
  label: string;
  /** What pages before the sign-in say. */
  start: () => Promise<object>;
  /** Everything else. */
  rest: () => Promise<object>;
  /** What servers say in English, in this language; absent for English. */
  server?: () => Promise<ServerWords>;
}

/** The languages one can choose. */
export const languages = {
  en: {
    label: 'English',
    start: async () => english,
    rest: async () => (await import('./en/index.ts')).rest,
  },
  de: {
    label: 'Deutsch',
    start: async () => (await import('./de/start.ts')).start,
    rest: async () => (await import('./de/index.ts')).rest,
    server: async () => (await import('./de/server/index.ts')).serverWords,
  },
} satisfies Record<string, Language>;

export type LanguageCode = keyof typeof languages;

const languageKey = 'sluice.language';
const isLanguage = (code: string | null | undefined): code is LanguageCode => !!code && Object.hasOwn(languages, code);

const preferredLanguage = (): LanguageCode => {
  const stored = localStorage.getItem(languageKey);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
};

let isAllTextWanted = false;

/** What `useText` gives, by language and area. */
const readers = new Map<string, unknown>();

/** As they are: a copy of every word would be made and merged on the way to the first page. */
const addTexts = (code: LanguageCode, areas: object) => {
  for (const [area, texts] of Object.entries(areas))
    i18next.addResourceBundle(code, area, texts, false, true, { silent: true, skipCopy: true });
  readers.clear();
};

let serverWordsOf: LanguageCode = 'en';

/** From now on the server's texts are shown in the reader's language; without a network in its own words. */
export const loadServerWords = async (): Promise<void> => {
  const code = currentLanguage();
  if (code === serverWordsOf) return;
  const { server }: Language = languages[code];
  try {
    setServerWords(server ? await server() : null);
    serverWordsOf = code;
  } catch {
    // The words are asked for again with the next message.
  }
};

const applyLanguage = async (code: LanguageCode) => {
  addTexts(code, await languages[code].start());
  if (isAllTextWanted) addTexts(code, await languages[code].rest());
  await i18next.changeLanguage(code);
  if (isAllTextWanted) await loadServerWords();
  document.documentElement.lang = code;
};

/** Starts the texts in the reader's language; English is always there to fall back on. */
export const startText = async (): Promise<void> => {
  if (!i18next.isInitialized) {
    await i18next.init({
      lng: 'en',
      fallbackLng: 'en',
      defaultNS: 'common',
      resources: { en: english },
      // React escapes what it shows.
      interpolation: { escapeValue: false },
    });
  }
  await applyLanguage(preferredLanguage());
};

/** Loads the texts of the pages behind the sign-in; the frame waits for it. */
export const loadAllText = async (): Promise<void> => {
  if (isAllTextWanted) return;
  addTexts('en', await languages.en.rest());
  const code = currentLanguage();
  if (code !== 'en') addTexts(code, await languages[code].rest());
  await loadServerWords();
  isAllTextWanted = true;
};

/** Switches the language and remembers it on this device. */
export const chooseLanguage = async (code: LanguageCode): Promise<void> => {
  localStorage.setItem(languageKey, code);
  await applyLanguage(code);
};

export const currentLanguage = (): LanguageCode => (isLanguage(i18next.language) ? i18next.language : 'en');

const watchLanguage = (listener: () => void) => {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
};

type Read = (key: string, ...options: unknown[]) => string;

/** Reads texts and remembers those in which nothing is filled in: a list asks for the same few in each of its rows. */
const rememberTexts = (read: Read): Read => {
  const known = new Map<string, string>();
  return (key, ...options) => {
    if (options.length > 0) return read(key, ...options);
    const found = known.get(key) ?? read(key);
    known.set(key, found);
    return found;
  };
};

/**
 * The texts of one area, in a component: `const t = useText('services'); t('title')`. The same function until the language
 * changes or more texts come.
 */
export const useText = <A extends keyof Texts>(area: A): TFunction<A> => {
  const code = useSyncExternalStore(watchLanguage, currentLanguage, currentLanguage);
  const key = `${code}:${area}`;
  if (!readers.has(key)) readers.set(key, rememberTexts(i18next.getFixedT(code, area) as unknown as Read));
  return readers.get(key) as TFunction<A>;
};

/** The words that a list or an editor reads by the name of its area (section-texts.ts). */
export function useSectionTexts(area: ImportArea): ImportTexts;
export function useSectionTexts(area: ListArea): ListTexts & Partial<ImportTexts>;
export function useSectionTexts(area: EditorArea): EditorTexts;
export function useSectionTexts(area: string): unknown {
  const code = useSyncExternalStore(watchLanguage, currentLanguage, currentLanguage);
  return bundleOf(area, code);
}

/** The words an editor reads, outside of a component. */
export const sectionTexts = (area: EditorArea): EditorTexts => bundleOf(area, currentLanguage()) as EditorTexts;

function bundleOf(area: string, code: LanguageCode): unknown {
  const [name = '', part] = area.split(':');
  const texts = i18next.getResourceBundle(code, name);
  return part ? { ...texts, ...texts[part] } : texts;
}

/** A text outside of a component: `text('common:save')`. */
export const text = i18next.t;
