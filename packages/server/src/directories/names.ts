// Distinguished names as text (RFC 4514): compared, written with values of callers, and the domain they are of.

/** More characters has no name that is looked at. */
const maxLength = 8_000;

interface Part {
  type: string;
  value: string;
}

/**
 * A name in the form it is compared in: letter case, blanks around its parts, and how its characters are escaped do not count.
 * Undefined for what is no name.
 */
export function normalizeName(name: string): string | undefined {
  const parts = readParts(name);
  if (!parts || parts.length === 0) return undefined;
  return parts
    .map((together) =>
      together
        .map(({ type, value }) => `${type}=${escapeValue(value.replace(/ +/g, ' ').toLowerCase())}`)
        .sort()
        .join('+'),
    )
    .join(',');
}

/** A text as the value in a name: what has a meaning there is escaped. */
export const escapeValue = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
    .replace(/[\\,+"<>;=\x00-\x1f]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/^[ #]/, (character) => `\\${character.charCodeAt(0).toString(16)}`)
    .replace(/ $/, '\\20');

/** `example.com` of `ou=people,dc=example,dc=com`; undefined where the name is of no domain. */
export function domainOf(name: string): string | undefined {
  const domain = (readParts(name) ?? [])
    .flat()
    .filter(({ type }) => type === 'dc')
    .map(({ value }) => value.toLowerCase())
    .join('.');
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain) ? domain : undefined;
}

/** The parts of a name, each of one or more types and values that belong together; undefined where it cannot be read. */
function readParts(name: string): Part[][] | undefined {
  if (name.length > maxLength) return undefined;
  const parts: Part[][] = [];
  let together: Part[] = [];
  let rest = name;
  while (rest.trim() !== '' || together.length > 0) {
    const type = /^\s*([a-z][\w-]*|\d+(?:\.\d+)*)\s*=\s*/i.exec(rest);
    if (!type) return undefined;
    const found = readValue(rest.slice(type[0].length));
    if (!found) return undefined;
    together.push({ type: (type[1] as string).toLowerCase(), value: found.value });
    rest = found.rest.slice(1);
    if (found.rest.startsWith('+')) continue;
    parts.push(together);
    together = [];
    if (found.rest !== '' && rest.trim() === '') return undefined;
  }
  return parts;
}

/** The value that a text begins with, and what is behind it: nothing, or a separator first. */
function readValue(text: string): { value: string; rest: string } | undefined {
  const quoted = /^"((?:[^"\\]|\\.)*)"\s*(?=[,;+]|$)/s.exec(text);
  if (quoted) return { value: unescapeValue(quoted[1] as string), rest: text.slice(quoted[0].length) };
  const plain = /^(?:[^\\,;+"]|\\.)*/s.exec(text)?.[0] ?? '';
  const rest = text.slice(plain.length);
  if (rest !== '' && !/^[,;+]/.test(rest)) return undefined;
  return { value: unescapeValue(withoutBlanks(plain)), rest };
}

/** A value without the blanks at its end; one that is escaped belongs to it. */
function withoutBlanks(text: string): string {
  const trimmed = text.trimEnd();
  let escapes = 0;
  while (trimmed.at(-1 - escapes) === '\\') escapes += 1;
  return escapes % 2 === 1 ? text.slice(0, trimmed.length + 1) : trimmed;
}

function unescapeValue(text: string): string {
  const bytes: Buffer[] = [];
  for (const [found, hex, plain] of text.matchAll(/\\([0-9a-f]{2})|\\?(.)/gisu))
    bytes.push(hex === undefined ? Buffer.from(plain ?? found) : Buffer.from([Number.parseInt(hex, 16)]));
  return Buffer.concat(bytes).toString('utf8');
}
