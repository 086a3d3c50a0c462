// Signing in by a name and a password of a directory (contract/sessions-and-accounts.md §9). Guesses meet the budgets of local
// passwords: by the name as it is typed, and by the entry it leads to, since a directory takes many spellings for one.
import { fail } from '@sluice/contract';
import type { Store } from '../../store/index.ts';
import { createThrottle, type Throttle } from '../throttle.ts';
import type { ExternalCall } from './index.ts';
import type { PasswordProvider, PasswordSignIn } from './password-provider.ts';
import type { ExternalService } from './provider.ts';

export interface DirectoryCredentials {
  username: string;
  password: string;
}

export interface PasswordOffer {
  provider: PasswordProvider;
  service: ExternalService;
}

/** Characters of a name and of a password; no account of a directory has longer ones. */
const maxName = 255;
const maxPassword = 1_000;

/** Checks names and passwords at directories. */
export function createPasswordCheck(throttle: Throttle) {
  const byEntry = createThrottle();

  /** The sign-in of a right name and password. Throws `directory.credentials` where they are wrong. */
  return async function checkPassword(
    { provider, service }: PasswordOffer,
    { username, password }: DirectoryCredentials,
    call: ExternalCall,
  ): Promise<PasswordSignIn> {
    // An empty password is one of everybody's to many directories.
    if (username.trim() === '' || password === '') throw fail('directory.noCredentials');
    const name = readName(username);
    let signIn: PasswordSignIn | undefined;
    const guess = (account: string) => ({ account: `directory ${service.id} ${account}`, address: call.ip, call });
    await throttle.judge(guess(accountOf(name ?? username)), async () => {
      if (name === undefined || password.length > maxPassword || password.includes('\0')) return false;
      signIn = await provider.check({
        ...{ name, password, call },
        guess: (entry, check) => byEntry.judge(guess(entry), check),
      });
      return signIn !== undefined;
    });
    if (!signIn) throw fail('directory.credentials');
    return signIn;
  };
}

/** A name in the one form it is looked for in; undefined for one that no account has. */
function readName(text: string): string | undefined {
  const name = text
    .normalize('NFKC')
    .replace(/\p{Z}+/gu, ' ')
    .trim();
  return name === '' || name.length > maxName || /\p{C}/u.test(name) ? undefined : name;
}

/** What a name is counted as: a domain before or behind it, accents and letter case are no other account to directories. */
const accountOf = (name: string): string =>
  (name.split('\\').at(-1) ?? '')
    .replace(/(?<=.)@.*$/s, '')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}\p{P}\p{S}]+/gu, '')
    .toLowerCase();

/** The service with the roles that the groups of a person give: the first group that a role is bound to decides. */
export async function withRoleOfGroups(
  { db }: Pick<Store, 'db'>,
  { provider, service }: PasswordOffer,
  groups: readonly string[] | undefined,
): Promise<ExternalService> {
  if (!groups) return service;
  const bindings = await db.selectFrom('role_adldap').select(['role_id', 'dn']).orderBy('role_id').execute();
  const roles = new Map<string, number>();
  for (const { role_id, dn } of bindings) {
    const name = provider.groupName(dn);
    if (name !== undefined && !roles.has(name)) roles.set(name, role_id);
  }
  const role = groups.map((group) => roles.get(group)).find((id) => id !== undefined);
  return { ...service, roles: { ...service.roles, byGroups: { role } } };
}
