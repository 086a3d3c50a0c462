// The values a call brings, in each of the forms they may have, and the routine they are for.
import { Failure, fail } from '@sluice/contract';
import type { Routine, RoutineParameter } from '@sluice/sql';
import { type Lookup, replaceLookups } from '../../access/lookups.ts';
import type { Query } from '../../call/call.ts';
import { isRecord } from '../../call/payload.ts';

/**
 * Values by name in any case, or in their order. Those of a query are for the parameters that have their names: an
 * address may say other things too.
 */
export type Given =
  | { kind: 'ordered'; values: unknown[] }
  | { kind: 'named'; values: Map<string, unknown> }
  | { kind: 'query'; values: Map<string, unknown> };

/** The values of a call: those of the body, else those in the parentheses of the address, else those of the query. */
export function givenValues(params: unknown, inline: string | undefined, query: Query, lookup: Lookup): Given {
  const given =
    params !== undefined && params !== null
      ? inBody(params)
      : inline !== undefined
        ? ordered(inText(inline))
        : byName(
            'query',
            query.names().map((name): [string, unknown] => [name, query.get(name)]),
          );
  if (given.kind === 'ordered') return ordered(given.values.map((it) => replaceLookups(it, lookup)));
  return byName(
    given.kind,
    [...given.values].map(([name, value]) => [name, replaceLookups(value, lookup)]),
  );
}

const ordered = (values: unknown[]): Given => ({ kind: 'ordered', values });

const byName = (kind: 'named' | 'query', values: [name: string, value: unknown][]): Given => ({
  kind,
  values: new Map(values.map(([name, value]) => [name.toLowerCase(), value])),
});

function inBody(params: unknown): Given {
  if (typeof params === 'string') return ordered(inText(params));
  if (Array.isArray(params)) {
    if (params.length > 0 && params.every(isNamed))
      return byName(
        'named',
        params.map(({ name, value }) => [name, value]),
      );
    return ordered(params);
  }
  if (!isRecord(params)) throw fail('routine.parameters');
  return byName(
    'named',
    Object.entries(params).map(([name, it]) => [name, isWrapped(it) ? it.value : it]),
  );
}

/** What clients say of a parameter besides its value; it is known already. */
const known = new Set(['name', 'value', 'param_type', 'type', 'length', 'position']);

const isNamed = (it: unknown): it is { name: string; value?: unknown } =>
  isRecord(it) && typeof it.name === 'string' && Object.keys(it).every((key) => known.has(key));

const isWrapped = (it: unknown): it is { value: unknown } =>
  isRecord(it) && 'value' in it && Object.keys(it).every((key) => known.has(key));

/** What stands before a comma: a text between quotes, with those inside of it doubled, or anything else. */
const item = /\s*(?:'((?:[^']|'')*)'\s*|"((?:[^"]|"")*)"\s*|([^,]*)),/g;

/** `1, 'a, b', null` → its values as texts; a bare null is none. */
function inText(text: string): unknown[] {
  if (text.trim() === '') return [];
  return [...`${text},`.matchAll(item)].map(([, single, double, bare = '']) => {
    if (single !== undefined) return single.replaceAll("''", "'");
    if (double !== undefined) return double.replaceAll('""', '"');
    const plain = bare.trim();
    return plain.toLowerCase() === 'null' ? null : plain;
  });
}

export interface Chosen {
  routine: Routine;
  values: Map<RoutineParameter, unknown>;
}

/**
 * The routine that takes the values. Of several with one name it is the one that leaves the fewest parameters without a
 * value, those with a default counting last; of equals the oldest.
 */
export function chosen(routines: [Routine, ...Routine[]], given: Given): Chosen {
  const tried = routines.map((it) => fitting(it, given));
  const [best, ...others] = tried.flatMap((it) => (it instanceof Failure ? [] : [it]));
  if (!best) throw tried[0];
  return others.reduce((a, b) => (compare(without(b), without(a)) < 0 ? b : a), best);
}

const compare = ([a, moreA]: [number, number], [b, moreB]: [number, number]): number => a - b || moreA - moreB;

/** How many parameters have neither value nor default, and how many no value. */
function without({ routine, values }: Chosen): [number, number] {
  const empty = routine.parameters.filter((it) => it.direction !== 'OUT' && !values.has(it));
  return [empty.filter((it) => !it.hasDefault).length, empty.length];
}

/** The values by the parameters of a routine, or why they are not for it. Values for what only goes out are let go. */
function fitting(routine: Routine, given: Given): Chosen | Failure {
  const { kind, name, parameters } = routine;
  const goIn = parameters.filter((it) => it.direction !== 'OUT');
  const values = new Map<RoutineParameter, unknown>();
  if (given.kind === 'ordered') {
    // As many values as parameters: those that go out have places among them.
    const places = given.values.length === parameters.length ? parameters : goIn;
    if (given.values.length > places.length)
      return fail('routine.parametersTooMany', { kind, name, most: goIn.length });
    given.values.forEach((value, index) => {
      const place = places[index];
      if (place && place.direction !== 'OUT') values.set(place, value);
    });
    return { routine, values };
  }
  for (const [lower, value] of given.values) {
    const place = parameters.find((it) => it.name.toLowerCase() === lower);
    if (!place && given.kind === 'named')
      return fail('routine.parameterUnknown', { kind, name, parameter: lower.slice(0, 200) });
    if (place && place.direction !== 'OUT') values.set(place, value);
  }
  return { routine, values };
}
