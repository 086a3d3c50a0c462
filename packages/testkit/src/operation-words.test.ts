// Every text of this server's API documents that the console shows has German words: of operations, parameters and answers.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messages } from '../../console/src/text/de/server/messages.ts';
import { operations as words } from '../../console/src/text/de/server/operations.ts';
import { answerText, operationText, setServerWords } from '../../console/src/text/server-words.ts';
import { startPlatform, type TestPlatform } from './platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
  setServerWords({ serviceTypes: { groups: {}, types: {}, keyValue: {} }, messages, operations: words });
});
afterAll(async () => {
  setServerWords(null);
  await platform.stop();
});

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The texts of operations of every type, and of their own bodies and answers. */
function textsOfTypes(): Set<string> {
  const texts = new Set<string>();
  const addShapes = (shapes: unknown) => {
    for (const shape of isJson(shapes) ? Object.values(shapes) : []) {
      if (!isJson(shape)) continue;
      if (typeof shape.description === 'string') texts.add(shape.description);
      addShapes(shape.fields);
      addShapes({ items: shape.items });
    }
  };
  for (const { routes } of platform.types)
    for (const { summary, description, bodyFields, answerFields } of routes.operations) {
      for (const text of [summary, description]) if (text !== undefined) texts.add(text);
      addShapes(bodyFields);
      addShapes(answerFields);
    }
  return texts;
}

/** The texts of parameters and answers of the document of a fresh instance. */
async function textsOfDocument(): Promise<{ parameters: string[]; answers: string[] }> {
  const { body } = await platform.ask('GET', 'api_docs?openapi=3.1');
  const textsIn = (section: string) =>
    Object.values<Json>(body.components[section]).flatMap(({ description }) =>
      typeof description === 'string' ? [description] : [],
    );
  return { parameters: textsIn('parameters'), answers: textsIn('responses') };
}

it('every text of an operation, a parameter and an answer has German words', async () => {
  const texts = textsOfTypes();
  const { parameters, answers } = await textsOfDocument();
  expect(texts.size).toBeGreaterThan(100);
  expect([...texts, ...parameters].filter((text) => operationText(text) === text)).toEqual([]);
  expect(answers.length).toBeGreaterThan(20);
  const lines = answers.flatMap((text) => text.split('\n'));
  expect(lines.filter((line) => answerText(line) === line)).toEqual([]);
});

it('a text of a table begins with its name, whatever that is, and what no server of ours says stays', () => {
  expect(operationText('product: Retrieve records')).toBe('product: Datensätze lesen');
  expect(operationText('a: b: Retrieve records')).toBe('a: b: Datensätze lesen');
  for (const text of ['', 'Retrieve everything', 'product: ', '__proto__', 'a: constructor'])
    expect(operationText(text)).toBe(text);
});
