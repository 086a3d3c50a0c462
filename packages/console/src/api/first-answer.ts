import type { AnswersAhead } from '@sluice/contract';

declare global {
  /**
   * Calls that were made before the console's own scripts were there, by their addresses: by `public/first.js`, or by the server
   * for a page it drew, whose answers stand in the page.
   */
  var sluiceFirst: { token: string | null; answers: Map<string, Promise<Response>> } | undefined;
}

/** The answer to a call that was made ahead, for the first who makes the same one. */
export const takeFirstAnswer = (method: string, url: string, token: string | null): Promise<Response> | undefined => {
  const first = globalThis.sluiceFirst;
  if (!first) return undefined;
  takeInlineAnswers(first.answers);
  const answer = method === 'GET' && first.token === token ? first.answers.get(url) : undefined;
  first.answers.delete(url);
  return answer;
};

const takeInlineAnswers = (answers: Map<string, Promise<Response>>): void => {
  const element = document.getElementById('first-answers');
  if (!element) return;
  element.remove();
  const inline: AnswersAhead = JSON.parse(element.textContent);
  for (const [url, { body, status, headers }] of Object.entries(inline))
    answers.set(url, Promise.resolve(new Response(body, { status, headers })));
};

/** What nobody has asked for by the time a page is there would be old when somebody did. */
export const forgetFirstAnswers = (): void => {
  globalThis.sluiceFirst = undefined;
};
