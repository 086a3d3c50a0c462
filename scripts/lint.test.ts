// The lint rules of our own find what they are for, and nothing beside it.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const rules = ['table-by-word', 'claimed-key'].map((name) => join(root, `scripts/lint/${name}.grit`));
let folder: string;
let found: number[];

/** What stands before a line says whether it is found. */
const source = `
const flags: Record<string, boolean> = { yes: true };
/* found */ export const flag = (word: string) => flags[word.toLowerCase()];
const formats: Readonly<Record<string, string>> = { json: 'json' };
/* found */ export const format = (word: string) => formats[word];
const loaders: Record<string, () => void> = { json() {} };
/* found */ export const isLoader = (word: string) => word in loaders;
const uses = { A: 1 } as const;
/* found */ export const use = (word: string) => uses[word as keyof typeof uses];

const checked: Record<string, number> = { a: 1 };
/* fine */ export const check = (word: string) => (Object.hasOwn(checked, word) ? checked[word] : 0);
const codes: Record<number, string> = { 1: 'one' };
/* fine */ export const code = (place: number) => codes[place];
const kinds: Record<'a' | 'b', number> = { a: 1, b: 2 };
/* fine */ export const kind = (word: 'a' | 'b') => kinds[word];
const counts: Record<string, number> = {};
/* fine */ export const count = (word: string) => { counts[word] = 1; };
const map = new Map<string, number>([['a', 1]]);
/* fine */ export const inMap = (word: string) => map.get(word);
/* fine */ export const first = (words: string[]) => words[0];
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-lint-'));
  writeFileSync(
    join(folder, 'biome.json'),
    JSON.stringify({ plugins: rules, linter: { rules: { recommended: false } } }),
  );
  writeFileSync(join(folder, 'words.ts'), source);
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--reporter=github', `--config-path=${folder}`, join(folder, 'words.ts')];
  const output: string = await promisify(execFile)(process.execPath, args).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
  found = [...output.matchAll(/^::error .*?\bline=(\d+)/gm)].map(([, line]) => Number(line));
}, 30_000);
afterAll(() => rmSync(folder, { recursive: true }));

it('abuse: a plain object that is asked with a word is found, and nothing beside it', () => {
  const lines = source.split('\n').flatMap((line, index) => (line.startsWith('/* found */') ? [index + 1] : []));
  expect([...new Set(found)].sort((a, b) => a - b)).toEqual(lines);
});
