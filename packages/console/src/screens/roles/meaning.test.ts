import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../text/index.ts';
import { type AccessRow, newAccessRow } from './access.ts';
import { tableOf } from './matching.ts';
import { meaningOf } from './meaning.ts';

const row = (component: string, verb_mask: number, more: Partial<AccessRow> = {}): AccessRow => ({
  ...newAccessRow('1'),
  component,
  verb_mask,
  ...more,
});
const filters = [
  { name: 'owner', operator: '=', value: '{user.id}' },
  { name: 'gone', operator: 'is null', value: 'left over' },
];

describe('a row in plain words', () => {
  it.each([
    [row('_table/contact/*', 3), 'db', 'May read and create in contact of db, API only.'],
    [row('_table/contact', 1), 'db', 'May read on contact of db as a whole, API only.'],
    [row('_table/*', 31), 'db', 'May do everything in every table of db, API only.'],
    [
      row('_table/con*', 16, { requestor_mask: 3 }),
      'db',
      'May delete in tables of db whose names begin with con, over the API and from scripts.',
    ],
    [row('*', 12, { requestor_mask: 2 }), 'db', 'May replace and change in all of db, scripts only.'],
    [row('', 1), 'db', 'May read at the root of db, API only.'],
    [row('/docs/*', 1), 'files', 'May read in docs of files and below it, API only.'],
    [row('_schema/contact', 1), 'db', 'May read at _schema/contact of db and nowhere else, API only.'],
    [row('*', 1), null, 'May read in every service, API only.'],
    [row('', 1), null, 'May read at the root of every service, API only.'],
    [row('_table/a', 1), null, 'Gives nothing: the component matches nothing.'],
    [row('*', 0), 'db', 'May do nothing in all of db, API only.'],
  ])('%#', (accessRow, service, words) => expect(meaningOf(accessRow, service, true)).toBe(words));

  it('names the records its filters leave, where there are filters', () => {
    const filtered = row('_table/contact/*', 1, { filters, filter_op: 'OR' });
    expect(meaningOf(filtered, 'db', true)).toBe(
      'May read in contact of db, API only; only records where owner = {user.id} or gone is null.',
    );
    expect(meaningOf(filtered, 'files', false)).toBe('May read in contact of files, API only.');
  });
});

describe('in German', () => {
  beforeAll(() => chooseLanguage('de'));
  afterAll(() => chooseLanguage('en'));

  it('says the same', () => {
    expect(meaningOf(row('_table/contact/*', 3), 'db', true)).toBe(
      'Darf in contact von db lesen und anlegen, nur über die API.',
    );
    expect(meaningOf(row('*', 0), 'db', true)).toBe('Darf in ganz db nichts, nur über die API.');
  });
});

describe('the table of a component', () => {
  it.each([
    ['_table/contact', 'contact'],
    ['_table/Contact/*', 'Contact'],
    ['/_schema/contact/', 'contact'],
    ['_table/*', undefined],
    ['_table/con*', undefined],
    ['_table/contact/5', undefined],
    ['*', undefined],
  ])('%s: %s', (component, table) => expect(tableOf(component)).toBe(table));
});
