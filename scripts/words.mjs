// npm run words: holds pages, comments, titles of tests and the console's texts to plain words (CONTRIBUTING.md). Part of `npm run check`.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './prepare.mjs';

/** Words that make a reader stop, each with better ones. */
export const words = [
  { find: /\bwho(m)?ever\b/gi, better: 'the role: "a caller that …", "the reader", "a person who …"' },
  { find: /\bin vain\b/gi, better: '"without success", or the event: "the timeout of the queue"' },
  // 'can not be NULL' is the wording of the contract.
  { find: /\bcan not\b(?! be NULL)/gi, better: '"cannot"' },
  {
    find: /\b(is|are|was|were) told\b(?! apart)/gi,
    better: '"gets", "learns", or the field\'s word: "is notified", "the message says"',
  },
  { find: /\banew\b/gi, better: '"again", or the verb: "re-read", "rebuild", "redraw"' },
  { find: /\bdear(er|est)?\b/gi, better: '"expensive", "costly", "slow"' },
  {
    find: /\b(take|takes|took|taking) turns\b/gi,
    better: '"yield", "alternate", "by round robin", "one after the other"',
  },
];

/** Statements of others (contract, requirements), generated pages of texts on the wire, and this list itself. */
const skippedFiles = [
  /^docs\/(contract\/|requirements\.md|calls\.md|proof\.md|errors\.md)/,
  /^scripts\/words(\.test)?\.(mjs|ts)$/,
];
const skippedFolders = new Set(['node_modules', 'dist', 'data', 'test-results', 'playwright-report']);

/** The title of a test: the first text handed to `it`, `test` or `describe`, or to what one of their tables returns. */
const title = /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:(?!\1)[^\n])*)\1,/g;
const comment = /^\s*(?:\/\/|\/?\*)(.*)$|\{?\/\*(.*)|\s\/\/\s(.*)$/gm;

const quotation = /`[^`\n]*`|"[^"\n]*"|“[^”\n]*”/g;

const line = /^.*$/gm;
const consoleTexts = 'packages/console/src/text/en/';

/** Where prose is in a file of each kind; in a page all of it is. */
const proseOf = {
  '.md': [line],
  '.html': [/<!--[\s\S]*?-->/g],
  '.css': [comment],
  '.sh': [/(?:^|\s)#(.*)$/gm],
  '.grit': [comment],
  ...Object.fromEntries(['.js', '.mjs', '.ts', '.tsx'].map((type) => [type, [comment, title]])),
};

/**
 * The words of the list in a file, each with its line. Quotations, in backticks or quotation marks, are left alone.
 * @returns {{ line: number, word: string, better: string }[]}
 */
export function findWords(path, text) {
  const patterns = path.startsWith(consoleTexts) ? [line] : (proseOf[extname(path)] ?? []);
  const found = patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ index, 0: piece }) => {
      const plain = pattern === title ? piece : piece.replace(quotation, (quoted) => ' '.repeat(quoted.length));
      return words.flatMap(({ find, better }) =>
        [...plain.matchAll(find)].map((hit) => ({ at: index + hit.index, word: hit[0], better })),
      );
    }),
  );
  const distinct = new Map(found.map((hit) => [hit.at, hit]));
  return [...distinct.values()]
    .sort((a, b) => a.at - b.at)
    .map(({ at, word, better }) => ({ line: text.slice(0, at).split('\n').length, word, better }));
}

function* filesBelow(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && !skippedFolders.has(entry.name) && !entry.name.startsWith('.'))
      yield* filesBelow(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = [...filesBelow('')].filter((path) => extname(path) in proseOf);
  let count = 0;
  for (const path of paths) {
    if (skippedFiles.some((pattern) => pattern.test(path))) continue;
    for (const { line, word, better } of findWords(path, readFileSync(join(root, path), 'utf8'))) {
      count += 1;
      console.error(`${path}:${line} ${word} → ${better}`);
    }
  }
  if (count > 0) process.exitCode = 1;
  else console.log(`Words: ${paths.length} files, none of the list.`);
}
