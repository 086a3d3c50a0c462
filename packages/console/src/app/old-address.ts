/**
 * Where an address of the old console (`/?code=1#/login?x=2`) lies now (`/login?code=1&x=2`), or null when it is none.
 * Sign-in parameters stood before the hash, all others behind it (OPEN-003).
 */
export const migratedAddress = (search: string, hash: string): string | null => {
  if (!hash.startsWith('#/')) return null;
  const [path, ownSearch = ''] = hash.slice(1).split('?', 2);
  const query = [search.replace(/^\?/, ''), ownSearch].filter(Boolean).join('&');
  return `/${path!.replace(/^\/+/, '')}${query && `?${query}`}`;
};

/** Moves an old address in the bar to its new place before anything reads it. */
export const replaceOldAddress = (): void => {
  const address = migratedAddress(window.location.search, window.location.hash);
  if (address) window.history.replaceState(null, '', address);
};
