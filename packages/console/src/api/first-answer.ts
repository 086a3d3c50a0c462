declare global {
  /** A call that `public/first.js` has made before the console's own scripts were there. */
  var sluiceFirst: { path: string; token: string | null; response: Promise<Response> } | undefined;
}

/** The answer to a call that was made ahead, for the first who makes the same one. */
export const takeFirstAnswer = (method: string, path: string, token: string | null): Promise<Response> | undefined => {
  const first = globalThis.sluiceFirst;
  if (method !== 'GET' || first?.path !== path || first.token !== token) return undefined;
  globalThis.sluiceFirst = undefined;
  return first.response;
};
