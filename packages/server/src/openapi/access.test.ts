// A document has what its caller may do, no more and no less: each operation in it is called, and each that is not; what is
// answered is what it says.
import type { Answer, AskOptions } from '@sluice/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { type Made, operationsOf, startAccessInstance } from './access.fixture.ts';
import { createAnswerCheck } from './answers.fixture.ts';
import { realCall } from './real-calls.fixture.ts';
import type { Document } from './valid.fixture.ts';

const { platform, callers, isPublic } = await startAccessInstance();
afterAll(() => platform.stop());

const documentOf = async (options: AskOptions): Promise<Document> =>
  (await platform.ask('GET', 'api_docs?openapi=3.1', options)).body;

/** Each record of the call is refused by itself. */
const isBatchRefused = ({ body }: Answer): boolean => {
  const items = body?.error?.context?.resource;
  return Array.isArray(items) && items.length > 0 && items.every((item) => item?.status_code === 403);
};

describe.each(['narrow, a person', 'narrow, a key alone', 'wide, a person', 'wide, a key alone', 'stranger'])(
  'of %s',
  (name) => {
    it('a document has every operation that is let through, and no other, and says what each answers', async () => {
      const caller = callers[name] as () => Promise<AskOptions>;
      const whole = operationsOf(await documentOf({}));
      const document = await documentOf(await caller());
      const own = operationsOf(document);
      const problemOf = createAnswerCheck(document);
      const offered = new Set(own.map(({ line }) => line));
      const wrong: string[] = [];
      let answered = 0;
      const call = async (made: Made, isOffered: boolean) => {
        const { verb, path, line } = made;
        const { address, body } = await realCall(platform, made);
        const answer = await platform.ask(verb, address, {
          ...(await caller()),
          ...(body === undefined ? {} : { body }),
        });
        const { status, text } = answer;
        const isRefused =
          [401, 403].includes(status) ||
          /No user session found/.test(text) ||
          isBatchRefused(answer) ||
          (status === 400 && /No (session token|API Key)/.test(text));
        if (isRefused === isOffered) wrong.push(`${line} (${address}): ${status} ${text.slice(0, 160)}`);
        if (!isOffered || status >= 300) return;
        const problem = problemOf(verb, path, answer);
        if (problem !== undefined) wrong.push(`${line} (${address}): ${problem}`);
        answered += 1;
      };
      for (const made of own) await call(made, true);
      for (const made of whole)
        if (!offered.has(made.line) && !isPublic(made.address, made.verb)) await call(made, false);
      expect(wrong).toEqual([]);
      expect(own.length > 0).toBe(!/none|stranger/.test(name));
      // Most calls of those who may do everything are good ones.
      if (name.startsWith('wide')) expect(answered).toBeGreaterThan(own.length / 2);
    });
  },
);
