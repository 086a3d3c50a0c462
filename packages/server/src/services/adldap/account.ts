// The account of a service of the type `adldap`, and names as an Active Directory takes them to sign in.
import { fail } from '@sluice/contract';
import type { Connection } from '../../directories/connection.ts';
import type { Directory } from '../engines/directory.ts';

export interface OpenActiveDirectory {
  directory: Directory;
  /** Who looks for people and reads resources. */
  account: { name: string; password: string } | undefined;
  /** Which groups of a person give them a role. */
  groups: 'none' | 'own' | 'with parents';
  pageSize: number;
}

/** Signs in as the account of the service. Throws `directory.noAccount` and `directory.badAccount`. */
export async function bindAccount(
  connection: Connection,
  { account, directory }: Pick<OpenActiveDirectory, 'account' | 'directory'>,
): Promise<void> {
  if (!account) throw fail('directory.noAccount');
  if (!(await connection.bind(bindName(account.name, directory), account.password))) throw fail('directory.badAccount');
}

/** A name with the suffix of the directory, unless it says its domain itself or is that of an entry. */
export const bindName = (name: string, { suffix }: Pick<Directory, 'suffix'>): string =>
  /[@\\=]/.test(name) ? name : name + suffix;
