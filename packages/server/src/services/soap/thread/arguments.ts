// The arguments of a call, as the library takes them: names and texts that could be read as XML of their own are refused or escaped,
// since the library writes them as they are.
import { isRecord } from '../../../call/payload.ts';
import { escapeXml, Unreadable } from './document.ts';
import { typeOfEncoding } from './primitives.ts';
import { type Part, partsOf } from './shapes.ts';

/** Keys for the library, which no name of an element can be. */
export const keys = { attributes: '$attributes', value: '$value', xml: '$xml' } as const;

const name = /^[\p{L}_][\p{L}\p{M}\p{N}._-]{0,199}$/u;
/** The library reads these as instructions. */
const instructions = new Set(['_xml', '_xmlns']);
/** The text of an element that has attributes, as PHP has it. */
const textKey = '_';
const reserved = new Set(Object.getOwnPropertyNames(Object.prototype));
const schemaNamespace = 'http://www.w3.org/2001/XMLSchema';
/** Characters that no XML can have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** The arguments of an operation whose input is described by `type`; `isRpc`: they are parts of a message. */
export function argumentsOf(value: unknown, type: unknown, isRpc: boolean): unknown {
  if (!isRpc) return elementOf(value, type);
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw new Unreadable('the arguments are no object');
  return Object.fromEntries(Object.entries(childrenOf(value, type)).map(([part, of]) => [part, partOfMessage(of)]));
}

/** The library writes null and attributes of such a part as they are. */
function partOfMessage(value: unknown): unknown {
  if (value === null || value === undefined) return { [keys.attributes]: { 'xsi:nil': 'true' } };
  if (!isRecord(value) || !isRecord(value[keys.attributes])) return value;
  const attributes = Object.entries(value[keys.attributes] as object).flatMap(([attribute, text]) => {
    if (attribute !== 'xsi_type') return [[attribute, escapeXml(String(text))]];
    const { type, xmlns } = text as { type: string; xmlns?: string };
    return xmlns === undefined
      ? [['xsi:type', type]]
      : [
          ['xsi:type', `given:${type}`],
          ['xmlns:given', xmlns],
        ];
  });
  return { ...value, [keys.attributes]: Object.fromEntries(attributes) };
}

function elementOf(value: unknown, type: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => itemOf(item, type));
  if (!isRecord(value)) return textOf(value);
  const typed = typedValue(value, type);
  if (typed) return typed.value;
  const elements = childrenOf(value, type);
  return elements;
}

function itemOf(item: unknown, type: unknown): unknown {
  if (Array.isArray(item)) throw new Unreadable('a list stands directly in a list');
  return elementOf(item, type);
}

/** The children of an element, with its attributes and its text. */
function childrenOf(value: Record<string, unknown>, type: unknown): Record<string, unknown> {
  const parts = new Map(partsOf(type).map((part) => [part.name, part]));
  const isSimple = typeof type === 'string' || (Object.hasOwn(value, textKey) && parts.size === 0);
  const attributes: Record<string, unknown> = {};
  const children: Record<string, unknown> = {};
  // Elements have an order, which callers need not know.
  const places = new Map([...parts.keys()].map((part, index) => [part, index]));
  const placeOf = ([key]: [string, unknown]) => places.get(key) ?? places.size;
  for (const [key, of] of Object.entries(value).sort((a, b) => placeOf(a) - placeOf(b))) {
    if (key === textKey) {
      children[keys.value] = ofText(of);
      continue;
    }
    const bare = key.startsWith('@') ? key.slice(1) : key;
    checkName(bare);
    if (key.startsWith('@') || parts.get(key)?.isAttribute || isSimple) {
      if (of !== null && of !== undefined) attributes[bare] = attributeOf(of);
      continue;
    }
    const [element, content] = namedChild(key, of, parts.get(key));
    children[element] = content;
  }
  if (Object.hasOwn(children, keys.value)) {
    const { [keys.value]: text, ...others } = children;
    if (Object.keys(others).length > 0) throw new Unreadable('an element has both text and elements');
    return { ...(typeof text === 'object' ? (text as object) : { [keys.value]: text }), ...withAttributes(attributes) };
  }
  return { ...children, ...withAttributes(attributes) };
}

/** A `soapvar` may say what its element is called. */
function namedChild(key: string, of: unknown, part: Part | undefined): [name: string, content: unknown] {
  const node = isRecord(of) && isRecord(of.soapvar) ? of.soapvar.node_name : undefined;
  if (node === undefined || node === null) return [key, elementOf(of, part?.type)];
  checkName(node);
  return [String(node), elementOf(of, part?.type)];
}

const withAttributes = (attributes: Record<string, unknown>) =>
  Object.keys(attributes).length > 0 ? { [keys.attributes]: attributes } : {};

/** `{"soapvar": {data, encoding, type_name, type_namespace, node_name, node_namespace}}`: a value that says its own type. */
function typedValue(value: Record<string, unknown>, type: unknown): { value: unknown } | undefined {
  if (!isRecord(value.soapvar) || Object.keys(value).length > 1) return undefined;
  const { data, encoding, type_name, type_namespace, node_namespace } = value.soapvar;
  if (/^(147|XSD_ANYXML)$/.test(String(encoding))) throw new Unreadable('XML of its own is not sent (XSD_ANYXML)');
  const own = type_name === undefined || type_name === null || type_name === '' ? undefined : String(type_name);
  const known = own === undefined ? typeOfEncoding(encoding) : undefined;
  if (own !== undefined) checkName(own);
  const namespace = own === undefined ? known && schemaNamespace : namespaceOf(type_namespace);
  const typeAttribute = own ?? known;
  const attributes = {
    ...(typeAttribute === undefined
      ? {}
      : { xsi_type: { type: typeAttribute, ...(namespace === undefined ? {} : { xmlns: namespace }) } }),
    ...(namespaceOf(node_namespace) === undefined ? {} : { xmlns: namespaceOf(node_namespace) }),
  };
  const content = elementOf(data, own === undefined ? type : undefined);
  if (Array.isArray(content)) throw new Unreadable('the data of a soapvar is a list');
  const inside = isRecord(content)
    ? content
    : content === null || content === undefined
      ? {}
      : { [keys.value]: content };
  return { value: { ...inside, ...withAttributes(attributes) } };
}

/** A namespace is written as it is. */
function namespaceOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' || !/^[^\s"'<>&]{1,1000}$/.test(value))
    throw new Unreadable('a namespace is no address');
  return value;
}

function checkName(key: unknown): void {
  if (typeof key === 'string' && name.test(key) && !instructions.has(key) && !reserved.has(key)) return;
  throw new Unreadable(`${JSON.stringify(String(key).slice(0, 80))} cannot be the name of an element`);
}

function textOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (unwritable.test(value)) throw new Unreadable('a text has a character that XML has no way to write');
  // The library would write it as it is.
  return value.startsWith('<![CDATA[') ? { [keys.xml]: escapeXml(value) } : value;
}

function ofText(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) throw new Unreadable('the text of an element is no single value');
  return textOf(value ?? '');
}

function attributeOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) throw new Unreadable('an attribute is no single value');
  const text = String(value);
  if (unwritable.test(text) || text.startsWith('<![CDATA['))
    throw new Unreadable('an attribute has a text that is not taken');
  return text;
}
