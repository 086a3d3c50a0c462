// decide() against the rules of contract/role-access.md §2 and §5 written down a second time, the slow and plain way.
import { verbMask, verbs } from '@sluice/contract';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessRow, componentOf, decide, type Question } from './decide.ts';

const parts = ['_table', '_schema', 'a', 'b', 'ab'];
const path = fc.array(fc.constantFrom(...parts), { maxLength: 3 }).map((parts) => parts.join('/'));
const storedComponent = fc.oneof(
  path,
  path.map((text) => `/${text}/`),
  path.map((text) => `${text}/*`),
  path.map((text) => `${text}*`),
  path.map((text) => text.toUpperCase()),
  fc.constantFrom('*', '', 'a/*/b', '**', '_table/*x'),
);
const filters = fc.constantFrom<unknown[] | null>(null, [], [{ name: 'f', operator: '=', value: 1 }]);
const row = fc.record({
  service: fc.constantFrom('db', 'db', 'other', null),
  component: storedComponent,
  verbMask: fc.integer({ min: 0, max: 31 }),
  requestorMask: fc.integer({ min: 0, max: 3 }),
  filters,
  filterOp: fc.constantFrom('AND', 'OR'),
});
const rows = fc
  .array(row, { maxLength: 8 })
  .map((list) => list.map((fields, index): AccessRow => ({ id: index + 1, ...fields })));
const question: fc.Arbitrary<Question> = fc.record({
  service: fc.constantFrom('db', 'other', 'third'),
  component: fc.oneof(path, fc.constantFrom('_table/{t}', '_table/a/{id}', '{x}')).map(componentOf),
  verb: fc.constantFrom(...verbs),
  requestor: fc.constantFrom('API', 'SCRIPT'),
});

const trim = (component: string) => component.replace(/^\/+|\/+$/g, '').toLowerCase();
const isForRequestor = ({ requestorMask }: AccessRow, { requestor }: Question) =>
  (requestorMask & (requestor === 'API' ? 1 : 2)) !== 0;

/** "The part before `*` is a prefix of the component with a slash, nothing after the `*`." */
function isWildcardFor(component: string, requested: string): boolean {
  const star = component.indexOf('*');
  return star >= 0 && star === component.length - 1 && `${requested}/`.startsWith(component.slice(0, star));
}
function isTemplateFor(component: string, requested: string): boolean {
  if (!requested.includes('{')) return false;
  const pattern = requested.replace(/\{[^{}]*\}/g, '[a-z0-9_]+');
  return new RegExp(`^${pattern}$`).test(component);
}

function classes(rowList: AccessRow[], question: Question, component = question.component): [string, AccessRow[]][] {
  const candidates = rowList
    .filter((row) => isForRequestor(row, question))
    .map((row) => ({ row, key: trim(row.component) }));
  const ofService = candidates.filter(({ row }) => row.service === question.service);
  const ofAll = candidates.filter(({ row }) => row.service === null);
  const pick = (list: typeof candidates, fits: (key: string) => boolean) =>
    list.filter(({ key }) => fits(key)).map(({ row }) => row);
  if (component === '')
    return [
      ['exact', pick(ofService, (key) => key === '')],
      ['service', pick(ofService, (key) => key === '*')],
      ['all', pick(ofAll, (key) => key === '*' || key === '')],
    ];
  return [
    ['exact', pick(ofService, (key) => key === component)],
    ['wildcard', pick(ofService, (key) => isWildcardFor(key, component) || isTemplateFor(key, component))],
    ['all', pick(ofAll, (key) => key === '*')],
  ];
}

const idsOf = (list: AccessRow[]) => list.map(({ id }) => id).sort((a, b) => a - b);

describe('decide', { timeout: soakRounds(60_000, 3_600_000) }, () => {
  it('does what the rules say, for any rows and any question', () => {
    fc.assert(
      fc.property(rows, question, (rowList, query) => {
        const [name, matching] = classes(rowList, query).find(([, list]) => list.length > 0) ?? ['none', []];
        const mask = matching.reduce((sum, row) => sum | row.verbMask, 0);
        const decision = decide(rowList, query);
        expect([decision.class, decision.mask, idsOf(decision.rows)]).toEqual([name, mask, idsOf(matching)]);
        expect(decision.allowed).toBe((mask & verbMask[query.verb]) !== 0);
      }),
      { numRuns: soakRounds(2_000, 100_000) },
    );
  });

  it('takes the record filter of the last row of the closest class that gives the verb on the table', () => {
    fc.assert(
      fc.property(rows, question, (rowList, query) => {
        const decision = decide(rowList, query);
        const table = /^_table\/[^/]+/.exec(query.component)?.[0];
        const granting = (list: AccessRow[]) =>
          list.filter((row) => row.service !== null && (row.verbMask & verbMask[query.verb]) !== 0);
        const closest = table === undefined ? [] : classes(rowList, query, table).map(([, list]) => granting(list));
        const filterRow = closest.find((list) => list.length > 0)?.at(-1);
        const expectedId = decision.allowed && filterRow?.filters?.length ? filterRow.id : undefined;
        // A template is a table only for the event tree, and reads no records.
        if (!table?.includes('{')) expect(decision.filterRow?.id).toBe(expectedId);
      }),
      { numRuns: soakRounds(2_000, 100_000) },
    );
  });

  it('minds neither the order of rows nor rows of others, and more verbs never give fewer', () => {
    fc.assert(
      fc.property(rows, question, fc.nat(), (rowList, query, position) => {
        const { mask, class: name } = decide(rowList, query);
        const reversed = [...rowList].reverse();
        expect(decide(reversed, query)).toMatchObject({ mask, class: name });
        const stranger: AccessRow = { ...blank, id: 99, service: 'elsewhere', component: '*' };
        expect(decide([...rowList, stranger], query)).toMatchObject({ mask, class: name });
        const widened = rowList.map((row, index) =>
          index === position % rowList.length ? { ...row, verbMask: 31 } : row,
        );
        expect(decide(widened, query).mask & mask).toBe(mask);
      }),
      { numRuns: soakRounds(1_000, 50_000) },
    );
  });
});

const blank = { verbMask: 31, requestorMask: 3, filters: null, filterOp: 'AND' };
