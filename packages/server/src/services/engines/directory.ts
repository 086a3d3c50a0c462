// What services of directories share: their fields, how many calls of one are under way, and the person of an entry.
import { type ConfigFields, fail, configField as field } from '@sluice/contract';
import type { Call } from '../../call/call.ts';
import type { CallSlots } from '../../call/call-slots.ts';
import { createCallSlots } from '../../call/call-slots.ts';
import { checkAddress, type DirectoryAddress, readAddress } from '../../directories/address.ts';
import { type Connection, withConnection } from '../../directories/connection.ts';
import { bytesOf, type DirectoryEntry, textOf } from '../../directories/entry.ts';
import { domainOf, normalizeName } from '../../directories/names.ts';
import type { ProviderPerson } from '../../identity/external/provider.ts';
import { hostAddress, refuseField } from '../../storage/remote-config.ts';
import { roleFields } from './oauth-type.ts';

/** The fields of every directory, in the order of contract/service-types.md §9. */
export const directoryFields = {
  ...roleFields,
  host: field.string({
    label: 'Host',
    description:
      'Name or address of the directory. ldaps:// before it encrypts the connection, ldap+starttls:// encrypts one that begins in the clear; without them passwords are sent in the clear. A port may follow: ad.example.com:3268.',
    required: true,
    destination: true,
  }),
  base_dn: field.string({
    label: 'Base DN',
    description: 'The entry below which people are: dc=example,dc=com.',
    required: true,
  }),
  account_suffix: field.string({
    label: 'Account Suffix',
    description:
      'What stands behind the names of accounts, @example.com. Blank: the domain of the base DN. Addresses of people without one of their own end in it, too.',
    destination: true,
  }),
} satisfies ConfigFields;

export interface DirectoryConfig {
  host: string | null;
  base_dn: string | null;
  account_suffix: string | null;
}

/** Calls of a directory at a time, those that wait, and milliseconds that one waits. */
const slotsOfOne = { total: 8, kept: 2, maxWaiting: 256, waitTime: 15_000 };

/** Checks what all configurations of directories have. */
export function checkDirectory({ host, base_dn }: DirectoryConfig): void {
  checkAddress(host);
  const base = base_dn?.trim() ?? '';
  if (!base.includes('{') && normalizeName(base) === undefined)
    throw refuseField('base_dn', 'The base_dn must be the name of an entry: dc=example,dc=com.');
}

export function addressOf({ host }: DirectoryConfig): string | undefined {
  const address = readAddress(host ?? '');
  return address && hostAddress(address.host, address.port);
}

type SlotCall = Pick<Call, 'caller' | 'ip' | 'signal'>;

/** A directory that calls go to, each on a connection of its own. */
export interface Directory {
  base: string;
  /** `@example.com`; empty where nothing says it. */
  suffix: string;
  domain: string | undefined;
  /** Does `work` on a new connection, once the call has its turn. */
  connect<T>(call: SlotCall, work: (connection: Connection) => Promise<T>): Promise<T>;
}

export function openDirectory(config: DirectoryConfig): Directory {
  const slots: CallSlots = createCallSlots({ ...slotsOfOne, busy: () => fail('directory.busy') });
  const base = config.base_dn?.trim() ?? '';
  const domain = config.account_suffix?.trim().replace(/^@/, '') || domainOf(base);
  return {
    ...{ base, domain, suffix: domain === undefined ? '' : `@${domain}` },
    connect: (call, work) =>
      slots.run(call as Call, () => withConnection(placeOf(config), { signal: call.signal }, work)),
  };
}

function placeOf({ host }: DirectoryConfig): DirectoryAddress {
  const place = readAddress(host ?? '');
  if (!place) throw fail('directory.unreachable', { problem: 'its host is no address' });
  return place;
}

/** Connects once and looks at the base; throws what went wrong. */
export const testDirectory = (config: DirectoryConfig, bind?: (connection: Connection) => Promise<void>) =>
  withConnection(placeOf(config), {}, async (connection) => {
    await bind?.(connection);
    await connection.search(config.base_dn?.trim() ?? '', { scope: 'base', attributes: ['1.1'], limit: 1 });
  });

/** The attributes that say who somebody is. */
export const personAttributes = [
  ...['uid', 'sAMAccountName', 'cn', 'displayName', 'givenName', 'sn', 'mail', 'memberOf', 'primaryGroupID'],
  ...['entryUUID', 'objectGUID', 'objectSid'],
] as const;

/** The person of an entry, known by the first of these identifiers that it has: names of entries change, and are given again. */
export function personOf(
  entry: DirectoryEntry,
  name: string,
  { domain }: Directory,
  identifiers: readonly string[],
): ProviderPerson {
  const identifier = identifiers.find((attribute) => bytesOf(entry, attribute) !== undefined);
  const value = identifier === undefined ? undefined : bytesOf(entry, identifier);
  const email = textOf(entry, 'mail');
  return {
    subject: value ? `${identifier}:${value.toString('hex')}` : `dn:${normalizeName(entry.dn) ?? entry.dn}`,
    email,
    // Who keeps the directory answers for the addresses in it.
    isEmailVerified: email !== undefined,
    name: textOf(entry, 'displayname') ?? textOf(entry, 'cn'),
    firstName: textOf(entry, 'givenname'),
    lastName: textOf(entry, 'sn'),
    account: { name: textOf(entry, 'samaccountname') ?? textOf(entry, 'uid') ?? name, domain },
  };
}

/** The one entry that has one of these values; undefined where none or several have the first that any has. */
export async function findOne(
  connection: Connection,
  base: string,
  requests: readonly Parameters<Connection['search']>[1]['filter'][],
): Promise<DirectoryEntry | undefined> {
  for (const filter of requests) {
    const entries = await connection.search(base, {
      ...(filter ? { filter } : {}),
      ...{ attributes: personAttributes, limit: 2 },
    });
    if (entries.length > 0) return entries.length === 1 ? entries[0] : undefined;
  }
  return undefined;
}

/** An entry by its name, as the person sees it who is signed in; undefined where it is not shown. */
export const readEntryAt = async (connection: Connection, name: string): Promise<DirectoryEntry | undefined> =>
  (await connection.search(name, { scope: 'base', attributes: personAttributes, limit: 1 }))[0];
