import { type Requestor, requestorMask, type Verb, verbMask, verbs } from '@sluice/contract';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessRow, type Decision, decide } from './decide.ts';
import { findEscalation, namesInFilters } from './grants.ts';

type Given = [service: string, component: string, mask: number, more?: Partial<AccessRow>];

/** `['db', '_table/*', 1]`; `-` is all services. */
const rows = (...given: Given[]): AccessRow[] =>
  given.map(([service, component, mask, more = {}], index) => ({
    id: index + 1,
    service: service === '-' ? null : service,
    component,
    verbMask: mask,
    requestorMask: 1,
    filters: null,
    filterOp: 'and',
    ...more,
  }));

const is = (name: string, value: unknown, operator = '=') => ({ name, operator, value });
const only = (...filters: unknown[]): Partial<AccessRow> => ({ filters });
const any = (...filters: unknown[]): Partial<AccessRow> => ({ filters, filterOp: 'OR' });

describe('findEscalation', () => {
  it.each<[string, AccessRow[], AccessRow[]]>([
    ['rows of no verb', rows(['-', '*', 0]), rows()],
    ['the same rows', rows(['db', '*', 31]), rows(['db', '*', 31])],
    ['one table of all', rows(['db', '_table/contact', 1]), rows(['db', '_table/*', 1])],
    ['one table and its records', rows(['db', '_table/contact/*', 3]), rows(['db', '*', 3])],
    ['one service of all', rows(['db', '*', 1]), rows(['-', '*', 1])],
    ['a name of a prefix', rows(['db', '_table/contact', 1]), rows(['db', '_table/con*', 1])],
    ['slashes and case', rows(['db', '/_Table/X/', 1]), rows(['db', '_table/x', 1])],
    ['wildcards that add up', rows(['db', '_table/a/*', 3]), rows(['db', '*', 1], ['db', '_table/*', 2])],
    ['rows that match nothing', rows(['-', '_table/x', 31]), rows()],
    ['a filter kept', rows(['db', '*', 1, only(is('a', 1))]), rows(['db', '_*', 1, only(is('A', 1))], ['db', '*', 1])],
    [
      'a filter and more',
      rows(['db', '_table/t', 1, only(is('b', 2), is('a', '{x}'))]),
      rows(['db', '_table/*', 1, only(is('a', '{x}'))]),
    ],
    [
      'all of what one is enough of',
      rows(['db', '_table/t', 1, only(is('b', 2), is('a', 1))]),
      rows(['db', '_table/t', 1, any(is('a', 1), is('b', 2))]),
    ],
    [
      'the same several',
      rows(['db', '_table/t', 1, any(is('b', 2), is('a', 1))]),
      rows(['db', '_table/t', 1, any(is('a', 1), is('b', 2))]),
    ],
    ['a filter the holder has not', rows(['db', '_table/t', 1, only(is('b', 2))]), rows(['db', '_table/t', 1])],
  ])('is nothing for %s', async (_title, granted, held) => {
    expect(await findEscalation(granted, held)).toBeUndefined();
  });

  it.each<[string, AccessRow[], AccessRow[], string]>([
    ['a verb', rows(['db', '_table/a', 3]), rows(['db', '_table/*', 1]), 'db _table/a POST'],
    ['all of one', rows(['db', '_table/*', 1]), rows(['db', '_table/a', 1]), 'db _table/* GET'],
    ['all services', rows(['-', '*', 1]), rows(['db', '*', 31], ['system', '*', 31]), '- * GET'],
    [
      'what an exact row denies',
      rows(['db', '*', 1]),
      rows(['db', '*', 1], ['db', '_table/secret', 0]),
      'db _table/secret GET',
    ],
    ['what a service row hides', rows(['-', '*', 1]), rows(['-', '*', 1], ['db', '*', 0]), 'db * GET'],
    ['records of a table', rows(['db', '_table/a/*', 1]), rows(['db', '_table/a', 1]), 'db _table/a/* GET'],
    ['a longer prefix', rows(['db', '_table/co*', 1]), rows(['db', '_table/con*', 1]), 'db _table/co* GET'],
    ['the root', rows(['db', '', 1]), rows(['db', '_*', 1]), 'db  GET'],
    [
      'a wildcard taken by its name',
      rows(['db', '*', 1]),
      rows(['db', '*', 1], ['db', '_table/*', 0]),
      'db _table/* GET',
    ],
    ['another requestor', rows(['db', 'x', 1, { requestorMask: 3 }]), rows(['db', 'x', 1]), 'db x GET SCRIPT'],
    [
      'a filter left out',
      rows(['db', '_table/*', 1]),
      rows(['db', '_table/*', 1, only(is('a', 1))]),
      'db _table/* GET unfiltered',
    ],
    [
      'a filter of everything left out',
      rows(['db', '*', 1]),
      rows(['db', '*', 1, only(is('a', 1))]),
      'db _table/* GET unfiltered',
    ],
    [
      'the filter of a later wildcard left out',
      rows(['db', '_table/con*', 1]),
      rows(['db', '_table/con*', 1], ['db', '*', 1, only(is('a', 1))]),
      'db _table/con* GET unfiltered',
    ],
    [
      'a filter of one table left out',
      rows(['db', '*', 9]),
      rows(['db', '*', 9], ['db', '_table/t', 8, only(is('a', 1))]),
      'db _table/t GET',
    ],
    [
      'a record of it',
      rows(['db', '*', 8]),
      rows(['db', '*', 8], ['db', '_table/t', 8, only(is('a', 1))]),
      'db _table/t PATCH unfiltered',
    ],
    [
      'another value',
      rows(['db', '_table/t', 1, only(is('a', 2))]),
      rows(['db', '_table/t', 1, only(is('a', 1))]),
      'db _table/t GET unfiltered',
    ],
    [
      'another operator',
      rows(['db', '_table/t', 1, only(is('a', 1, '>='))]),
      rows(['db', '_table/t', 1, only(is('a', 1))]),
      'db _table/t GET unfiltered',
    ],
    [
      'or for and',
      rows(['db', '_table/t', 1, any(is('a', 1), is('b', 2))]),
      rows(['db', '_table/t', 1, only(is('a', 1))]),
      'db _table/t GET unfiltered',
    ],
    [
      'one of several',
      rows(['db', '_table/t', 1, only(is('b', 2))]),
      rows(['db', '_table/t', 1, any(is('a', 1), is('b', 2))]),
      'db _table/t GET unfiltered',
    ],
    [
      'fewer of several',
      rows(['db', '_table/t', 1, any(is('a', 1), is('b', 2))]),
      rows(['db', '_table/t', 1, any(is('a', 1), is('b', 2), is('c', 3))]),
      'db _table/t GET unfiltered',
    ],
    [
      'one more of several',
      rows(['db', '_table/t', 1, any(is('a', 1), is('b', 2))]),
      rows(['db', '_table/t', 1, any(is('a', 1), is('c', 3))]),
      'db _table/t GET unfiltered',
    ],
    [
      "a filter by the role's own name",
      rows(['db', '_table/t', 1, only(is('a', '{role.name}'))]),
      rows(['db', '_table/t', 1, only(is('a', '{role.name}'))]),
      'db _table/t GET unfiltered',
    ],
    [
      'null for no value at all',
      rows(['db', '_table/t', 1, only(is('a', null))]),
      rows(['db', '_table/t', 1, only({ name: 'a', operator: '=' })]),
      'db _table/t GET unfiltered',
    ],
  ])('is %s', async (_title, granted, held, text) => {
    const found = (await findEscalation(granted, held))!;
    const { service, component, isUnfiltered, requestor } = found;
    const more = [requestor === 'SCRIPT' ? ' SCRIPT' : '', isUnfiltered ? ' unfiltered' : ''].join('');
    expect(`${service ?? '-'} ${component} ${found.verbs.join(',')}${more}`).toBe(text);
  });

  it('does not count what was given before, and counts the loss of a filter and of a denial', async () => {
    const big = rows(['db', '*', 31], ['db', '_table/secret', 0]);
    expect(await findEscalation(big, rows(), big)).toBeUndefined();
    expect(await findEscalation(rows(['db', '*', 1]), rows(), rows(['db', '*', 31]))).toBeUndefined();
    expect(await findEscalation(rows(['db', '*', 31]), rows(), big)).toMatchObject({
      component: '_table/secret',
      verbs: [...verbs],
    });
    const filtered = rows(['db', '_table/t', 1, only(is('a', '{role.name}'))]);
    expect(await findEscalation(filtered, rows(), filtered)).toBeUndefined();
    expect(await findEscalation(rows(['db', '_table/t', 1]), rows(), filtered)).toMatchObject({
      component: '_table/t',
    });
    // A row for the table itself, without a filter, takes the filter from its records.
    const wide = rows(['db', '_table/*', 1, only(is('a', 1))]);
    const undone = [...wide, ...rows(['db', '_table/t', 1])];
    expect(await findEscalation(undone, rows(['db', '_table/t', 1]), wide)).toMatchObject({
      component: '_table/t/*',
      verbs: ['GET'],
    });
  });

  const conditions = (n: number) => only(...Array.from({ length: 100 }, (_, index) => is(`f${index}`, `${n}`)));
  it.each<[string, (n: number) => Given]>([
    ['tables', (n) => ['db', `_table/t${n >> 1}${n % 2 ? '/*' : ''}`, 31]],
    ['wildcards', (n) => ['db', `_table/t${n}/*`, 31]],
    ['wildcards that are one', (n) => ['db', n % 2 ? '*' : `_table/t${n}`, 31]],
    ['services', (n) => [`s${n}`, '*', 31]],
    ['templates beside names', (n) => ['db', n % 2 ? `_table/{x${n}}` : `_table/x${n}`, 31]],
    ['wildcards of wildcards', (n) => ['db', `${'a'.repeat(n % 250)}${n < 250 ? '' : n}*`, 31]],
    ['rows of a hundred conditions', (n) => ['db', `_table/t${n}`, 31, conditions(n)]],
  ])('abuse: a thousand %s are compared in pieces that are short', async (_title, row) => {
    const [granted, held] = [1, 2].map(() => rows(...Array.from({ length: 1000 }, (_, n) => row(n))));
    const pieces = measurePieces();
    expect(await findEscalation(granted!, held!)).toBeUndefined();
    pieces.stop();
    expect(pieces.longest).toBeLessThan(250);
  });
});

