// decide() against the rules of contract/role-access.md §2 and §5 written down a second time, the slow and plain way.
import { verbMask, verbs } from '@sluice/contract';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessRow, componentOf, decide, type Question } from './decide.ts';

const parts = ['_table', '_schema', 'a', 'b', 'ab'];
const path = fc.array(fc.constantFrom(...parts), { maxLength: 3 }).map((it) => it.join('/'));
const stored = fc.oneof(
  path,
  path.map((it) => `/${it}/`),
  path.map((it) => `${it}/*`),
  path.map((it) => `${it}*`),
  path.map((it) => it.toUpperCase()),
  fc.constantFrom('*', '', 'a/*/b', '**', '_table/*x'),
);
const filters = fc.constantFrom<unknown[] | null>(null, [], [{ name: 'f', operator: '=', value: 1 }]);
const row = fc.record({
  service: fc.constantFrom('db', 'db', 'other', null),
  component: stored,
  verbMask: fc.integer({ min: 0, max: 31 }),
  requestorMask: fc.integer({ min: 0, max: 3 }),
  filters,
  filterOp: fc.constantFrom('AND', 'OR'),
});
const rows = fc
  .array(row, { maxLength: 8 })
  .map((list) => list.map((it, index): AccessRow => ({ id: index + 1, ...it })));
const question: fc.Arbitrary<Question> = fc.record({
  service: fc.constantFrom('db', 'other', 'third'),
  component: fc.oneof(path, fc.constantFrom('_table/{t}', '_table/a/{id}', '{x}')).map(componentOf),
  verb: fc.constantFrom(...verbs),
  requestor: fc.constantFrom('API', 'SCRIPT'),
});

const trimmed = (component: string) => component.replace(/^\/+|\/+$/g, '').toLowerCase();
const hears = ({ requestorMask }: AccessRow, { requestor }: Question) =>
  (requestorMask & (requestor === 'API' ? 1 : 2)) !== 0;

/** "The part before `*` is a prefix of the component with a slash, nothing after the `*`." */
function isWildcardFor(component: string, asked: string): boolean {
  const star = component.indexOf('*');
  return star >= 0 && star === component.length - 1 && `${asked}/`.startsWith(component.slice(0, star));
}
function isTemplateFor(component: string, asked: string): boolean {
  if (!asked.includes('{')) return false;
  const pattern = asked.replace(/\{[^{}]*\}/g, '[a-z0-9_]+');
  return new RegExp(`^${pattern}$`).test(component);
}

function classes(given: AccessRow[], asked: Question, component = asked.component): [string, AccessRow[]][] {
  const heard = given.filter((it) => hears(it, asked)).map((it) => ({ it, as: trimmed(it.component) }));
  const own = heard.filter(({ it }) => it.service === asked.service);
  const all = heard.filter(({ it }) => it.service === null);
  const pick = (list: typeof heard, fits: (as: string) => boolean) =>
    list.filter(({ as }) => fits(as)).map(({ it }) => it);
  if (component === '')
    return [
      ['exact', pick(own, (as) => as === '')],
      ['service', pick(own, (as) => as === '*')],
      ['all', pick(all, (as) => as === '*' || as === '')],
    ];
  return [
    ['exact', pick(own, (as) => as === component)],
    ['wildcard', pick(own, (as) => isWildcardFor(as, component) || isTemplateFor(as, component))],
    ['all', pick(all, (as) => as === '*')],
  ];
}

const idsOf = (list: AccessRow[]) => list.map(({ id }) => id).sort((a, b) => a - b);

describe('decide', { timeout: soakRounds(60_000, 3_600_000) }, () => {
  it('does what the rules say, for any rows and any question', () => {
    fc.assert(
      fc.property(rows, question, (given, asked) => {
        const [name, matching] = classes(given, asked).find(([, list]) => list.length > 0) ?? ['none', []];
        const mask = matching.reduce((sum, it) => sum | it.verbMask, 0);
        const decision = decide(given, asked);
        expect([decision.class, decision.mask, idsOf(decision.rows)]).toEqual([name, mask, idsOf(matching)]);
        expect(decision.allowed).toBe((mask & verbMask[asked.verb]) !== 0);
      }),
      { numRuns: soakRounds(2_000, 100_000) },
    );
  });

  it('takes the record filter of the last row of the closest class that gives the verb on the table', () => {
    fc.assert(
      fc.property(rows, question, (given, asked) => {
        const decision = decide(given, asked);
        const table = /^_table\/[^/]+/.exec(asked.component)?.[0];
        const granting = (list: AccessRow[]) =>
          list.filter((it) => it.service !== null && (it.verbMask & verbMask[asked.verb]) !== 0);
        const closest = table === undefined ? [] : classes(given, asked, table).map(([, list]) => granting(list));
        const chosen = closest.find((list) => list.length > 0)?.at(-1);
        const wanted = decision.allowed && chosen?.filters?.length ? chosen.id : undefined;
        // A template is a table only for the event tree, and reads no records.
        if (!table?.includes('{')) expect(decision.filterRow?.id).toBe(wanted);
      }),
      { numRuns: soakRounds(2_000, 100_000) },
    );
  });

  it('minds neither the order of rows nor rows of others, and more verbs never give fewer', () => {
    fc.assert(
      fc.property(rows, question, fc.nat(), (given, asked, at) => {
        const { mask, class: name } = decide(given, asked);
        const turned = [...given].reverse();
        expect(decide(turned, asked)).toMatchObject({ mask, class: name });
        const stranger: AccessRow = { ...blank, id: 99, service: 'elsewhere', component: '*' };
        expect(decide([...given, stranger], asked)).toMatchObject({ mask, class: name });
        const widened = given.map((it, index) => (index === at % given.length ? { ...it, verbMask: 31 } : it));
        expect(decide(widened, asked).mask & mask).toBe(mask);
      }),
      { numRuns: soakRounds(1_000, 50_000) },
    );
  });
});

const blank = { verbMask: 31, requestorMask: 3, filters: null, filterOp: 'AND' };
