import { describe, expect, it } from 'vitest';
import { startFolders } from './access.ts';
import { kindOf } from './kind.ts';
import { filePath, folderPath, foldersTo, freeName, isPublic, isWithin, nameProblem, splitName } from './paths.ts';

describe('paths', () => {
  it('are encoded part by part for the API', () => {
    expect(filePath('files', 'a b/50% & #1?.txt')).toBe('files/a%20b/50%25%20%26%20%231%3F.txt');
    expect([folderPath('files', ''), folderPath('files', 'a/b')]).toEqual(['files/', 'files/a/b/']);
  });

  it('lie in folders by whole parts', () => {
    expect(foldersTo('a/b/c')).toEqual(['a', 'a/b', 'a/b/c']);
    expect([
      isWithin('docs/a', 'docs'),
      isWithin('docs', 'docs'),
      isWithin('docs2', 'docs'),
      isWithin('x', ''),
    ]).toEqual([true, true, false, true]);
    expect(isPublic('site/a.html', ['/site/'])).toBe(true);
    expect(isPublic('site2', ['site', ''])).toBe(false);
  });

  it.each([
    ['a.txt', ['a.txt', 'A (2).TXT'], 'a (3).txt'],
    ['b.tar.gz', ['b.tar.gz'], 'b (2).tar.gz'],
    ['.env', ['.env'], '.env (2)'],
    ['new', ['old'], 'new'],
  ])('%s beside %j is %s', (name, taken, free) => expect(freeName(name, taken)).toBe(free));

  it('have names without slashes, within what file systems take', () => {
    expect(['', ' ', 'a/b', 'a\\b', '..', 'ü'.repeat(128), 'a'].map(nameProblem)).toEqual([
      ...['name.empty', 'name.empty', 'name.slash', 'name.slash', 'name.dots', 'name.long', null],
    ]);
    expect(splitName('a.b.txt')).toEqual(['a.b', '.txt']);
  });
});

describe('where a person begins', () => {
  const get = (component: string) => ({ component, verbs: ['GET' as const] });
  it.each([
    ['a server that does not tell', undefined, ['']],
    ['everything', [get('*')], ['']],
    ['the root', [get(''), get('docs/*')], ['']],
    ['a folder', [get('docs/*'), get('docs/in/*')], ['docs']],
    ['two folders', [get('/b/c/*'), get('a')], ['a', 'b/c']],
    ['what may be written alone', [{ component: 'docs/*', verbs: ['POST' as const] }], []],
    ['files, patterns and beginnings', [get('docs/a.txt'), get('{x}/*'), get('do*')], []],
  ])('%s', (_what, access, folders) => expect(startFolders(access)).toEqual(folders));
});

it.each([
  ['a.html', 'text/html', 'code'],
  ['a.svg', 'image/svg+xml', 'image'],
  ['a.json', 'application/json', 'code'],
  ['README', 'application/octet-stream', 'text'],
  ['a.bin', 'application/octet-stream', 'other'],
  ['a.pdf', 'text/html', 'pdf'],
  ['constructor', 'application/octet-stream', 'text'],
])('%s of %s is shown as %s', (name, contentType, kind) =>
  expect(kindOf({ name, contentType, isFolder: false })).toBe(kind),
);