/** The milliseconds of processor time of the longest round of the event loop. */
function measurePieces() {
  let start = process.cpuUsage();
  const endPiece = () => {
    const { user, system } = process.cpuUsage(start);
    start = process.cpuUsage();
    pieces.longest = Math.max(pieces.longest, (user + system) / 1000);
    next = setImmediate(endPiece);
  };
  let next = setImmediate(endPiece);
  const pieces = {
    longest: 0,
    stop: () => {
      clearImmediate(next);
      endPiece();
      clearImmediate(next);
    },
  };
  return pieces;
}

// ---- against asking everywhere ----

const parts = ['a', 'ab', '_table', 'x'];
const names = ['', ...parts, ...parts.flatMap((a) => parts.map((b) => `${a}/${b}`))];
const deep = parts.flatMap((b) => parts.map((c) => `_table/${b}/${c}`));
const stored = [
  ...names,
  ...deep,
  ...[...names, '_table/a/', 'a/', '_ta'].map((name) => `${name}*`),
  ...names.map((name) => `${name}/*`),
  'a*b',
  '_table/{x}',
];
/** Names that rows never have, and the texts of wildcards, are places too. */
const more = [...names, ...deep, ''].flatMap((name) => [`${name}/zz`, `${name}zz`, `${name}/zz/zz`, name]);
const everywhere = [...new Set([...more, ...stored])].map((place) => place.replace(/^\/+|\/+$/g, ''));
const services = ['db', 'files', 'other'];

