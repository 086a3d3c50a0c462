// The simple types of XML Schema: what a value of each is in JSON.

/** What values of a simple type are in JSON; `exact` numbers are texts where a double would lose digits. */
export type JsonKind = 'integer' | 'exact' | 'float' | 'boolean' | 'text';

const kinds = new Map<string, JsonKind>([
  ...['byte', 'short', 'int', 'unsignedByte', 'unsignedShort', 'unsignedInt'].map((name) => [name, 'integer'] as const),
  ...['integer', 'long', 'unsignedLong', 'negativeInteger', 'nonNegativeInteger', 'positiveInteger'].map(
    (name) => [name, 'exact'] as const,
  ),
  ...(['nonPositiveInteger', 'decimal'] as const).map((name) => [name, 'exact'] as const),
  ...(['float', 'double'] as const).map((name) => [name, 'float'] as const),
  ...(['boolean', 'bool'] as const).map((name) => [name, 'boolean'] as const),
  ...(['string', 'normalizedString', 'token', 'language', 'anyURI', 'QName', 'NOTATION', 'duration'] as const).map(
    (name) => [name, 'text'] as const,
  ),
  ...(['dateTime', 'time', 'date', 'gYearMonth', 'gYear', 'gMonthDay', 'gDay', 'gMonth'] as const).map(
    (name) => [name, 'text'] as const,
  ),
  ...(['hexBinary', 'base64Binary', 'Name', 'NCName', 'NMTOKEN', 'ID', 'IDREF'] as const).map(
    (name) => [name, 'text'] as const,
  ),
]);

/** Of the local name of a type; undefined where it is none of XML Schema's own. */
export const kindOf = (type: string): JsonKind | undefined => kinds.get(type);

/** A text of XML as a value of JSON; what is none of its type stays a text. */
export function jsonValue(text: string, kind: JsonKind): string | number | boolean {
  const bare = text.trim();
  if (kind === 'boolean') return /^(true|1)$/i.test(bare) ? true : /^(false|0)$/i.test(bare) ? false : text;
  if (kind === 'text') return text;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(bare)) return text;
  const number = Number(bare);
  if (!Number.isFinite(number)) return text;
  return kind === 'exact' && !isExact(bare, number) ? bare : number;
}

/** Whether a double says a decimal in all its digits. */
function isExact(text: string, number: number): boolean {
  const digits = text
    .replace(/^[+-]/, '')
    .replace(/^0+(?=\d)/, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/^\./, '0.');
  return Math.abs(number).toString() === digits;
}

/** The types of XML Schema that constants of PHP name, by number from 101 on. */
const encodings = [
  ...['string', 'boolean', 'decimal', 'float', 'double', 'duration', 'dateTime', 'time', 'date', 'gYearMonth'],
  ...['gYear', 'gMonthDay', 'gDay', 'gMonth', 'hexBinary', 'base64Binary', 'anyURI', 'QName', 'NOTATION'],
  ...['normalizedString', 'token', 'language', 'NMTOKEN', 'Name', 'NCName', 'ID', 'IDREF', 'IDREFS', 'ENTITY'],
  ...['ENTITIES', 'integer', 'nonPositiveInteger', 'negativeInteger', 'long', 'int', 'short', 'byte'],
  ...['nonNegativeInteger', 'unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte', 'positiveInteger'],
  ...['NMTOKENS', 'anyType'],
];

/** `XSD_INT`, `135` or 135: `int`. Structures and lists of SOAP (300, 301) have no type of their own. */
export function typeOfEncoding(encoding: unknown): string | undefined {
  const text = String(encoding ?? '').trim();
  if (/^\d+$/.test(text)) return encodings[Number(text) - 101];
  const name = /^XSD_(\w+)$/.exec(text)?.[1]?.toLowerCase();
  return name === undefined ? undefined : encodings.find((type) => type.toLowerCase() === name);
}
