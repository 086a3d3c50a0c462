// The words of the list are found in prose, and left alone in code and quotations.
import { describe, expect, it } from 'vitest';
import { findWords } from './words.mjs';

const found = (path: string, text: string) => findWords(path, text).map(({ line, word }) => `${line} ${word}`);

describe('found', () => {
  it.each<[string, string, string, string[]]>([
    ['in a page', 'a.md', 'One line.\nWhoever reads it waits in vain.', ['2 Whoever', '2 in vain']],
    ['in a comment of its own line', 'a.ts', 'f();\n// A row can not be read.', ['2 can not']],
    ['in a comment behind code', 'a.ts', 'f(); // read anew', ['1 anew']],
    ['in a block comment', 'a.ts', '/**\n * Calls take turns.\n */', ['2 take turns']],
    ['in a comment of a page of markup', 'a.html', '<p>anew</p>\n<!-- made\nanew -->', ['3 anew']],
    ['in a title', 'a.test.ts', "it('is told', () => {});", ['1 is told']],
    ['in a title of a table', 'a.test.ts', "it.each([\n  [1],\n])('%s is dear', (n) => {});", ['3 dear']],
    ['in a title on a line of its own', 'a.test.ts', 'test(\n  `is made anew`,\n  async () => {},\n);', ['2 anew']],
    ['in a text of the console', 'packages/console/src/text/en/a.ts', "gone: 'It can not be read.'", ['1 can not']],
    ['once in each place', 'a.test.ts', "it('is dear', () => {}); // dear", ['1 dear', '1 dear']],
  ])('%s', (_, path, text, expected) => expect(found(path, text)).toEqual(expected));
});

describe('left alone', () => {
  it.each([
    ['quotations', 'a.md', 'The message `can not open` and "can not read".'],
    ['code', 'a.ts', "throw new Error('it can not be opened'); const anew = whoever;"],
    ['addresses', 'a.ts', "const page = 'https://example.com/anew';"],
    ['other words', 'a.md', 'Values are told apart. Endearing newcomers cannot wait.'],
    ['files of data', 'a.json', '{"whoever": "anew"}'],
  ])('%s', (_, path, text) => expect(found(path, text)).toEqual([]));
});
