// What the library says of the types of a WSDL, as shapes of JSON: for lists of operations, for API docs, and for arguments.
import type { ValueShape } from '../../../service/operation.ts';
import { localName } from './document.ts';
import { kindOf } from './primitives.ts';

/**
 * A type as the library describes it: `xs:int`, `Size|xs:string|S,M,L`, or the parts of a structure by name, those that may come
 * several times as `name[]`. Structures may hold themselves.
 */
export type TypeDescription = string | { [part: string]: unknown };

/** Parts of one operation that are described, and how deep. */
const maxParts = 1_000;
const maxDepth = 8;
const maxChoices = 100;

/** What the library adds to the parts of a structure. */
const additions = new Set(['targetNSAlias', 'targetNamespace']);

/** Restrictions that say something else than which values there are. */
const facets =
  /^(pattern|length|minLength|maxLength|minInclusive|maxInclusive|minExclusive|maxExclusive|totalDigits|fractionDigits|whiteSpace|assertion|annotation)?$/;

export interface Part {
  name: string;
  isList: boolean;
  type: unknown;
  isAttribute: boolean;
}

/** The parts of a structure; none of anything else. */
export function partsOf(type: unknown): Part[] {
  if (typeof type !== 'object' || type === null) return [];
  const elements = Object.entries(type).flatMap(([key, part]): Part[] => {
    if (additions.has(key) || typeof part === 'function' || key === 'undefined') return [];
    const isList = key.endsWith('[]');
    return [{ name: isList ? key.slice(0, -2) : key, isList, type: part, isAttribute: false }];
  });
  const names = new Set(elements.map(({ name }) => name));
  return [...elements, ...attributesOf(type).filter(({ name }) => !names.has(name))];
}

/** The library has attributes under a symbol of its own. */
function attributesOf(type: object): Part[] {
  const symbol = Object.getOwnPropertySymbols(type).find(({ description }) => description === '$attributes');
  const attributes = symbol && (type as Record<symbol, Record<string, { type?: string }>>)[symbol];
  return Object.entries(attributes ?? {}).map(([name, { type: of }]) => ({
    ...{ name, isList: false, type: of ?? 'xs:string', isAttribute: true },
  }));
}

/** The type of XML Schema that a simple type is made of, and the values it allows where it lists them. */
export function simpleType(type: string): { primitive: string | undefined; values: string[] } {
  const [...segments] = type.split('|');
  const at = segments.findIndex((segment) => kindOf(localName(segment)) !== undefined);
  const rest = at < 0 ? [] : segments.slice(at + 1);
  const values = rest.flatMap((segment) => segment.split(',')).filter((value) => !facets.test(value));
  return {
    primitive: at < 0 ? undefined : localName(segments[at] as string),
    values: values.length > maxChoices ? [] : [...new Set(values)],
  };
}

/** Parts that are described of all operations of a WSDL together. */
export const maxAllParts = 50_000;

/** How many parts are still described, of a WSDL. */
export interface PartBudget {
  left: number;
}

/** The shape of a type, cut where it holds itself and where it grows beyond bounds. */
export function shapeOf(type: unknown, budget: PartBudget): ValueShape {
  let count = 0;
  const build = (of: unknown, above: readonly unknown[]): ValueShape => {
    if (typeof of === 'string') return simpleShape(of);
    if (typeof of !== 'object' || of === null) return {};
    if (above.includes(of) || above.length >= maxDepth) return { type: 'object' };
    const fields: Record<string, ValueShape> = {};
    for (const part of partsOf(of)) {
      count += 1;
      budget.left -= 1;
      if (count > maxParts || budget.left < 0) break;
      const shape = build(part.type, [...above, of]);
      fields[part.name] = part.isList ? { type: 'array', items: shape } : shape;
    }
    return { type: 'object', fields };
  };
  return build(type, []);
}

function simpleShape(type: string): ValueShape {
  const { primitive, values } = simpleType(type);
  const kind = primitive === undefined ? undefined : kindOf(primitive);
  if (kind === 'boolean') return { type: 'boolean' };
  if (kind === 'integer') return { type: 'integer' };
  // What a double does not say in all its digits is a text.
  if (kind === 'float' || kind === 'exact') return { description: primitive as string };
  if (kind === undefined) return {};
  const described = primitive === 'string' ? {} : { description: primitive as string };
  return { type: 'string', ...described, ...(values.length > 0 ? { enum: values } : {}) };
}

/** The name of a type, for the list of operations: `int`, `Person`, `string[]`. */
export function typeName({ type, isList }: Pick<Part, 'type' | 'isList'>): string {
  const name =
    typeof type === 'string' ? (simpleType(type).primitive ?? localName(type.split('|')[0] as string)) : 'object';
  return isList ? `${name}[]` : name;
}