const aRow = fc.record({
  service: fc.constantFrom('db', 'db', 'db', 'db', 'db', 'files', null),
  // Mostly few, so that rows meet.
  component: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...stored) },
    { weight: 2, arbitrary: fc.constantFrom('*', '_table/*', '_table/a', '_table/a*', '_table/a/*', '_ta*', '') },
  ),
  verbMask: fc.constantFrom(0, 1, 2, 3),
  requestorMask: fc.constantFrom(1, 2, 3),
  filters: fc.constantFrom<unknown[] | null>(null, null, [is('f', 1)], [is('g', 2)], [is('f', 1), is('g', 2)]),
  filterOp: fc.constantFrom('and', 'or'),
});
const someRows = (max: number) =>
  fc.array(aRow, { maxLength: max }).map((list): AccessRow[] => list.map((row, id) => ({ ...row, id })));

/** Which records and changes pass, by whether their f and g are absent, wrong or right. */
function passing({ allowed, filterRow }: Decision): boolean[] {
  const states = [undefined, false, true];
  return states.flatMap((f) =>
    states.map((g) => {
      if (!allowed || !filterRow) return allowed;
      const outcomes = filterRow.filters!.map((condition) => ((condition as { name: string }).name === 'f' ? f : g));
      const defined = outcomes.filter((outcome) => outcome !== undefined);
      if (defined.length === 0) return true;
      return filterRow.filterOp === 'or' ? defined.includes(true) : !defined.includes(false);
    }),
  );
}

