// The cases are those of contract/role-access.md §2 and §5.
import { describe, expect, it } from 'vitest';
import { type AccessRow, newAccessRow } from './access.ts';
import { administers, indexRows, verbNames, warningsOf } from './warnings.ts';

const filters = [{ name: 'owner', operator: '=', value: '{user.id}' }];
const GET = 1;
const POST = 2;
const all = 31;

let key = 0;
const row = (component: string, verb_mask: number, more: Partial<AccessRow> = {}): AccessRow => ({
  ...newAccessRow(String(++key)),
  service_id: 5,
  component,
  verb_mask,
  ...more,
});
/** What is said of the first row, beside the others. */
const warningsOfFirst = (rows: AccessRow[], canFilter = true) => warningsOf(rows[0]!, indexRows(rows), canFilter);
const names = (rows: AccessRow[], canFilter = true) => warningsOfFirst(rows, canFilter).map(({ name }) => name);

describe('what surprises in a row', () => {
  it('is nothing in a plain one', () => {
    expect(warningsOfFirst([row('_table/contact/*', GET)])).toEqual([]);
    expect(warningsOfFirst([row('*', all), row('*', GET, { service_id: 6 })])).toEqual([]);
  });

  it('a longer wildcard does not override a shorter one', () => {
    expect(warningsOfFirst([row('_table/contact/*', POST), row('*', GET)])).toEqual([
      { name: 'adds', mask: GET, others: ['*'] },
    ]);
    expect(names([row('*', GET), row('_table/contact/*', POST)])).toEqual([]);
  });

  it('mask 0 takes nothing away beside a wildcard, but closes an exact component', () => {
    expect(warningsOfFirst([row('_table/secret/*', 0), row('*', all)])).toEqual([
      { name: 'zeroAdds', mask: all, others: ['*'] },
    ]);
    expect(names([row('_table/secret', 0), row('*', all)])).toEqual(['closes']);
  });

  it('mask 0 of a wildcard closes what the rows for all services give', () => {
    const every = row('*', all, { service_id: null });
    expect(names([row('*', 0), every])).toEqual(['zeroBlocks']);
    expect(names([row('*', 0)])).toEqual([]);
  });

  it('an exact row narrows, and is not for single records', () => {
    expect(warningsOfFirst([row('_table/contact', GET), row('*', all)])).toEqual([
      { name: 'narrows', mask: 30, others: ['*'] },
    ]);
    expect(names([row('_table/contact/', GET)])).toEqual(['listOnly']);
    expect(names([row('_table/contact', GET), row('_table/contact/*', GET)])).toEqual([]);
  });

  it('rows of other requestors and other cases of letters are told apart as the server does', () => {
    expect(names([row('_table/contact/*', POST), row('*', GET, { requestor_mask: 2 })])).toEqual([]);
    expect(names([row('_TABLE/Contact', GET), row('_table/contact/*', GET)])).toEqual([]);
    expect(names([row('*', GET, { requestor_mask: 0 })])).toEqual(['nobody']);
  });

  it('rows that never match', () => {
    expect(names([row('_table/*/x', GET)])).toEqual(['afterStar']);
    expect(names([row('_table/x', GET, { service_id: null })])).toEqual(['allOnly']);
    expect(names([row('', GET, { service_id: null })])).toEqual([]);
  });

  it('what no row matches falls to the rows for all services; said once for each service', () => {
    const every = row('*', GET, { service_id: null });
    const table = row('_table/a/*', GET);
    const other = row('_table/b/*', GET);
    expect(warningsOfFirst([table, other, every])).toEqual([{ name: 'restIsAll', mask: GET }]);
    expect(warningsOf(other, indexRows([table, other, every]), true)).toEqual([]);
    expect(names([row('*', GET), every])).toEqual([]);
  });

  it('filters: of a class the last row decides alone, an exact one before a wildcard', () => {
    expect(warningsOfFirst([row('_table/contact/*', GET, { filters }), row('_table/contact/*', GET)])).toEqual([
      { name: 'filtersLost', mask: GET, others: ['_table/contact/*'] },
    ]);
    expect(names([row('_table/*', GET, { filters }), row('*', GET)])).toEqual(['filtersLost']);
    expect(names([row('_table/*', GET, { filters }), row('_table/contact', GET)])).toEqual(['filtersCloser']);
    expect(names([row('_table/*', GET, { filters }), row('_table/*', POST)])).toEqual([]);
    const earlier = row('*', GET);
    const late = row('_table/contact/*', GET, { filters });
    expect(warningsOf(late, indexRows([earlier, late]), true)).toEqual([]);
  });

  it('filters where there are none, or for nothing', () => {
    expect(names([row('*', GET, { filters })], false)).toEqual(['filtersIgnored']);
    expect(names([row('*', GET, { filters, service_id: null })])).toEqual(['filtersIgnored']);
    expect(names([row('_schema/*', GET, { filters })])).toEqual(['filtersNowhere']);
    expect(names([row('_table/con*', GET, { filters })])).toEqual([]);
  });
});

describe('the verbs of a mask', () => {
  it.each([
    [0, ''],
    [9, 'GET, PATCH'],
    [31, 'GET, POST, PUT, PATCH, DELETE'],
  ])('%i: %s', (mask, words) => expect(verbNames(mask)).toBe(words));
});

describe('who may write services or scripts acts as an administrator', () => {
  it.each([
    ['service', POST],
    ['service/*', 8],
    ['service/5', 16],
    ['event_script/shop.get', 4],
    ['Event_Script/', POST],
    ['*', all],
    ['serv*', POST],
  ])('%s with mask %i', (component, mask) => {
    expect(administers(row(component, mask))).toBe(true);
  });

  it.each([
    ['service/*', GET],
    ['service_type/*', all],
    ['event', all],
    ['role/*', all],
    ['', all],
    ['service/*', 0],
    ['service/*x', all],
  ])('not %s with mask %i', (component, mask) => {
    expect(administers(row(component, mask))).toBe(false);
  });

  it('not a row that counts for nobody', () => {
    expect(administers(row('*', all, { requestor_mask: 0 }))).toBe(false);
  });
});
