// Codes that tell that somebody has read a mail: of an invitation, a registration or a reset (contract/sessions-and-accounts.md §6).
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** `confirm_code` of a person who has confirmed their address. */
export const confirmed = 'y';

export const createCode = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** What the store keeps of a code: who reads the store cannot use it. */
export const storedCode = (code: string): string => createHash('sha256').update(code).digest('hex');

/** Whether a person has a code that waits. */
export const isPending = (confirmCode: unknown): boolean => confirmCode !== null && confirmCode !== confirmed;

/** A code is as old as the last change of the person: each save gives it its time again. */
export const isExpired = (row: { last_modified_date: unknown }, minutes: number): boolean =>
  Date.now() - Date.parse(String(row.last_modified_date)) > minutes * 60_000;

export function isRightCode(stored: string | null, code: string): boolean {
  const [expected, sent] = [Buffer.from(stored ?? ''), Buffer.from(storedCode(code))];
  return isPending(stored) && expected.length === sent.length && timingSafeEqual(expected, sent);
}
