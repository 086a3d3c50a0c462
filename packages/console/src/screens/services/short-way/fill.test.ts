import { describe, expect, it } from 'vitest';
import { serviceTypes } from '../../../fields/config/service-types.fixture.ts';
import { emptyService, withType } from '../record.ts';
import { offeredTypes } from '../types.ts';
import { fillForm, labelOfName, proposeName } from './fill.ts';

const types = offeredTypes(serviceTypes, 'OPEN SOURCE');
const mysql = types.find(({ name }) => name === 'mysql')!;
const filling = (config: Record<string, unknown>) => ({ type: 'mysql', config, unused: ['timeout'] });

describe('the form', () => {
  it('becomes one of the type, with what the address says', () => {
    const { form, unused } = fillForm({ ...emptyService, name: 'mine' }, filling({ host: 'h', schema: 's' }), mysql);
    expect(form).toMatchObject({ name: 'mine', type: 'mysql', config: { host: 'h', max_records: 1000 } });
    // The made-up type has no field for a schema.
    expect(unused).toEqual(['timeout', 'schema']);
  });

  it('keeps nothing of another database, its password least of all, but what has nothing to do with it', () => {
    const before = withType(emptyService, mysql);
    const config = { ...before.config, host: 'old', password: 'secret', max_records: 7, options: { a: '1' } };
    const { form } = fillForm({ ...before, config }, filling({ host: 'new', options: { b: '2' } }), mysql);
    expect(form.config).toMatchObject({ host: 'new', password: null, max_records: 7, options: { a: '1', b: '2' } });
  });
});

describe('a name', () => {
  it.each([
    ['shop', 'shop'],
    ['/var/lib/My Shop.sqlite3', 'my_shop'],
    ['C:\\data\\crm.db', 'crm'],
    ['äöü', 'pgsql'],
    ['', 'pgsql'],
    [undefined, 'pgsql'],
    ['taken', 'taken_3'],
    ['x'.repeat(100), 'x'.repeat(40)],
  ])('of the database %s is %s', (database, name) => {
    expect(proposeName(database, 'pgsql', new Set(['taken', 'taken_2']))).toBe(name);
  });

  it('is a label in words', () => {
    expect(labelOfName('shop_orders-2')).toBe('Shop orders 2');
  });
});
