// What a SOAP server answered, as the library read it, as plain JSON: attributes as fields beside the elements, the text of such an
// element as `_`, as PHP has them.
import { isRecord } from '../../../call/payload.ts';
import { keys } from './arguments.ts';
import { localName, Unreadable } from './document.ts';
import { jsonValue, kindOf } from './primitives.ts';

/** Values of an answer, which references may multiply. */
const maxValues = 500_000;
const maxDepth = 100;

/** What attributes of these names, with a prefix, say of a value is known by then. */
const ofEncoding = new Set(
  ['type', 'nil', 'arrayType', 'encodingStyle', 'schemaLocation', 'noNamespaceSchemaLocation', 'root', 'offset'].concat(
    ['position', 'itemType', 'arraySize', 'mustUnderstand', 'actor', 'role'],
  ),
);

/** `isRpc`: ids and references between values were put together by the library. */
export function plainResult(result: unknown, isRpc: boolean): unknown {
  let count = 0;
  const read = (value: unknown, depth: number): unknown => {
    count += 1;
    if (count > maxValues || depth > maxDepth) throw new Unreadable('it holds too much, or refers to itself');
    if (value === undefined || value === null) return null;
    if (Array.isArray(value)) return value.map((item) => read(item, depth + 1));
    if (value instanceof Date) return value.toISOString();
    if (!isRecord(value)) return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
    const { [keys.attributes]: attributes, [keys.value]: text, ...elements } = value;
    const all = Object.entries((attributes ?? {}) as Record<string, string>);
    const special = (name: string) => all.find(([key]) => key.includes(':') && localName(key) === name)?.[1];
    if (/^(true|1)$/i.test(special('nil') ?? '')) return null;
    const children = Object.entries(elements);
    if (special('arrayType') !== undefined || special('itemType') !== undefined)
      return children
        .flatMap(([, items]) => (Array.isArray(items) ? items : [items]))
        .map((item) => read(item, depth + 1));
    const shown = all.filter(([key, of]) => isOwn(key, of, isRpc));
    if (shown.length === 0 && children.length === 0) return text === undefined ? null : scalar(text, special('type'));
    return Object.fromEntries([
      ...shown,
      ...children.map(([name, child]) => [name, read(child, depth + 1)] as const),
      ...(text === undefined ? [] : [['_', scalar(text, special('type'))] as const]),
    ]);
  };
  return read(result, 0);
}

function isOwn(key: string, value: string, isRpc: boolean): boolean {
  if (/^xmlns(:|$)/.test(key)) return false;
  if (key.includes(':')) return !ofEncoding.has(localName(key));
  if (key === 'href') return !value.startsWith('#');
  return !(isRpc && key === 'id');
}

/** A text that says its own type. */
function scalar(text: unknown, type: string | undefined): unknown {
  const kind = type === undefined ? undefined : kindOf(localName(type));
  return typeof text === 'string' && kind ? jsonValue(text, kind) : text;
}
