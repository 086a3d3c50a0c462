// Entries of a directory: their attributes by name in lower case, and as callers get them.
import type { Entry } from 'ldapts';

export interface DirectoryEntry {
  dn: string;
  /** Texts, or bytes where they are none. */
  attributes: ReadonlyMap<string, readonly (string | Buffer)[]>;
}

/** Attributes whose values let somebody in: they are never answered, nor asked for by a filter. */
export const secretAttributes: ReadonlySet<string> = new Set([
  ...[
    'userpassword',
    'authpassword',
    'unicodepwd',
    'dbcspwd',
    'ntpwdhistory',
    'lmpwdhistory',
    'supplementalcredentials',
  ],
  ...['ms-mcs-admpwd', 'mslaps-password', 'mslaps-encryptedpassword', 'mslaps-encryptedpasswordhistory'],
  ...['mslaps-encrypteddsrmpassword', 'mslaps-encrypteddsrmpasswordhistory', 'msds-managedpassword'],
  ...['ms-fve-recoverypassword', 'msfve-recoverypassword', 'msfve-keypackage', 'unixuserpassword', 'pwdhistory'],
  ...['sambantpassword', 'sambalmpassword', 'sambapasswordhistory', 'krbprincipalkey', 'ipanthash'],
]);

/** An entry as the library has it. */
export function readEntry({ dn, ...attributes }: Entry): DirectoryEntry {
  const read = new Map<string, (string | Buffer)[]>();
  for (const [name, value] of Object.entries(attributes)) {
    const key = name.toLowerCase();
    const values = [read.get(key) ?? [], value].flat();
    if (values.length > 0 && !secretAttributes.has(baseName(key))) read.set(key, values);
  }
  return { dn, attributes: read };
}

/** The first text of an attribute; undefined where there is none. */
export function textOf({ attributes }: DirectoryEntry, name: string): string | undefined {
  const value = attributes.get(name)?.[0];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The first value of an attribute as bytes. */
export function bytesOf({ attributes }: DirectoryEntry, name: string): Buffer | undefined {
  const value = attributes.get(name)?.[0];
  return value === undefined ? undefined : Buffer.from(value as string);
}

/** What an attribute is called without its options: `member` of `member;range=0-1499`. */
export const baseName = (attribute: string): string => attribute.split(';')[0]!.toLowerCase();

/** An entry as callers get it: one value as it is, several as a list; bytes in base64, identifiers as they are usually written. */
export function recordOf({ dn, attributes }: DirectoryEntry): Record<string, unknown> {
  const record: Record<string, unknown> = { dn };
  for (const [name, values] of attributes) {
    const shown = values.map((value) => showValue(name, value));
    Object.defineProperty(record, name, {
      value: shown.length === 1 ? shown[0] : shown,
      ...{ enumerable: true, configurable: true, writable: true },
    });
  }
  return record;
}

function showValue(name: string, value: string | Buffer): string {
  if (name === 'objectguid') return guidText(Buffer.from(value as string)) ?? String(value);
  if (name === 'objectsid') return sidText(Buffer.from(value as string)) ?? String(value);
  return typeof value === 'string' ? value : value.toString('base64');
}

/** `6f9619ff-8b86-d011-b42d-00c04fc964ff`; the first three groups lie the other way round. */
export function guidText(bytes: Buffer): string | undefined {
  if (bytes.length !== 16) return undefined;
  const hex = (start: number, end: number) => bytes.toString('hex', start, end);
  const turned = (start: number, end: number) => Buffer.from(bytes.subarray(start, end)).reverse().toString('hex');
  return [turned(0, 4), turned(4, 6), turned(6, 8), hex(8, 10), hex(10, 16)].join('-');
}

/** `S-1-5-21-…-513`. */
export function sidText(bytes: Buffer): string | undefined {
  const count = bytes[1] ?? 0;
  if (bytes.length < 8 || bytes.length !== 8 + 4 * count) return undefined;
  const parts = Array.from({ length: count }, (_, index) => bytes.readUInt32LE(8 + 4 * index));
  return ['S', bytes[0], bytes.readUIntBE(2, 6), ...parts].join('-');
}

/** The identifier of what has this number in the domain of another identifier. */
export function sidInDomainOf(bytes: Buffer, number: number): Buffer | undefined {
  const parts = bytes[1] ?? 0;
  if (sidText(bytes) === undefined || parts < 2 || !Number.isInteger(number) || number < 0 || number > 0xffff_ffff)
    return undefined;
  const sid = Buffer.from(bytes);
  sid.writeUInt32LE(number, sid.length - 4);
  return sid;
}
