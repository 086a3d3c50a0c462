// The first administrator: from the settings at start, or by the one-time code printed where the server was started
// (docs/design.md, Identity). Open only while there is none.
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
import { refuseLookAlike, toAddress } from './addresses.ts';
import { type Directory, hasAdmin, sameText } from './directory.ts';
import type { Leaving } from './fair-queue.ts';
import type { Secrets } from './keys.ts';
import { hashPassword } from './passwords.ts';
import { passwordProblems, readPerson, refuse } from './person-rules.ts';
import type { Throttle } from './throttle.ts';

export interface FirstAdmin {
  email: string;
  password: string;
  first_name: string;
  last_name: string;
}

export interface Setup {
  /** Makes the administrator of SLUICE_ADMIN_EMAIL when there is none; throws StartError when those won't do. */
  fromSettings(): Promise<void>;
  /** The code to print at start, the same in every process of the store; undefined once there is an administrator. */
  code(): Promise<string | undefined>;
  /** Makes the first administrator for whoever has the code; answers the id. */
  run(code: string, admin: FirstAdmin, from: Origin & Leaving): Promise<number>;
}

interface Parts {
  store: Store;
  records: RecordEngine;
  settings: Pick<Settings, 'adminEmail' | 'adminPassword' | 'passwordMin'>;
  secrets: Secrets;
  directory: Directory;
  throttle: Throttle;
}

/** Without letters and digits that look alike; 12 of them are 59 bits. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
/** No e-mail or user name has a blank, so no account shares this count of failures. */
const throttleName = 'set-up code';

/**
 * The row of table `instance` with the code, encrypted. Whoever makes the administrator takes it away, so that of two
 * attempts at once, here or in other processes, one succeeds.
 */
const codeName = 'setup_code';

export function createSetup({ store, records, settings, secrets, directory, throttle }: Parts): Setup {
  const keptCode = async () =>
    secrets.decrypt(await instanceFact(store.db, codeName, () => secrets.encrypt(newCode())));

  return {
    async fromSettings() {
      const { adminEmail: email, adminPassword: password } = settings;
      if ((email === '') !== (password === ''))
        throw new StartError('SLUICE_ADMIN_EMAIL and SLUICE_ADMIN_PASSWORD go together: set both or none.');
      if (email === '' || (await directory.isSetUp())) return;
      try {
        await keptCode();
        const admin = { email, password, first_name: '', last_name: '' };
        await createAdmin({ store, records, settings }, admin);
      } catch (error) {
        // Another process of the same store may have made one at the same moment, and the code been made after that.
        if (await hasAdmin(store.db)) {
          await takeFact(store.db, codeName);
          return store.bus.publish({ table: 'user' });
        }
        throw new StartError(
          `The administrator of SLUICE_ADMIN_EMAIL can't be made: ${(error as Error).message}`,
          error,
        );
      }
    },

    async code() {
      return (await directory.isSetUp()) ? undefined : (await keptCode()).replace(/(.{4})(?=.)/g, '$1-');
    },

    async run(given, admin, from) {
      if (await directory.isSetUp()) throw fail('account.noSetup');
      const sealed = await storedFact(store.db, codeName);
      // Another process made one, and this one has not heard yet.
      if (sealed === undefined && (await hasAdmin(store.db))) throw fail('account.noSetup');
      const isCode = async () =>
        sealed !== undefined && sameText(given.toUpperCase().replace(/[\s-]/g, ''), secrets.decrypt(sealed));
      if (!(await throttle.judge({ account: throttleName, address: from.ip, from }, isCode)))
        throw fail('account.setupCode');
      return createAdmin({ store, records, settings }, admin, from);
    },
  };
}

const newCode = () => Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('');

async function createAdmin(
  { store, records, settings }: Pick<Parts, 'store' | 'records' | 'settings'>,
  { email: address, password, ...names }: FirstAdmin,
  from?: Origin,
): Promise<number> {
  const email = toAddress(address);
  const name = `${names.first_name} ${names.last_name}`.trim() || (email.split('@')[0] ?? '');
  const checked = { email, username: email, name, first_name: names.first_name, last_name: names.last_name };
  const { problems } = await readPerson(store.db, checked, undefined);
  await refuseLookAlike(store.db, email, undefined, problems);
  // The user name is the e-mail: what is wrong with both is said once.
  if (problems.email) delete problems.username;
  refuse({ ...problems, ...passwordProblems(password, settings.passwordMin) });
  const hash = await hashPassword(password);
  const id = await records.transaction(platformActor(from), async (transaction) => {
    const { db, resourceOf } = transaction;
    // A code that was made after the administrator goes all the same, so this undoes nothing.
    if (!(await takeFact(db, codeName)) || (await hasAdmin(db))) return undefined;
    const row = {
      ...checked,
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
