// Addresses as people see them: two that look alike have the same skeleton (Unicode TS 39, section 4).
import { createHash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import unhomoglyph from 'unhomoglyph';
import { folded } from './tables.ts';

/**
 * The value of `user.email_skeleton`: the hash of a skeleton, since these may be long. A newer table of look-alike characters
 * gives other values, so it needs a migration that fills the column again.
 */
export const skeletonOf = (address: string): string => hashOf(visualForm(folded(address)));

/** The skeletons to look for: of the address as it is stored, and as it reads where its capital I is taken for an l. */
export const skeletonsLike = (address: string): string[] => [
  ...new Set([skeletonOf(address), hashOf(visualForm(address))]),
];

/** Twice the characters of the longest address that is stored: some take two units. */
const maxLength = 510;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Letters of another script may look alike as capitals only, so they are compared as they are written and in lower case. */
function visualForm(address: string): string {
  const [name = '', domain = ''] = address.slice(0, maxLength).split('@');
  // Browsers and mail programs show `xn--…` as the letters it stands for.
  const displayed = /xn--/i.test(domain) ? `${name}@${domainToUnicode(domain) || domain}` : address.slice(0, maxLength);
  return prototype(prototype(displayed).toLowerCase());
}

const prototype = (text: string) =>
  unhomoglyph(text.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')).normalize('NFD');
