// What `{name}` in the texts of an email stands for (contract/sessions-and-accounts.md §6): values by name, and the same
// through a modifier, `{strtoupper(name)}`.
import { fail, fillBraces } from '@sluice/contract';

/** Characters that placeholders may put in, in all texts of an email together. */
export const maxFilled = 4 * 1024 * 1024;

const upperFirst = (text: string) => text.replace(/^./su, (first) => first.toUpperCase());

/** The bytes that `%41` and the like stand for; what is no such code stays. */
const decodePercent = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString());

const encodePercent = (text: string) =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const modifiers = new Map<string, (text: string) => string>([
  ['strtoupper', (text) => text.toUpperCase()],
  ['strtolower', (text) => text.toLowerCase()],
  ['ucfirst', upperFirst],
  ['lcfirst', (text) => text.replace(/^./su, (first) => first.toLowerCase())],
  ['ucwords', (text) => text.replace(/(^|\s)(\S)/gu, (_, blank: string, first: string) => blank + first.toUpperCase())],
  ['urlencode', (text) => encodePercent(text).replaceAll('%20', '+').replaceAll('~', '%7E')],
  ['urldecode', (text) => decodePercent(text.replaceAll('+', ' '))],
  ['rawurlencode', encodePercent],
  ['rawurldecode', decodePercent],
  ['base64_encode', (text) => Buffer.from(text).toString('base64')],
  ['base64_decode', (text) => Buffer.from(text, 'base64').toString()],
  ['trim', (text) => text.trim()],
]);

/** Values by name; undefined for a name that has none. */
export type Values = (name: string) => string | undefined;

/** A text as HTML that shows it. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * A function that fills the texts of one email; a placeholder without a value stays as it was written. `escapes` says that
 * values are texts that go into HTML, where they must not be markup.
 */
export function createFiller(values: Values): (text: string, escapes?: boolean) => string {
  let filled = 0;
  return (text, isEscaped = false) =>
    fillBraces(text, (name) => {
      const value = findValue(name.trim(), values);
      if (value === undefined) return undefined;
      const shown = isEscaped ? escapeHtml(value) : value;
      filled += shown.length;
      if (filled > maxFilled) throw fail('mail.tooLong', { field: 'email', limit: maxFilled });
      return shown;
    });
}

function findValue(name: string, values: Values): string | undefined {
  const plain = values(name);
  if (plain !== undefined) return plain;
  const [, modifier = '', inner = ''] = /^(\w+)\((.*)\)$/s.exec(name) ?? [];
  const modify = modifiers.get(modifier.toLowerCase());
  const value = modify && values(inner.trim());
  return value === undefined ? undefined : modify?.(value);
}
