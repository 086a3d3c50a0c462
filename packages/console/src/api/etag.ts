// Which version of a record an answer showed, for saves that go on top of just that version.

const etags = new WeakMap<object, string>();

/** Notes the version a server told with an answer. Weak ones name a text, not a record: proxies make them up. */
export const rememberEtag = (answer: unknown, etag: string | null): void => {
  if (etag && !etag.startsWith('W/') && typeof answer === 'object' && answer !== null) etags.set(answer, etag);
};

/** The ETag an answer came with; null for none, and for anything that is no answer itself. */
export const etagOf = (answer: object | null): string | null => (answer && etags.get(answer)) ?? null;
