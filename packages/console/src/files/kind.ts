// What kind of file a name and a content type say. Pure.

import { splitName } from './paths.ts';
import type { FileItem } from './sources.ts';

export type FileKind = 'folder' | 'image' | 'video' | 'audio' | 'pdf' | 'archive' | 'code' | 'text' | 'other';

/** Languages of the code editor by the ending of a file. */
const languages = new Map(
  Object.entries({
    ...{
      js: 'javascript',
      mjs: 'javascript',
      cjs: 'javascript',
      ts: 'javascript',
      jsx: 'javascript',
      tsx: 'javascript',
    },
    ...{
      json: 'json',
      webmanifest: 'json',
      geojson: 'json',
      py: 'python',
      php: 'php',
      sql: 'sql',
      yaml: 'yaml',
      yml: 'yaml',
    },
  }),
);
const codeEndings = new Set([
  ...languages.keys(),
  ...[
    'html',
    'htm',
    'xml',
    'css',
    'scss',
    'sh',
    'rb',
    'go',
    'rs',
    'java',
    'c',
    'h',
    'cpp',
    'toml',
    'ini',
    'conf',
    'env',
  ],
]);
const textEndings = new Set([
  'txt',
  'md',
  'csv',
  'tsv',
  'log',
  'text',
  'rst',
  'properties',
  'gitignore',
  'editorconfig',
]);
const archiveEndings = new Set(['zip', 'gz', 'tgz', 'tar', 'bz2', 'xz', '7z', 'rar', 'dfpkg']);

export const endingOf = (name: string): string => (/\.([^.]+)$/.exec(name)?.[1] ?? '').toLowerCase();

/** The language of the code editor; undefined for plain text. */
export const languageOf = (name: string): string | undefined => languages.get(endingOf(name));

export function kindOf({ name, isFolder, contentType }: Pick<FileItem, 'name' | 'isFolder' | 'contentType'>): FileKind {
  if (isFolder) return 'folder';
  const ending = endingOf(name);
  const [group, type] = contentType.toLowerCase().split(/[/;]/, 2);
  if (type === 'pdf' || ending === 'pdf') return 'pdf';
  if (codeEndings.has(ending)) return 'code';
  if (textEndings.has(ending)) return 'text';
  if (archiveEndings.has(ending)) return 'archive';
  if (group === 'image') return 'image';
  if (group === 'video') return 'video';
  if (group === 'audio') return 'audio';
  if (group === 'text') return 'text';
  if (/(^|[+.-])(json|xml|yaml|javascript|sql)$/.test(type ?? '')) return 'code';
  // A name without an ending is most often a text: README, LICENSE, Dockerfile.
  return splitName(name)[1] === '' && contentType === 'application/octet-stream' ? 'text' : 'other';
}
