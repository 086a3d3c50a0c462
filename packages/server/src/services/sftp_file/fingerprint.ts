// The fingerprint by which a server's host key is known: as OpenSSH prints it (SHA256:…), or hexadecimal as older ones.
import { createHash } from 'node:crypto';

/** A fingerprint as it is compared; undefined for a text that is none. */
function parseFingerprint(text: string): { hash: 'md5' | 'sha1' | 'sha256'; digest: string } | undefined {
  const plain = text.trim();
  const base64 = /^SHA256:([A-Za-z0-9+/]{43})=?$/.exec(plain)?.[1];
  if (base64) return { hash: 'sha256', digest: Buffer.from(base64, 'base64').toString('hex') };
  const hex = plain.replace(/^(MD5|SHA1|SHA256):/i, '').replaceAll(':', '');
  if (!/^[\da-f]+$/i.test(hex)) return undefined;
  const hash = ({ 32: 'md5', 40: 'sha1', 64: 'sha256' } as const)[hex.length as 32];
  return hash && { hash, digest: hex.toLowerCase() };
}

export const isFingerprint = (text: string): boolean => parseFingerprint(text) !== undefined;

/** Whether a host key has the fingerprint. */
export function matchesFingerprint(key: Buffer, text: string): boolean {
  const expected = parseFingerprint(text);
  return expected !== undefined && createHash(expected.hash).update(key).digest('hex') === expected.digest;
}

/** The fingerprint of a host key as OpenSSH prints it. */
export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
