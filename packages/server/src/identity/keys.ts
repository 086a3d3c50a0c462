// The instance's keys, derived from SLUICE_SECRET or from a key file in the data folder (docs/design.md, Identity).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '../settings/index.ts';
import { StartError } from '../settings/start-error.ts';
import type { Store } from '../store/index.ts';

/** Encrypts texts that the store keeps secret: passwords in service configuration, private lookups. */
export interface Secrets {
  encrypt(text: string): string;
  /** Throws on a text that `encrypt` did not make with this instance's key, or that was changed since. */
  decrypt(text: string): string;
}

export interface Keys {
  /** For session tokens. */
  signing: Buffer;
  secrets: Secrets;
}

/** The beginning of an encrypted text; the number tells later versions how it was made. */
export const encryptedPrefix = 'enc:v1:';
export const isEncrypted = (text: string): boolean => text.startsWith(encryptedPrefix);

export const keyFileName = 'secret.key';
/** The row of table `instance` that tells whether the key is still the one that encrypted everything. */
const checkFactName = 'key_check';

interface KeyParts {
  settings: Pick<Settings, 'secret' | 'data'>;
  store: Pick<Store, 'db'>;
  log: { warn(details: object, message: string): void };
}

/**
 * Opens the instance's keys. Makes the key file on the first start without SLUICE_SECRET. Throws StartError when the key is
 * lost or is not the one the store was written with.
 */
export async function openKeys({ settings, store, log }: KeyParts): Promise<Keys> {
  const isKeyRequired = await requiresKey(store);
  const file = path.join(settings.data, keyFileName);
  if (settings.secret !== '' && settings.secret.length < 32)
    log.warn(
      {},
      'SLUICE_SECRET is short: whoever guesses it can sign in as anybody. Use 32 random characters or more.',
    );
  const secret = settings.secret !== '' ? settings.secret : await readKeyFile(file, !isKeyRequired);
  if (secret === undefined)
    throw new StartError(
      `The key of this instance is lost: there is no ${file} and SLUICE_SECRET is not set. Restore the file or set the secret used before.`,
    );
  const check = deriveKey(secret, 'sluice key check').toString('base64url');
  if (!(await verifyCheck(store, check, isKeyRequired)))
    throw new StartError(
      `The key is not the one this instance was written with. Restore ${settings.secret === '' ? file : 'SLUICE_SECRET'} as it was before. Machines that share a store need the same SLUICE_SECRET.`,
    );
  return {
    signing: deriveKey(secret, 'sluice session tokens'),
    secrets: createSecrets(deriveKey(secret, 'sluice secrets')),
  };
}

/** AES-256-GCM with a fresh nonce for each text. */
export function createSecrets(key: Buffer): Secrets {
  return {
    encrypt(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return encryptedPrefix + sealed.toString('base64url');
    },
    decrypt(text) {
      if (!isEncrypted(text)) throw new Error('a text of the store that should be encrypted is not');
      const sealed = Buffer.from(text.slice(encryptedPrefix.length), 'base64url');
      if (sealed.length < 28) throw new Error('an encrypted text of the store is cut short');
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
      decipher.setAuthTag(sealed.subarray(-16));
      return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8');
    },
  };
}

/** One key for each purpose, so that none can stand for another. */
function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

/** Whether something in the store can only be read with the key that wrote it. */
async function requiresKey({ db }: Pick<Store, 'db'>): Promise<boolean> {
  const check = await db.selectFrom('instance').select('name').where('name', '=', checkFactName).executeTakeFirst();
  if (check) return true;
  const pattern = `%${encryptedPrefix}%`;
  const service = await db.selectFrom('service').select('id').where('config', 'like', pattern).executeTakeFirst();
  if (service) return true;
  const lookup = await db.selectFrom('lookup').select('id').where('value', 'like', pattern).executeTakeFirst();
  return lookup !== undefined;
}

/** Compares the key with the check value; a store that was never written with a key takes this one. */
async function verifyCheck({ db }: Pick<Store, 'db'>, check: string, isUsed: boolean): Promise<boolean> {
  const readCheck = () =>
    db.selectFrom('instance').select('value').where('name', '=', checkFactName).executeTakeFirst();
  let stored = await readCheck();
  if (!stored) {
    // Encrypted rows without a check value: nobody can tell which key they need, and a wrong guess would lose them.
    if (isUsed) return false;
    try {
      await db.insertInto('instance').values({ name: checkFactName, value: check }).execute();
      return true;
    } catch (error) {
      // Another process of the same store started at the same moment.
      stored = await readCheck();
      if (!stored) throw error;
    }
  }
  const [a, b] = [Buffer.from(stored.value), Buffer.from(check)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The key file's text; the file is made when `mayCreate`. Two processes that start at once end up with the same file. */
async function readKeyFile(file: string, mayCreate: boolean): Promise<string | undefined> {
  const existing = await readIfExists(file);
  if (existing !== undefined || !mayCreate) return existing;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporaryFile = `${file}.${randomUUID()}`;
  const handle = await open(temporaryFile, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(48).toString('base64url')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    // A link, unlike a rename, fails when the file exists by now, and the file is never half written.
    await link(temporaryFile, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporaryFile, { force: true });
  }
  return readIfExists(file);
}

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (text.length < 32) throw new StartError(`The key file ${file} is damaged. Restore it from a copy.`);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
