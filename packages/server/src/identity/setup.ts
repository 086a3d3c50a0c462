// The first administrator: made from the settings at start, or with the one-time code that is printed where the server was
// started (docs/design.md, Identity). Open only while there is no administrator.
import { randomInt } from 'node:crypto';
import { fail } from '@sluice/contract';
import type { Origin } from '../audit/index.ts';
import { platformActor } from '../records/actor.ts';
import type { RecordEngine } from '../records/index.ts';
import { insertRow } from '../records/write-row.ts';
import type { Settings } from '../settings/index.ts';
import { StartError } from '../settings/start-error.ts';
import { instanceFact, storedFact, takeFact } from '../store/facts.ts';
import { type Store, skeletonOf } from '../store/index.ts';
import { addLookAlikeProblem, normalizeAddress } from './addresses.ts';
import { type Directory, hasAdmin, isSameSecret } from './directory.ts';
import type { Abortable } from './fair-queue.ts';
import type { Secrets } from './keys.ts';
import { hashPassword } from './passwords.ts';
import { assertNoProblems, findPasswordProblems, readPerson } from './person-rules.ts';
import type { Throttle } from './throttle.ts';

export interface FirstAdmin {
  email: string;
  password: string;
  first_name: string;
  last_name: string;
}

export interface Setup {
  /** Makes the administrator of SLUICE_ADMIN_EMAIL when there is none; throws StartError when that cannot be done. */
  createFromSettings(): Promise<void>;
  /** The code to print at start, the same in every process of the store; undefined once there is an administrator. */
  readCode(): Promise<string | undefined>;
  /** Makes the first administrator, given the code; answers the id. */
  createFirstAdmin(code: string, admin: FirstAdmin, call: Origin & Abortable): Promise<number>;
}

interface SetupParts {
  store: Store;
  records: RecordEngine;
  settings: Pick<Settings, 'adminEmail' | 'adminPassword' | 'passwordMin'>;
  secrets: Secrets;
  directory: Directory;
  throttle: Throttle;
}

/** Without letters and digits that look alike; 12 of them are 59 bits. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
/** The name under which wrong codes are counted. No e-mail or user name has a blank, so no account shares this count. */
const throttleAccount = 'set-up code';

/**
 * The row of table `instance` with the encrypted code. Making the administrator deletes it, so that of two
 * attempts at once, in this process or in others, one succeeds.
 */
const codeFactName = 'setup_code';

export function createSetup({ store, records, settings, secrets, directory, throttle }: SetupParts): Setup {
  const readOrCreateCode = async () =>
    secrets.decrypt(await instanceFact(store.db, codeFactName, () => secrets.encrypt(generateCode())));

  return {
    async createFromSettings() {
      const { adminEmail: email, adminPassword: password } = settings;
      if ((email === '') !== (password === ''))
        throw new StartError('SLUICE_ADMIN_EMAIL and SLUICE_ADMIN_PASSWORD go together: set both or none.');
      if (email === '' || (await directory.isSetUp())) return;
      try {
        await readOrCreateCode();
        const admin = { email, password, first_name: '', last_name: '' };
        await createAdmin({ store, records, settings }, admin);
      } catch (error) {
        // Another process of the same store may have made one at the same moment, and the code may be younger than it.
        if (await hasAdmin(store.db)) {
          await takeFact(store.db, codeFactName);
          return store.bus.publish({ table: 'user' });
        }
        throw new StartError(
          `The administrator of SLUICE_ADMIN_EMAIL can't be made: ${(error as Error).message}`,
          error,
        );
      }
    },

    async readCode() {
      return (await directory.isSetUp()) ? undefined : (await readOrCreateCode()).replace(/(.{4})(?=.)/g, '$1-');
    },

    async createFirstAdmin(code, admin, call) {
      if (await directory.isSetUp()) throw fail('account.noSetup');
      const encryptedCode = await storedFact(store.db, codeFactName);
      // Another process made one, and this process has not been told yet.
      if (encryptedCode === undefined && (await hasAdmin(store.db))) throw fail('account.noSetup');
      const isRightCode = async () =>
        encryptedCode !== undefined &&
        isSameSecret(code.toUpperCase().replace(/[\s-]/g, ''), secrets.decrypt(encryptedCode));
      if (!(await throttle.judge({ account: throttleAccount, address: call.ip, call }, isRightCode)))
        throw fail('account.setupCode');
      return createAdmin({ store, records, settings }, admin, call);
    },
  };
}

const generateCode = () => Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('');

async function createAdmin(
  { store, records, settings }: Pick<SetupParts, 'store' | 'records' | 'settings'>,
  { email: address, password, ...names }: FirstAdmin,
  origin?: Origin,
): Promise<number> {
  const email = normalizeAddress(address);
  const name = `${names.first_name} ${names.last_name}`.trim() || (email.split('@')[0] ?? '');
  const input = { email, username: email, name, first_name: names.first_name, last_name: names.last_name };
  const { problems } = await readPerson(store.db, input, undefined);
  await addLookAlikeProblem(store.db, email, undefined, problems);
  // The user name is the e-mail: a problem of both is reported once.
  if (problems.email) delete problems.username;
  assertNoProblems({ ...problems, ...findPasswordProblems(password, settings.passwordMin) });
  const hash = await hashPassword(password);
  const id = await records.transaction(platformActor(origin), async (transaction) => {
    const { db, resourceOf } = transaction;
    // A code that was made after the administrator is taken away all the same: answering undefined commits that.
    if (!(await takeFact(db, codeFactName)) || (await hasAdmin(db))) return undefined;
    const row = {
      ...input,
      email_skeleton: skeletonOf(email),
      first_name: names.first_name || null,
      last_name: names.last_name || null,
      password: hash,
      is_active: 1,
    };
    return Number(await insertRow(resourceOf('admin'), row, transaction));
  });
  if (id === undefined) throw fail('account.noSetup');
  return id;
}
