// Which version of a record a response showed, for saves that go on top of exactly that version.

const etags = new WeakMap<object, string>();

/** Remembers the ETag a response came with. Weak ones name a text, not a record: proxies make them up. */
export const rememberEtag = (answer: unknown, etag: string | null): void => {
  if (etag && !etag.startsWith('W/') && typeof answer === 'object' && answer !== null) etags.set(answer, etag);
};

/** The ETag a response came with; null for none, and for anything that is no response. */
export const etagOf = (answer: object | null): string | null => (answer && etags.get(answer)) ?? null;
