// Numbers, moments and lists as the reader writes them. Making a format of Intl costs a hundred times what using it does, so that
// one is kept for each language.
import i18next from 'i18next';

/** English until the texts are there. */
const currentLanguage = () => i18next.language ?? 'en';

const caches: Map<string, unknown>[] = [];

const perLanguage = <F>(make: (language: string) => F) => {
  const made = new Map<string, F>();
  caches.push(made);
  return (language: string): F => {
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
};

/** For where one reader follows another, in another zone. */
export const forgetFormats = (): void => {
  for (const cache of caches) cache.clear();
};

const numbers = perLanguage((language) => new Intl.NumberFormat(language));
const moments = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
);
const exactMoments = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
);
const lists = perLanguage((language) => new Intl.ListFormat(language));

/** "1,234". What our languages write alike does without a format: the first one of a page takes longer than the page's texts. */
export const formatNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1000 ? String(value) : numbers(currentLanguage()).format(value);

/** A moment in the reader's zone; English as the browser's English is. */
export const formatMoment = (date: Date): string => moments(momentLanguage()).format(date);

/** With seconds, for what may happen several times a minute. */
export const formatExactMoment = (date: Date): string => exactMoments(momentLanguage()).format(date);

const momentLanguage = () => (currentLanguage() === 'en' ? navigator.language : currentLanguage());

/** "a, b and c". */
export const joinList = (items: readonly string[]): string => lists(currentLanguage()).format(items);
