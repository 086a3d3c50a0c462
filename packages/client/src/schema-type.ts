// JSON schemas as TypeScript types. Components are members of one interface, `Schemas`, so that they may refer to each other.
import { isObject, type Json, member, objectAt, refName, textsOf } from './document.ts';
import { literal, objectType, union } from './literal.ts';

/** Levels of a schema that is written out; what lies deeper is unknown. */
const maxDepth = 20;

export interface SchemaTypes {
  /** The type of a schema. */
  typeOf(schema: unknown): string;
  /** The members of `Schemas`. */
  members(): [name: string, type: string][];
}

/** `ownTypes`: the types of components that others describe. */
export function createSchemaTypes(document: Json, ownTypes: ReadonlyMap<string, string>): SchemaTypes {
  const schemas = objectAt(document, 'components', 'schemas');
  const circles = findCircles(schemas);
  // Only what something refers to is written.
  const names = new Set<string>();

  function refType(schema: Json): string {
    const name = refName(schema, 'schemas');
    if (name === undefined || !Object.hasOwn(schemas, name) || circles.has(name)) return 'unknown';
    names.add(name);
    return `Schemas[${literal(name)}]`;
  }

  function typeOf(schema: unknown, depth = 0): string {
    if (!isObject(schema) || depth > maxDepth) return 'unknown';
    if (schema.$ref !== undefined) return refType(schema);
    if ('const' in schema) return literalType([schema.const]);
    if (Array.isArray(schema.enum)) return literalType(schema.enum);
    for (const list of [schema.anyOf, schema.oneOf])
      if (Array.isArray(list)) return unionOf(list.map((one) => typeOf(one, depth + 1)));
    if (Array.isArray(schema.allOf)) return allOf(schema, depth);
    if (Array.isArray(schema.type)) return unionOf(schema.type.map((type) => ofType(type, schema, depth)));
    return ofType(schema.type ?? (isObject(schema.properties) ? 'object' : undefined), schema, depth);
  }

  function allOf(schema: Json, depth: number): string {
    const parts = (schema.allOf as unknown[]).map((one) => typeOf(one, depth + 1));
    const known = parts.filter((part) => part !== 'unknown');
    if (known.length === 0) return 'unknown';
    const whole = known.length === 1 ? (known[0] as string) : `(${known.join(' & ')})`;
    const properties = new Set((schema.allOf as unknown[]).flatMap((one) => propertyNames(one)));
    const required = textsOf(schema.required).filter((name) => properties.has(name));
    return required.length === 0 ? whole : `Require<${whole}, ${union(required)}>`;
  }

  /** Those of an object or of the component it refers to, not further. */
  function propertyNames(schema: unknown): string[] {
    const name = refName(schema, 'schemas');
    if (name !== undefined && (circles.has(name) || ownTypes.has(name))) return [];
    return Object.keys(objectAt(name === undefined ? schema : member(schemas, name), 'properties'));
  }

  function ofType(type: unknown, schema: Json, depth: number): string {
    switch (type) {
      case 'string':
        return 'string';
      case 'integer':
      case 'number':
        return 'number';
      case 'boolean':
        return 'boolean';
      case 'null':
        return 'null';
      case 'array':
        return `Array<${typeOf(schema.items, depth + 1)}>`;
      case 'object':
        return ofObject(schema, depth);
      default:
        return 'unknown';
    }
  }

  function ofObject(schema: Json, depth: number): string {
    const properties = Object.entries(objectAt(schema, 'properties'));
    if (properties.length === 0) return `Record<string, ${typeOf(schema.additionalProperties, depth + 1)}>`;
    const required = new Set(textsOf(schema.required));
    const [there, perhaps] = [true, false].map((isThere) =>
      properties
        .filter(([name]) => required.has(name) === isThere)
        .map(([name, property]) => [name, typeOf(property, depth + 1)] as const),
    ) as [[string, string][], [string, string][]];
    const types = [there.length > 0 ? [objectType(there)] : [], perhaps.length > 0 ? [objectType(perhaps, true)] : []];
    return types.flat().join(' & ');
  }

  return {
    typeOf: (schema) => typeOf(schema),
    members() {
      const done = new Map<string, string>();
      // What one refers to is added to the names while they are gone through.
      for (const name of names) done.set(name, ownTypes.get(name) ?? typeOf(member(schemas, name)));
      return [...done];
    },
  };
}

const unionOf = (types: string[]): string => {
  const parts = [...new Set(types)];
  if (parts.includes('unknown') || parts.length === 0) return 'unknown';
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' | ')})`;
};

function literalType(values: unknown[]): string {
  const types = values.map((value) => {
    if (typeof value === 'string') return literal(value);
    if (typeof value === 'boolean' || value === null) return String(value);
    return typeof value === 'number' && Number.isFinite(value) ? 'number' : 'unknown';
  });
  return unionOf(types);
}

/** Components that are a part of themselves other than by a property of an object: TypeScript knows no such type. */
function findCircles(schemas: Json): Set<string> {
  const edges = new Map(Object.entries(schemas).map(([name, schema]) => [name, directRefs(schema)]));
  const circles = new Set<string>();
  const states = new Map<string, 'open' | 'done'>();
  for (const start of edges.keys()) {
    // By hand: a chain of references may be longer than the stack is deep.
    const path: { name: string; rest: string[] }[] = [];
    const open = (name: string) => {
      states.set(name, 'open');
      path.push({ name, rest: [...(edges.get(name) ?? [])] });
    };
    if (!states.has(start)) open(start);
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const next = last.rest.pop();
      if (next === undefined) {
        states.set(last.name, 'done');
        path.pop();
      } else if (states.get(next) === 'open') circles.add(next);
      else if (!states.has(next)) open(next);
    }
  }
  return circles;
}

function directRefs(schema: unknown, depth = 0): string[] {
  if (!isObject(schema) || depth > maxDepth) return [];
  const name = refName(schema, 'schemas');
  if (name !== undefined) return [name];
  const parts = [schema.anyOf, schema.oneOf, schema.allOf, schema.items, schema.additionalProperties].flat();
  return parts.flatMap((part) => directRefs(part, depth + 1));
}
