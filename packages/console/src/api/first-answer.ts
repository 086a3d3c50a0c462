declare global {
  /** Calls that `public/first.js` has made before the console's own scripts were there, by their addresses. */
  var sluiceFirst: { token: string | null; answers: Map<string, Promise<Response>> } | undefined;
}

/** The answer to a call that was made ahead, for the first who makes the same one. */
export const takeFirstAnswer = (method: string, url: string, token: string | null): Promise<Response> | undefined => {
  const first = globalThis.sluiceFirst;
  const answer = method === 'GET' && first?.token === token ? first.answers.get(url) : undefined;
  first?.answers.delete(url);
  return answer;
};

/** What nobody has asked for by the time a page is there would be old when somebody did. */
export const forgetFirstAnswers = (): void => {
  globalThis.sluiceFirst = undefined;
};
