// Addresses of emails, read strictly: each text is exactly one address that a mail server gets letter by letter, or it is
// refused. Quotes, comments and groups of RFC 5322 have sent mails elsewhere before.
import { fail } from '@sluice/contract';
import { isRecord } from '../call/payload.ts';

export interface Address {
  /** Empty where there is none. */
  name: string;
  address: string;
}

const maxAddressLength = 254;
const maxNameLength = 255;
/** Characters of a text that lists addresses. */
const maxListLength = 64 * 1024;

const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}-]*[\\p{L}\\p{N}\\p{M}])?';
const atoms = "[\\p{L}\\p{N}\\p{M}!#$%&'*+/=?^_`{|}~-]+";
const addressPattern = new RegExp(`^${atoms}(?:\\.${atoms})*@${label}(?:\\.${label})*$`, 'u');

/** Whether a text is one address, without a name. */
const isAddress = (text: string): boolean => text.length <= maxAddressLength && addressPattern.test(text);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const breaking = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g;

/** A text for a header: on one line, whatever it holds. */
export const oneLine = (text: string): string => text.replace(breaking, ' ').trim();

const badAddress = (input: unknown) =>
  fail('mail.badAddress', { address: oneLine(typeof input === 'string' ? input.slice(0, 200) : '') });

/** `a@b.c`, or `Jo <a@b.c>` with the name in quotes or not. */
export function parseAddress(text: string): Address {
  if (text.length > maxAddressLength + maxNameLength + 10) throw badAddress(text);
  const trimmed = text.trim();
  if (isAddress(trimmed)) return { name: '', address: trimmed };
  const [, name = '', address = ''] = /^([^<>]*)<([^<>]*)>$/.exec(trimmed) ?? [];
  if (!isAddress(address)) throw badAddress(text);
  return { name: nameOf(name.trim().replace(/^"([^"]*)"$/, '$1')), address };
}

/** A name beside an address; one that is too long for a header is cut. */
export const nameOf = (text: string): string => oneLine(text).slice(0, maxNameLength);

/** `"a@b.c"`, also with commas between several, `{"name","email"}`, or a list of either; `fill` puts values in. */
export function readAddresses(input: unknown, fill: (text: string) => string): Address[] {
  if (input === undefined || input === null || input === '') return [];
  if (Array.isArray(input)) return input.flatMap((item) => readItem(item, fill));
  if (typeof input !== 'string') return readItem(input, fill);
  if (input.length > maxListLength) throw badAddress(input);
  return splitAddresses(input).map((part) => parseAddress(fill(part)));
}

function readItem(item: unknown, fill: (text: string) => string): Address[] {
  if (typeof item === 'string') return [parseAddress(fill(item))];
  if (!isRecord(item) || typeof item.email !== 'string') throw badAddress(item);
  const address = fill(item.email).trim();
  if (!isAddress(address)) throw badAddress(address);
  return [{ name: typeof item.name === 'string' ? nameOf(fill(item.name)) : '', address }];
}

/** `a@b.c, "Doe, Jo" <jo@b.c>`: commas inside quotes are part of a name. */
const splitAddresses = (text: string): string[] =>
  (text.match(/(?:"[^"]*"|[^",])+|"/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');
