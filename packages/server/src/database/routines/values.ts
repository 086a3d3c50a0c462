// The values of a call, in each of the forms they may have, and the routine they fit.
import { Failure, fail } from '@sluice/contract';
import { nameIndex, type Routine, type RoutineParameter } from '@sluice/sql';
import { replaceLookups } from '../../access/fill-lookups.ts';
import type { Lookup } from '../../access/lookups.ts';
import type { Query } from '../../call/call.ts';
import { isRecord } from '../../call/payload.ts';

/**
 * Values by name in any case, or in their order. Those of a query are for parameters of the same names: a query may have other
 * parameters too.
 */
export type RoutineInput =
  | { kind: 'ordered'; values: unknown[] }
  | { kind: 'named'; values: Map<string, unknown> }
  | { kind: 'query'; values: Map<string, unknown> };

/** The values of a call: those of the body, else those in the parentheses of the address, else those of the query. */
export function readInput(params: unknown, inline: string | undefined, query: Query, lookup: Lookup): RoutineInput {
  const input =
    params !== undefined && params !== null
      ? parseBody(params)
      : inline !== undefined
        ? orderedInput(parseValueList(inline))
        : namedInput(
            'query',
            query.names().map((name): [string, unknown] => [name, query.get(name)]),
          );
  if (input.kind === 'ordered') return orderedInput(input.values.map((value) => replaceLookups(value, lookup)));
  return namedInput(
    input.kind,
    [...input.values].map(([name, value]) => [name, replaceLookups(value, lookup)]),
  );
}

const orderedInput = (values: unknown[]): RoutineInput => ({ kind: 'ordered', values });

const namedInput = (kind: 'named' | 'query', values: [name: string, value: unknown][]): RoutineInput => ({
  kind,
  values: new Map(values),
});

function parseBody(params: unknown): RoutineInput {
  if (typeof params === 'string') return orderedInput(parseValueList(params));
  if (Array.isArray(params)) {
    if (params.length > 0 && params.every(isNamed))
      return namedInput(
        'named',
        params.map(({ name, value }) => [name, value]),
      );
    return orderedInput(params);
  }
  if (!isRecord(params)) throw fail('routine.parameters');
  return namedInput(
    'named',
    Object.entries(params).map(([name, value]) => [name, isWrapped(value) ? value.value : value]),
  );
}

/** What clients may send with a parameter; all but name and value is ignored. */
const parameterKeys = new Set(['name', 'value', 'param_type', 'type', 'length', 'position']);

const isNamed = (value: unknown): value is { name: string; value?: unknown } =>
  isRecord(value) && typeof value.name === 'string' && Object.keys(value).every((key) => parameterKeys.has(key));

const isWrapped = (value: unknown): value is { value: unknown } =>
  isRecord(value) && 'value' in value && Object.keys(value).every((key) => parameterKeys.has(key));

/** Values of a list that are read: no routine has as many parameters, so that more of them are too many, too. */
const maxListed = 1000;

/** `1, 'a, b', null` → its values as texts; a bare null is null. */
function parseValueList(text: string): unknown[] {
  if (text.trim() === '') return [];
  const values: unknown[] = [];
  for (let start = 0; start <= text.length && values.length <= maxListed; ) {
    const { value, next } = quotedItemAt(text, start) ?? bareItemAt(text, start);
    values.push(value);
    start = next;
  }
  return values;
}

interface ListItem {
  value: string | null;
  /** Behind the comma after it. */
  next: number;
}

function bareItemAt(text: string, start: number): ListItem {
  const comma = text.indexOf(',', start);
  const end = comma < 0 ? text.length : comma;
  const plain = text.slice(start, end).trim();
  return { value: plain.length === 4 && plain.toLowerCase() === 'null' ? null : plain, next: end + 1 };
}

/** A text between quotes, with quotes inside doubled, that a comma or the end follows. Found without a look at each letter. */
function quotedItemAt(text: string, start: number): ListItem | undefined {
  const open = skipBlanks(text, start);
  const quote = text[open];
  if (quote !== "'" && quote !== '"') return undefined;
  let close = text.indexOf(quote, open + 1);
  while (close >= 0 && text[close + 1] === quote) close = text.indexOf(quote, close + 2);
  const end = close < 0 ? -1 : skipBlanks(text, close + 1);
  if (end < 0 || (end < text.length && text[end] !== ',')) return undefined;
  return { value: text.slice(open + 1, close).replaceAll(quote + quote, quote), next: end + 1 };
}

const blanks = /\s*/y;

function skipBlanks(text: string, start: number): number {
  blanks.lastIndex = start;
  blanks.test(text);
  return blanks.lastIndex;
}

export interface RoutineMatch {
  routine: Routine;
  values: Map<RoutineParameter, unknown>;
}

/**
 * The routine that takes the values. Of several with one name it is the one that leaves the fewest parameters without a
 * value, those with a default counting last; of equals the oldest.
 */
export function chooseRoutine(routines: [Routine, ...Routine[]], input: RoutineInput): RoutineMatch {
  const attempts = routines.map((routine) => matchRoutine(routine, input));
  const [best, ...others] = attempts.flatMap((match) => (match instanceof Failure ? [] : [match]));
  if (!best) throw attempts[0];
  return others.reduce((a, b) => (compare(countMissing(b), countMissing(a)) < 0 ? b : a), best);
}

const compare = ([a, moreA]: [number, number], [b, moreB]: [number, number]): number => a - b || moreA - moreB;

/** How many parameters have neither a value nor a default, and how many have no value. */
function countMissing({ routine, values }: RoutineMatch): [number, number] {
  const missing = routine.parameters.filter((parameter) => parameter.direction !== 'OUT' && !values.has(parameter));
  return [missing.filter((parameter) => !parameter.hasDefault).length, missing.length];
}

/** The values by the parameters of a routine, or why they do not fit. Values for OUT parameters are ignored. */
function matchRoutine(routine: Routine, input: RoutineInput): RoutineMatch | Failure {
  const { kind, name, parameters } = routine;
  const inputs = parameters.filter((parameter) => parameter.direction !== 'OUT');
  const values = new Map<RoutineParameter, unknown>();
  if (input.kind === 'ordered') {
    // As many values as parameters: OUT parameters have positions among them.
    const positions = input.values.length === parameters.length ? parameters : inputs;
    if (input.values.length > positions.length)
      return fail('routine.parametersTooMany', { kind, name, maxParameters: inputs.length });
    input.values.forEach((value, index) => {
      const parameter = positions[index];
      if (parameter && parameter.direction !== 'OUT') values.set(parameter, value);
    });
    return { routine, values };
  }
  const find = nameIndex(parameters, ({ name }) => name);
  for (const [inputName, value] of input.values) {
    const parameter = find(inputName);
    if (!parameter && input.kind === 'named')
      return fail('routine.parameterUnknown', { kind, name, parameter: inputName.slice(0, 200) });
    // The name as the parameter has it takes precedence over other spellings of it.
    if (
      parameter &&
      parameter.direction !== 'OUT' &&
      (parameter.name === inputName || !input.values.has(parameter.name))
    )
      values.set(parameter, value);
  }
  return { routine, values };
}
