// People sign in by a directory of any kind. It has no resources.
import { TypedMap } from '../../call/typed-map.ts';
import { loadFilters } from '../../directories/filter.ts';
import { escapeValue, normalizeName } from '../../directories/names.ts';
import {
  type PasswordAttempt,
  type PasswordSignIn,
  passwordProvider,
} from '../../identity/external/password-provider.ts';
import { serviceType } from '../../service/service.ts';
import {
  addressOf,
  checkDirectory,
  type Directory,
  directoryFields,
  findOne,
  openDirectory,
  personOf,
  readEntryAt,
  testDirectory,
} from '../engines/directory.ts';

/** What accounts are known by; the directory keeps them, and nobody writes them. */
const identifiers = ['entryuuid', 'objectguid'];

/** Sign-in by an LDAP directory. */
export const ldap = serviceType({
  name: 'ldap',
  label: 'Standard LDAP',
  description: 'People sign in by an LDAP directory.',
  group: 'LDAP',
  can: { signIn: 'ldap' },
  config: directoryFields,
  check: checkDirectory,
  address: addressOf,
  test: (config) => testDirectory(config),
  open(config, { id, name }) {
    const directory = openDirectory(config);
    const { default_role, app_role_map } = config;
    const service = { id, name, column: 'adldap' as const, roles: { default_role, app_role_map } };
    const provider = {
      check: (attempt: PasswordAttempt) => checkPassword(directory, attempt),
      groupName: normalizeName,
    };
    return { provides: new TypedMap().set(passwordProvider, { provider, service }) };
  },
});

/**
 * Looks for the entry of a name as nobody, signs in as it, and reads it. Where nobody may look, or none is found, the entry is the
 * one right below the base: that takes as long for names that are nobody's.
 */
async function checkPassword(
  directory: Directory,
  { name, password, call, guess }: PasswordAttempt,
): Promise<PasswordSignIn | undefined> {
  const { base } = directory;
  const { equals } = await loadFilters();
  const attributes = ['uid', 'sAMAccountName', ...(name.includes('@') ? ['mail'] : [])];
  const filters = attributes.map((attribute) => equals(attribute, name));
  const found = await directory.connect(call, (connection) => findOne(connection, base, filters));
  const dn = found?.dn ?? `uid=${escapeValue(name)},${base}`;
  let entry = found;
  const isRight = await guess(normalizeName(dn) ?? dn, () =>
    directory.connect(call, async (connection) => {
      if (!(await connection.bind(dn, password))) return false;
      entry = (await readEntryAt(connection, dn)) ?? found;
      return true;
    }),
  );
  return isRight
    ? { person: personOf(entry ?? { dn, attributes: new Map() }, name, directory, identifiers) }
    : undefined;
}
