// Passwords and security answers: argon2id for new ones, bcrypt accepted where it was brought along
// (docs/design.md, Identity).
import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';
import { createFairQueue, type Lane, type Leaving } from './fair-queue.ts';

/** Cost of a new hash: OWASP's first choice for argon2id, 19 MiB and 2 passes, 10 to 30 ms of one core. */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Bytes of the longest password; longer ones never match and are never hashed. */
export const passwordBytes = 1024;

/**
 * Hashes worked on at once, each 19 MiB: two of the four threads that files and look-ups of names are read by, too. And how
 * many more may wait before one is turned away with a 429.
 */
const running = 2;
const waiting = 256;

/** In whose turn something is hashed, and who might go away meanwhile. */
export interface Turn {
  lane: Lane;
  from?: Leaving;
}

/** What administrators write of others. */
const ofRecords: Turn = { lane: ['', ''] };

export interface PasswordVerdict {
  matches: boolean;
  /** It matches, but the hash is of an older kind or cost: store a new one. */
  needsRehash: boolean;
}

/** The hash to store of a password (at most `passwordBytes` long, which the caller has checked). */
export function hashPassword(password: string, turn: Turn = ofRecords): Promise<string> {
  return inTurn(turn, () => hash(password, passwordCost));
}

/** Whether a password may be hashed at all. */
export const isHashable = (password: string): boolean => Buffer.byteLength(password) <= passwordBytes;

/**
 * Compares a password with a stored hash. Without one (nobody has that name, no password was ever set) it works just
 * as long and says no, so that the time tells nothing.
 */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
  turn: Turn,
): Promise<PasswordVerdict> {
  const nobody = await nobodysHash();
  if (!isHashable(password) || !stored || !isHash(stored)) {
    await inTurn(turn, () => verify(nobody, password.slice(0, passwordBytes)));
    return { matches: false, needsRehash: false };
  }
  const bcrypt = isBcrypt(stored);
  const matches = await inTurn(turn, () =>
    bcrypt ? verifyBcrypt(password, stored.replace(/^\$2y\$/, '$2b$')) : verify(stored, password),
  );
  return { matches, needsRehash: matches && (bcrypt || !hasTodaysCost(stored)) };
}

const isBcrypt = (stored: string) => /^\$2[aby]\$\d\d\$/.test(stored);
const isHash = (stored: string) => isBcrypt(stored) || stored.startsWith('$argon2');

function hasTodaysCost(stored: string): boolean {
  if (!stored.startsWith('$argon2id$')) return false;
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return (
    memoryCost === passwordCost.memoryCost &&
    timeCost === passwordCost.timeCost &&
    parallelism === passwordCost.parallelism
  );
}

let nobody: Promise<string> | undefined;

/** A hash nobody knows the password of. Awaited by every comparison, so that making it delays none in particular. */
function nobodysHash(): Promise<string> {
  nobody ??= hash(randomBytes(24).toString('hex'), passwordCost);
  return nobody;
}

let active = 0;
const queue = createFairQueue({ most: waiting, retryAfter: 5 });

async function inTurn<T>({ lane, from }: Turn, work: () => Promise<T>): Promise<T> {
  if (active >= running) await queue.wait(lane, from);
  else active += 1;
  try {
    return await work();
  } finally {
    // The turn passes straight to the next in line; the count only falls when nobody waits.
    if (!queue.next()) active -= 1;
  }
}
