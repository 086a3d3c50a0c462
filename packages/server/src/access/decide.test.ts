import { type Verb, verbMask } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { type AccessRow, componentOf, decide, serviceMask } from './decide.ts';

/** `'db _table/*:GET'` or `'- *:31'` (all services); `:SCRIPT` at the end makes it a row for scripts. */
function rows(...texts: string[]): AccessRow[] {
  return texts.map((text, index) => {
    const [, service, component = '', mask = '0', script] = /^(\S+) (\S*):(\w+)(:SCRIPT)?$/.exec(text) ?? [];
    return {
      id: index + 1,
      service: service === '-' ? null : (service ?? null),
      component: component === '""' ? '' : component,
      verbMask: mask in verbMask ? verbMask[mask as Verb] : Number(mask),
      requestorMask: script ? 2 : 1,
      filters: null,
      filterOp: 'and',
    };
  });
}

const may = (accessRows: AccessRow[], request: string) => {
  const [verb, address = ''] = request.split(' ');
  const [service = '', ...path] = address.split('/');
  const component = componentOf(path.join('/'));
  return decide(accessRows, { service, component, verb: verb as Verb, requestor: 'API' }).allowed;
};

// The cases of contract/role-access.md §2, row by row: rows → requests allowed, requests refused.
const cases: [string, AccessRow[], string[], string[]][] = [
  [
    'a longer prefix does not override a shorter one',
    rows('db *:GET', 'db _table/contact/*:POST'),
    ['POST db/_table/contact', 'GET db/_table/contact'],
    ['DELETE db/_table/contact', 'POST db/_table/other'],
  ],
  ['a wildcard of mask 0 does not deny', rows('db *:31', 'db _table/secret/*:0'), ['GET db/_table/secret'], []],
  [
    'an exact row of mask 0 denies just that component',
    rows('db *:31', 'db _table/secret:0'),
    ['GET db/_table/secret/5'],
    ['GET db/_table/secret'],
  ],
  [
    'an exact row decides alone',
    rows('db *:31', 'db _table/contact:GET'),
    ['DELETE db/_table/contact/5', 'GET db/_table/contact'],
    ['DELETE db/_table/contact'],
  ],
  [
    'a wildcard covers the folder itself',
    rows('db _table/*:GET'),
    ['GET db/_table', 'GET db/_table/', 'GET db/_table/a', 'GET db/_table/a/1', 'GET db/_TABLE/A'],
    ['GET db', 'GET db/_schema'],
  ],
  [
    'a wildcard of one table',
    rows('db _table/contact/*:GET'),
    ['GET db/_table/contact', 'GET db/_table/contact/7'],
    ['GET db/_table'],
  ],
  ['an exact component', rows('db _table/contact/:GET'), ['GET db/_table/contact'], ['GET db/_table/contact/7']],
  ['a prefix of a name', rows('db _table/con*:GET'), ['GET db/_table/contact'], ['GET db/_table/other']],
  ['the root alone', rows('db "":GET'), ['GET db'], ['GET db/_table']],
  ['all services', rows('- *:GET'), ['GET db', 'GET system/role', 'GET anything/at/all'], ['POST db']],
  ['falls through to all services', rows('db _schema/*:GET', '- *:31'), ['GET db/_table/x'], []],
  ['a folder', rows('docs docs/*:GET'), ['GET docs/docs/', 'GET docs/docs/a/b.txt'], ['GET docs/other']],
  ['a plain * reaches the root', rows('db *:GET'), ['GET db', 'GET db/x'], []],
  ['rows for scripts do not count for the API', rows('db *:31:SCRIPT'), [], ['GET db', 'GET db/x']],
  ['any matching row of the service hides all-services rows', rows('db *:0', '- *:31'), [], ['GET db/x', 'GET db']],
  ['nothing given', [], [], ['GET db', 'GET db/x']],
];

describe('decide (contract/role-access.md §2)', () => {
  it.each(cases)('%s', (_title, accessRows, allowed, refused) => {
    for (const request of allowed) expect([request, may(accessRows, request)]).toEqual([request, true]);
    for (const request of refused) expect([request, may(accessRows, request)]).toEqual([request, false]);
  });

  it.each([
    ['/_proc/Add(1,2)/', '_proc/add'],
    ['_func/f(1)(2)/x(', '_func/f/x('],
    ['_table/Contact(old)', '_table/contact(old)'],
    ['//a//b//', 'a//b'],
    ['///', ''],
  ])('makes of %s the component %s', (path, component) => {
    expect(componentOf(path)).toBe(component);
  });

  it.each([
    ['slashes', `a${'/'.repeat(1_000_000)}b`],
    ['parentheses', `_proc/${'('.repeat(1_000_000)}`],
    ['placeholders', `_table/${'{a}'.repeat(300_000)}!`],
  ])('takes no longer for an address of %s', (_what, path) => {
    const accessRows = rows('db _table/contact_information_records_of_last_year:GET');
    decide(accessRows, { service: 'db', component: componentOf(path), verb: 'GET', requestor: 'API' });
  });

  it('names the rows it decided by', () => {
    const accessRows = rows('db *:GET', 'db _table/*:POST', 'db _table/a:PUT');
    const decision = decide(accessRows, { service: 'db', component: '_table/b', verb: 'POST', requestor: 'API' });
    expect(decision).toMatchObject({ allowed: true, class: 'wildcard', mask: 3 });
    expect(decision.rows.map((row) => row.id)).toEqual([1, 2]);
  });

  it('matches a template against stored components', () => {
    const accessRows = rows('db _table/contact:GET');
    const question = { service: 'db', component: '_table/{table_name}', requestor: 'API' } as const;
    expect(decide(accessRows, { ...question, verb: 'GET' })).toMatchObject({ allowed: true, class: 'wildcard' });
    for (const component of ['_table/{a}{b}', '_table/x{a}', '{a}', '_table/{a}/{b}', '_table/{'])
      expect([component, decide(accessRows, { ...question, component, verb: 'GET' }).allowed]).toEqual([
        component,
        false,
      ]);
  });

  it('chooses the filters of the exact row, else of the last wildcard row that grants the verb', () => {
    const accessRows = rows('db _table/*:GET', 'db *:31', 'db _table/own:GET');
    for (const [index, row] of accessRows.entries())
      row.filters = [{ name: `f${index + 1}`, operator: '=', value: '1' }];
    const chosen = (component: string, verb: Verb) =>
      decide(accessRows, { service: 'db', component, verb, requestor: 'API' }).filterRow?.id;
    expect(chosen('_table/own', 'GET')).toBe(3);
    expect(chosen('_table/own/7', 'GET')).toBe(3);
    expect(chosen('_table/other/7', 'GET')).toBe(2);
    expect(chosen('_table/own/7', 'DELETE')).toBe(2);
    expect(chosen('_schema/own', 'GET')).toBeUndefined();
  });
});

describe('serviceMask (contract/role-access.md §4)', () => {
  it.each([
    [rows('db _table/a:GET', 'db _table/b:POST'), 3],
    [rows('db _table/a:0', '- *:GET'), 1],
    [rows('- _table/x:DELETE'), 16],
    [rows('other *:31'), 0],
  ])('%#', (accessRows, mask) => {
    expect(serviceMask(accessRows, 'db', 'API')).toBe(mask);
  });
});
