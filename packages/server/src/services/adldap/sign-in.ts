// Signing in by an Active Directory: whose entry a name is, whether the password is theirs, and their groups.
import type { Connection } from '../../directories/connection.ts';
import { bytesOf, type DirectoryEntry, sidInDomainOf, textOf } from '../../directories/entry.ts';
import { type Filters, loadFilters } from '../../directories/filter.ts';
import { escapeValue, normalizeName } from '../../directories/names.ts';
import type { PasswordAttempt, PasswordSignIn } from '../../identity/external/password-provider.ts';
import { type Directory, findOne, personOf, readEntryAt } from '../engines/directory.ts';
import { bindAccount, bindName, type OpenActiveDirectory } from './account.ts';

/** What accounts are known by. */
const identifiers = ['objectguid', 'entryuuid'];
/** Bounds of a person's groups, with those that they are in, and how many are read at once. */
const maxGroups = 500;
const maxGroupsOfOne = 2_000;
const readAtOnce = 20;

/**
 * Whose name and password these are. An entry that is found by a name says nothing of the password that came with it: in the end
 * the password is tried at that very entry. Without an account of the service, people look for themselves.
 */
export async function checkPassword(
  service: OpenActiveDirectory,
  { name, password, call, guess }: PasswordAttempt,
): Promise<PasswordSignIn | undefined> {
  const { directory, account, groups: wanted } = service;
  const filters = await loadFilters();
  const requests = requestsFor(name, directory, filters);
  const locate = (connection: Connection) => findOne(connection, directory.base, requests);
  const located =
    account &&
    (await directory.connect(call, async (connection) => {
      await bindAccount(connection, service);
      return locate(connection);
    }));
  // A name of nobody is tried like any other.
  const dn = account ? (located?.dn ?? `cn=${escapeValue(name)},${directory.base}`) : undefined;

  let signIn: PasswordSignIn | undefined;
  const isRight = await guess(dn ? (normalizeName(dn) ?? dn) : accountName(name).toLowerCase(), () =>
    directory.connect(call, async (connection) => {
      if (!(await connection.bind(dn ?? bindName(name, directory), password))) return false;
      const entry = account ? located : await locate(connection);
      if (!entry || (!account && !(await connection.bind(entry.dn, password)))) return false;
      const own = (await readEntryAt(connection, entry.dn)) ?? entry;
      if (wanted !== 'none' && account) await bindAccount(connection, service);
      const groups = wanted === 'none' ? undefined : await groupsOf(own, connection, service, filters);
      signIn = { person: personOf(own, accountName(name), directory, identifiers), groups };
      return true;
    }),
  );
  return isRight ? signIn : undefined;
}

/** `jo` of `CORP\jo`. */
const accountName = (name: string): string => name.split('\\').at(-1) ?? name;

/** What finds the entry of a name, the first that finds any decides. */
function requestsFor(name: string, { suffix }: Directory, filters: Filters) {
  const plain = accountName(name);
  const isOwn = suffix !== '' && plain.toLowerCase().endsWith(suffix.toLowerCase());
  const byPrincipal = filters.equals('userPrincipalName', plain);
  const byAccount = (account: string) => filters.equals('sAMAccountName', account);
  const requests = isOwn
    ? [byPrincipal, byAccount(plain.slice(0, -suffix.length))]
    : [plain.includes('@') ? byPrincipal : byAccount(plain)];
  return requests.map((request) => filters.and(...personFilters(filters), request));
}

/** People: computers are users, too. */
export const personFilters = ({ equals, not }: Filters) => [
  equals('objectClass', 'user'),
  not(equals('objectClass', 'computer')),
];

/** The groups of a person in the order in which they count: the primary one, their own, and those that these are in. */
async function groupsOf(
  person: DirectoryEntry,
  connection: Connection,
  { directory, groups: wanted }: OpenActiveDirectory,
  filters: Filters,
): Promise<string[]> {
  const primary = await findPrimaryGroup(person, connection, directory, filters);
  const found = new Map<string, string>();
  const add = (names: readonly string[]) =>
    names.filter((name) => {
      const key = normalizeName(name);
      if (key === undefined || found.has(key) || found.size >= maxGroups) return false;
      found.set(key, name);
      return true;
    });
  let level = add([...(primary ? [primary.dn] : []), ...groupNames(person)]);
  while (wanted === 'with parents' && level.length > 0) {
    const parents: string[] = [];
    for (let start = 0; start < level.length; start += readAtOnce) {
      const some = level.slice(start, start + readAtOnce);
      const entries = await Promise.all(some.map((name) => readEntryAt(connection, name)));
      for (const entry of entries) if (entry) parents.push(...groupNames(entry));
    }
    level = add(parents);
  }
  return [...found.keys()];
}

/** The groups an entry is in itself, in an order of their own: a directory tells none. */
const groupNames = ({ attributes }: DirectoryEntry): string[] =>
  (attributes.get('memberof') ?? [])
    .slice(0, maxGroupsOfOne)
    .filter((name) => typeof name === 'string')
    .sort();

/** The group that a person has by its number, which is not among those that they are listed in. */
export async function findPrimaryGroup(
  person: DirectoryEntry,
  connection: Connection,
  { base }: Directory,
  { and, equals }: Filters,
): Promise<DirectoryEntry | undefined> {
  const sid = bytesOf(person, 'objectsid');
  const number = textOf(person, 'primarygroupid');
  const group =
    sid && number !== undefined && /^\d{1,10}$/.test(number) ? sidInDomainOf(sid, Number(number)) : undefined;
  return group && findOne(connection, base, [and(equals('objectClass', 'group'), equals('objectSid', group))]);
}
