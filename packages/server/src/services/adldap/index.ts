// An Active Directory: people sign in by it, their groups may give them roles, and people, groups and computers can be read.
import { type ConfigFields, type ConfigOf, configField as field } from '@sluice/contract';
import { TypedMap } from '../../call/typed-map.ts';
import { normalizeName } from '../../directories/names.ts';
import { type PasswordAttempt, passwordProvider } from '../../identity/external/password-provider.ts';
import { serviceType } from '../../service/service.ts';
import { refuseField } from '../../storage/remote-config.ts';
import { addressOf, checkDirectory, directoryFields, openDirectory, testDirectory } from '../engines/directory.ts';
import { bindAccount, type OpenActiveDirectory } from './account.ts';
import { resources } from './resources.ts';
import { checkPassword } from './sign-in.ts';

/** Entries of a page: what an Active Directory answers at once. */
const usualPageSize = 1000;

const config = {
  ...directoryFields,
  map_group_to_role: field.boolean({
    label: 'Map Group To Role',
    description: 'People get the role that is bound to a group of theirs, in place of the default role.',
    default: false,
  }),
  map_group_hierarchy: field.boolean({
    label: 'Allow Group Hierarchy When Mapping',
    description: 'Groups count, too, that groups of theirs are in.',
    default: false,
  }),
  username: field.string({
    label: 'Username',
    description:
      'The account that looks for people and groups. Without it people sign in by their own, and nothing can be read.',
    destination: true,
  }),
  password: field.secret({ label: 'Password', description: 'The password of that account.' }),
  max_page_size: field.integer({
    label: 'Max Page Size',
    description: 'How many entries the directory answers at once.',
    default: usualPageSize,
  }),
} satisfies ConfigFields;

export type ActiveDirectoryConfig = ConfigOf<typeof config>;

/** Sign-in by an Active Directory, and what it holds. */
export const adldap = serviceType<typeof config, OpenActiveDirectory>({
  name: 'adldap',
  label: 'Active Directory',
  description: 'People sign in by an Active Directory; its people, groups and computers can be read.',
  group: 'LDAP',
  can: { signIn: 'ldap', accessList: true },
  config,
  check(values) {
    checkDirectory(values);
    const { max_page_size: size } = values;
    if (size !== null && size !== undefined && (size < 1 || size > 1000))
      throw refuseField('max_page_size', 'The max_page_size must be between 1 and 1000.');
  },
  address: addressOf,
  test: (values) =>
    testDirectory(values, async (connection) => {
      const opened = openService(values);
      if (opened.account) await bindAccount(connection, opened);
    }),
  resources,
  open(values, { id, name }) {
    const opened = openService(values);
    const { default_role, app_role_map } = values;
    const service = { id, name, column: 'adldap' as const, roles: { default_role, app_role_map } };
    const provider = {
      check: (attempt: PasswordAttempt) => checkPassword(opened, attempt),
      groupName: normalizeName,
    };
    return { ...opened, provides: new TypedMap().set(passwordProvider, { provider, service }) };
  },
});

function openService(values: ActiveDirectoryConfig): OpenActiveDirectory {
  const { username, password, map_group_to_role, map_group_hierarchy, max_page_size } = values;
  const name = username?.trim();
  return {
    directory: openDirectory(values),
    account: name && password ? { name, password } : undefined,
    groups: map_group_to_role !== true ? 'none' : map_group_hierarchy === true ? 'with parents' : 'own',
    pageSize: Math.min(Math.max(max_page_size ?? usualPageSize, 1), 1000),
  };
}
