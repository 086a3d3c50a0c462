// Passwords and security answers: argon2id for new ones, bcrypt accepted where it was imported
// (docs/design.md, Identity).
import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';
import { type Abortable, createFairQueue, type QueueKey } from './fair-queue.ts';

/** Cost of a new hash: OWASP's first choice for argon2id, 19 MiB and 2 passes, 10 to 30 ms of one core. */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Bytes of the longest password; a longer one never matches and is never hashed. */
export const maxPasswordBytes = 1024;

/**
 * Hashes computed at once, each with 19 MiB: they take two of the four threads that also read files and look up host names.
 */
const maxRunning = 2;
/** Hashes that may wait for one of these slots; when more come, one is refused with a 429. */
const maxWaiting = 256;

/** Whose place in the queue a hash takes, and the call it is for, whose caller may go away meanwhile. */
export interface HashSlot {
  queueKey: QueueKey;
  call?: Abortable;
}

/** For passwords that administrators set for others. */
const recordsSlot: HashSlot = { queueKey: ['', ''] };

export interface PasswordCheck {
  matches: boolean;
  /** It matches, but the hash has an older kind or cost: store a new one. */
  needsRehash: boolean;
}

/** The hash to store for a password (at most `maxPasswordBytes` long, which the code that calls this has checked). */
export function hashPassword(password: string, slot: HashSlot = recordsSlot): Promise<string> {
  return runInQueue(slot, () => hash(password, passwordCost));
}

/** Whether a password may be hashed at all. */
export const isHashable = (password: string): boolean => Buffer.byteLength(password) <= maxPasswordBytes;

/**
 * Compares a password with a stored hash. Without one (nobody has that name, no password was ever set) it takes just as
 * long and answers no, so that the time tells nothing.
 */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
  slot: HashSlot,
): Promise<PasswordCheck> {
  const decoy = await getDecoyHash();
  if (!isHashable(password) || !stored || !isHash(stored)) {
    await runInQueue(slot, () => verify(decoy, password.slice(0, maxPasswordBytes)));
    return { matches: false, needsRehash: false };
  }
  const usesBcrypt = isBcrypt(stored);
  const matches = await runInQueue(slot, () =>
    usesBcrypt ? verifyBcrypt(password, stored.replace(/^\$2y\$/, '$2b$')) : verify(stored, password),
  );
  return { matches, needsRehash: matches && (usesBcrypt || !hasCurrentCost(stored)) };
}

const isBcrypt = (stored: string) => /^\$2[aby]\$\d\d\$/.test(stored);
const isHash = (stored: string) => isBcrypt(stored) || stored.startsWith('$argon2');

/** Most that a comparison with an imported hash may cost: some forty times a hash of our own. */
const maxCost = { memoryCost: 262_144, timeCost: 10, parallelism: 16, bcrypt: 14 } as const;

/** Whether a hash of another instance may be stored: people can sign in with it, and that costs no more than it may. */
export function isRestorableHash(stored: string): boolean {
  if (/^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(stored)) return Number(stored.slice(4, 6)) <= maxCost.bcrypt;
  if (stored.length > 255 || !/^\$argon2id\$v=19\$[a-z0-9=,]+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.test(stored))
    return false;
  try {
    const { memoryCost, timeCost, parallelism } = parseOptions(stored);
    return memoryCost <= maxCost.memoryCost && timeCost <= maxCost.timeCost && parallelism <= maxCost.parallelism;
  } catch {
    return false;
  }
}

function hasCurrentCost(stored: string): boolean {
  if (!stored.startsWith('$argon2id$')) return false;
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return (
    memoryCost === passwordCost.memoryCost &&
    timeCost === passwordCost.timeCost &&
    parallelism === passwordCost.parallelism
  );
}

let decoyHash: Promise<string> | undefined;

/** A hash whose password nobody knows. Every comparison awaits it, so that making it delays none in particular. */
function getDecoyHash(): Promise<string> {
  decoyHash ??= hash(randomBytes(24).toString('hex'), passwordCost);
  return decoyHash;
}

let runningCount = 0;
const queue = createFairQueue({ maxWaiting, retryAfter: 5 });

async function runInQueue<T>({ queueKey, call }: HashSlot, work: () => Promise<T>): Promise<T> {
  if (runningCount >= maxRunning) await queue.wait(queueKey, call);
  else runningCount += 1;
  try {
    return await work();
  } finally {
    // The slot passes straight to the next in the queue; the count only falls when nobody waits.
    if (!queue.admitNext()) runningCount -= 1;
  }
}
