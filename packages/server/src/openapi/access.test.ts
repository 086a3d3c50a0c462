// A document has what its caller may do, no more and no less: each operation in it is called, and each that is not.
import type { AskOptions } from '@sluice/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { type Made, operationsOf, startAccessInstance } from './access.fixture.ts';
import type { Document } from './valid.fixture.ts';

const { platform, callers, isPublic } = await startAccessInstance();
afterAll(() => platform.stop());

const documentOf = async (options: AskOptions): Promise<Document> =>
  (await platform.ask('GET', 'api_docs?openapi=3.1', options)).body;

describe.each(['narrow, a person', 'narrow, a key alone', 'wide, a person', 'wide, a key alone', 'stranger'])(
  'of %s',
  (name) => {
    it('a document has every operation that is let through, and no other', async () => {
      const caller = callers[name] as () => Promise<AskOptions>;
      const whole = operationsOf(await documentOf({}));
      const own = operationsOf(await documentOf(await caller()));
      const offered = new Set(own.map(({ line }) => line));
      const wrong: string[] = [];
      const call = async ({ verb, address, line }: Made, isOffered: boolean) => {
        const hasBody = verb !== 'GET' && verb !== 'DELETE';
        const { status, text } = await platform.ask(verb, address, {
          ...(await caller()),
          ...(hasBody ? { body: {} } : {}),
        });
        const isRefused =
          [401, 403].includes(status) ||
          /No user session found/.test(text) ||
          (status === 400 && /No (session token|API Key)/.test(text));
        if (isRefused === isOffered) wrong.push(`${line} (${address}): ${status} ${text.slice(0, 160)}`);
      };
      for (const made of own) await call(made, true);
      for (const made of whole)
        if (!offered.has(made.line) && !isPublic(made.address, made.verb)) await call(made, false);
      expect(wrong).toEqual([]);
      expect(own.length > 0).toBe(!/none|stranger/.test(name));
    });
  },
);
