// Names that become parts of addresses of a code host, whose calls carry a token: nothing of a caller's leads to another call.
import { fail } from '@sluice/contract';

const maxName = 100;
const maxPath = 4_000;
const maxReference = 255;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const oddInPath = /[\x00-\x1f\x7f\\]/;
/** What git has in no name of a branch or tag (git-check-ref-format). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const oddInReference = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\.lock(\/|$)|\.$/;

const isName = (text: string): boolean => /^[A-Za-z0-9_.-]+$/.test(text) && text !== '.' && text !== '..';

/** The name of an account, a workspace or a repository. */
export const isHostName = (text: string): boolean => text.length <= maxName && isName(text);

export function checkRepository(text: string): string {
  if (!isHostName(text)) throw fail('repository.badName');
  return text;
}

/** A path without the slashes at its ends. */
export function checkPath(text: string): string {
  const path = text.replace(/^\//, '').replace(/\/$/, '');
  if (path === '') return '';
  const parts = path.split('/');
  if (path.length > maxPath || oddInPath.test(path) || parts.some((part) => part === '' || /^\.{1,2}$/.test(part)))
    throw fail('repository.badPath');
  return path;
}

export function checkReference(text: string): string {
  const parts = text.split('/');
  if (
    text.length > maxReference ||
    oddInReference.test(text) ||
    parts.some((part) => part === '' || /^[.-]/.test(part))
  )
    throw fail('repository.badReference');
  return text;
}

/** The parts of a checked text, escaped for an address; the slashes between them stay. */
export const encodeParts = (text: string): string => text.split('/').map(encodeURIComponent).join('/');

/** The last part. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
