// What configurations of code hosts share: the address of the API, the account and how one signs in.
import { fail, configField as field } from '@sluice/contract';
import { basicOf } from '../fetch/open.ts';
import { refuseField } from '../storage/remote-config.ts';
import { isHostName } from './names.ts';

/** Of GitHub and Bitbucket; `token` is how the host calls it. */
export const accountFields = (token: { label: string; description: string }, usualBase: string) => ({
  vendor: field.string({
    label: 'Account/Organization',
    description: 'The account whose repositories are shown.',
    required: true,
  }),
  username: field.string({
    label: 'Username',
    description: 'Who signs in. Blank: the token alone, or nobody.',
    destination: true,
  }),
  password: field.secret({
    label: 'Password',
    description: 'A password of that user for applications, where there is no token.',
  }),
  token: field.secret(token),
  base_url: field.string({
    label: 'API Address',
    description: `Of a server of your own. Blank: ${usualBase}.`,
    usual: usualBase,
    destination: true,
  }),
});

export interface Account {
  username: string | null;
  password: string | null;
  token: string | null;
}

/** A text without blanks around it; empty for nothing. */
export const trimmed = (text: string | null | undefined): string => text?.trim() ?? '';

/** Whether a lookup key stands in a text, whose value is known when the service opens. */
const hasLookup = (text: string): boolean => text.includes('{');

/** Refuses the name of an account that would be another part of an address; `parts`: it may have several, with slashes. */
export function checkAccount(
  text: string | null | undefined,
  fieldName: string,
  parts: 'one' | 'several' = 'one',
): void {
  const name = trimmed(text);
  if (name === '' || hasLookup(name)) return;
  const names = parts === 'one' ? [name] : name.split('/');
  if (!names.every(isHostName))
    throw refuseField(
      fieldName,
      `The ${fieldName} must be the name of an account, of letters, digits, dots, underscores and dashes.`,
    );
}

/** The address of an API without a slash at its end; refuses what is no plain address of a web server. */
export function baseOf(text: string | null | undefined, usual?: string): string {
  const address = trimmed(text) || usual || '';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw refuseField(
      'base_url',
      'The base_url must be an address that begins with http:// or https://, without a login, a query and a fragment.',
    );
  return url.href.replace(/\/+$/, '');
}

/** As `baseOf` refuses, where the text is complete. */
export function checkBase(text: string | null | undefined): void {
  const address = trimmed(text);
  if (address !== '' && !hasLookup(address)) baseOf(address);
}

/** What headers cannot hold is no token. */
export function checkToken(text: string | null | undefined): void {
  if (!/^[\x21-\x7e]*$/.test(trimmed(text)))
    throw refuseField('token', 'The token must have no blanks and only letters, digits and signs.');
}

/** What no message may hold. */
export const secretsOf = ({ password, token }: Account): string[] =>
  [trimmed(token), password ?? ''].filter((secret) => secret !== '');

/** The header of a user with a password or a token. */
export const basicAuthorization = (username: string, secret: string): string => basicOf(`${username}:${secret}`);

export function requireVendor(text: string | null | undefined): string {
  const vendor = trimmed(text);
  if (vendor === '') throw fail('repository.noVendor');
  checkAccount(vendor, 'vendor');
  return vendor;
}