/** Whether granted gives here what neither held nor before gives. */
function exceedsAt(
  question: { service: string; component: string; verb: Verb; requestor: Requestor },
  granted: AccessRow[],
  held: AccessRow[],
  previous: AccessRow[],
): boolean {
  const decision = decide(granted, question);
  if (!decision.allowed) return false;
  const [gives, has, had] = [decision, decide(held, question), decide(previous, question)].map(passing);
  const isWithin = (limit: boolean[]) => gives!.every((passes, kind) => !passes || limit[kind]);
  return !isWithin(has!) && !isWithin(had!);
}

describe('findEscalation, for every call', () => {
  it('finds something exactly when there is something', { timeout: soakRounds(60_000, 3_600_000) }, async () => {
    await fc.assert(
      fc.asyncProperty(someRows(4), someRows(5), someRows(3), fc.boolean(), async (granted, held, others, isChange) => {
        const previous = isChange ? granted.slice(1).concat(others) : [];
        const escalation = await findEscalation(granted, held, previous);
        if (escalation) {
          const point = {
            service: escalation.service ?? 'other',
            component: escalation.component.replace(/\*$/, 'zz'),
            requestor: escalation.requestor,
          };
          const literal = { ...point, component: escalation.component };
          const isThere = escalation.verbs.every(
            (verb) =>
              exceedsAt({ ...point, verb }, granted, held, previous) ||
              exceedsAt({ ...literal, verb }, granted, held, previous) ||
              exceedsAt({ ...point, component: `${point.component}/zz`, verb }, granted, held, previous),
          );
          expect(isThere, `${JSON.stringify(escalation)} is not so`).toBe(true);
          return;
        }
        const named = new Set([...granted, ...held, ...previous].map((row) => row.component));
        for (const service of services)
          for (const component of everywhere.filter((component) => !component.includes('{') || named.has(component)))
            for (const verb of ['GET', 'POST'] as const)
              for (const requestor of Object.keys(requestorMask) as Requestor[])
                if (exceedsAt({ service, component, verb, requestor }, granted, held, previous))
                  throw new Error(`${verb} ${service}/${component} by ${requestor} was not found`);
      }),
      { numRuns: soakRounds(600, 20_000) },
    );
  });
});

it('namesInFilters finds what stands in braces', () => {
  const accessRows = rows([
    'db',
    '*',
    1,
    only(is('a', '{ region }'), is('b', 'x{user.id}y{trim( z )}'), { name: 'c', value: ['{w}'] }),
  ]);
  expect([...namesInFilters(accessRows)].sort()).toEqual(['region', 'trim( z )', 'user.id', 'w', 'z']);
  expect([...namesInFilters(rows(['db', '*', verbMask.GET]))]).toEqual([]);
});
