// What rows name is found by an index: the same as when each of them is looked at, and at the cost of those that matter.
import { verbs } from '@sluice/contract';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caller } from '../access/caller.fixture.ts';
import type { AccessRow } from '../access/decide.ts';
import { grantsBelow, grantsOfService } from '../access/gate.ts';
import type { Caller } from '../call/call.ts';
import { reachOf } from './reach.ts';

const parts = ['_table', '_schema', '_field', 'a', 'b', 'ab', 'A', '7'];
const path = fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((some) => some.join('/'));
const component = fc.oneof(
  path,
  path.map((text) => `/${text}/`),
  path.map((text) => `${text}/*`),
  path.map((text) => `${text}*`),
  fc.constantFrom('*', '', 'a/*/b', '**', '_table/*x', '_table//a', '_table//*', '{x}/a', '_table/{x}'),
);
const row = fc.record({
  service: fc.constantFrom('db', 'db', 'db', 'other', null),
  component,
  verbMask: fc.integer({ min: 0, max: 31 }),
  requestorMask: fc.integer({ min: 0, max: 3 }),
});
const rowsOf = fc
  .array(row, { maxLength: 12 })
  .map((list) => list.map((fields, index): AccessRow => ({ ...plain, id: index + 1, ...fields })));
const template = fc.constantFrom(
  ...[
    { path: '_table/{name}', takesSlashes: false },
    { path: '_table/{name}/{id}', takesSlashes: false },
    { path: '_schema/{name}/_field/{field}', takesSlashes: false },
    { path: '{name}/a/{id}', takesSlashes: false },
    { path: 'a/b/ab/a/b/{id}', takesSlashes: false },
    { path: '_table', takesSlashes: false },
    { path: '{name}', takesSlashes: true },
    { path: 'a/{name}', takesSlashes: true },
  ],
);
const fixed = fc.constantFrom<Record<string, string>>({}, {}, { name: 'a' }, { name: 'AB' }, { name: 'c' });

const plain = { filters: null, filterOp: 'AND', verbMask: 31, requestorMask: 3 };
const callerWith = (access: AccessRow[]): Caller => ({ ...caller, role: { id: 3, name: 'r', isActive: true, access } });

/** Each row of the service, and those of all services that name everything. */
const everyGrant: typeof grantsBelow = (someone, service) =>
  grantsOfService(
    { ...someone, role: { ...someone.role!, access: someone.role!.access.filter(isMeant) } },
    service,
  ).map(({ component: stored, mask }) => ({ component: trim(stored), mask }));
const trim = (text: string) => text.replace(/^\/+|\/+$/g, '');
const isMeant = (one: AccessRow) =>
  !trim(one.component).split('/').includes('') && (one.service !== null || trim(one.component) === '*');

describe('reachOf', { timeout: soakRounds(60_000, 3_600_000) }, () => {
  it('finds by the beginnings of addresses what it finds in all rows', () => {
    fc.assert(
      fc.property(rowsOf, template, fc.constantFrom(...verbs), fixed, (rows, { path, takesSlashes }, verb, values) => {
        const seeker = { caller: callerWith(rows), key: 'db', leadsTo: () => true };
        const operation = { path, verb, takesSlashes, isPublic: false };
        expect(reachOf(seeker, operation, values)).toEqual(reachOf(seeker, operation, values, everyGrant));
      }),
      { numRuns: soakRounds(4_000, 200_000) },
    );
  });

  it.each([
    ['names', (name: string) => `_table/${name}`],
    ['records', (name: string) => `_table/${name}/7`],
    ['all below names', (name: string) => `_table/${name}/*`],
    ['beginnings', (name: string) => `_table/${name}*`],
  ])('abuse: of a thousand tables and a thousand %s in a role it looks at no more than their sum', (_, name) => {
    const count = 1_000;
    const names = Array.from({ length: count }, (_, index) => `t${index}`);
    const rows = names.map((table, id): AccessRow => ({ ...plain, id, service: 'db', component: name(`${table}z`) }));
    const seeker = { caller: callerWith(rows), key: 'db', leadsTo: () => true };
    let looked = 0;
    const counting: typeof grantsBelow = (...place) => {
      const found = grantsBelow(...place);
      looked += found.length;
      return found;
    };
    const operation = { path: '_table/{name}/{id}', verb: 'GET' as const, takesSlashes: false, isPublic: false };
    for (const table of names) reachOf(seeker, operation, { name: `${table}z` }, counting);
    expect(looked).toBeLessThanOrEqual(2 * count);
  });

  it('says that values it leaves out are not all', () => {
    const rows = Array.from(
      { length: 101 },
      (_, id): AccessRow => ({ ...plain, id, service: 'db', component: `a/${id}` }),
    );
    const operation = { path: 'a/{id}', verb: 'GET' as const, takesSlashes: false, isPublic: false };
    const reach = (some: AccessRow[]) =>
      reachOf({ caller: callerWith(some), key: 'db', leadsTo: () => true }, operation);
    expect(reach(rows.slice(0, 100))).toMatchObject({ isComplete: true, isOpen: false });
    expect(reach(rows)).toMatchObject({ isComplete: false, isOpen: false });
    expect(reach(rows)?.values).toHaveLength(100);
  });
});
