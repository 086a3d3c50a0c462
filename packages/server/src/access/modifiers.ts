// The twelve modifiers of names in braces, `{strtoupper(name)}` (contract/sessions-and-accounts.md §6): wherever lookups and
// placeholders are put in, they may stand around a name.
import type { Lookup } from './lookups.ts';

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

/** The name and the modifier around it; undefined where there is none of the twelve. */
function parseModifier(name: string): { inner: string; modify: (text: string) => string } | undefined {
  const [, modifier = '', inner = ''] = /^(\w+)\((.*)\)$/s.exec(name.trim()) ?? [];
  const modify = modifiers.get(modifier.toLowerCase());
  return modify && { inner: inner.trim(), modify };
}

/** The name whose value is put in: that inside a modifier, else the name itself; without the blanks around it. */
export const nameInModifier = (name: string): string => parseModifier(name)?.inner ?? name.trim();

/** Values by name, also through a modifier. A name that is known as it is written goes before. */
export const withModifiers =
  (values: Lookup): Lookup =>
  (name) => {
    const plain = values(name);
    if (plain !== undefined) return plain;
    const call = parseModifier(name);
    const value = call && values(call.inner);
    return value === undefined ? undefined : call?.modify(value);
  };
