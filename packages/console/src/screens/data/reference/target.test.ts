import type { FieldDescription, RelationDescription } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import type { DatabaseService, Schema } from '../address/sources.ts';
import { aField, anId, aRelation, aSchema } from '../testing.tsx';
import { displayFields, jointFilter, locateTable, recordName, referencesOf, searchFilter } from './target.ts';

const services = [{ id: 6, name: 'other' }] as DatabaseService[];
const names = (...fields: string[]) => displayFields(aSchema([anId(), ...fields.map((name) => aField(name))]));

describe('where a table is read', () => {
  it('is this service, the one the relation names, or the system service (TBL-030)', () => {
    expect(locateTable('kind', null, 'shop', services)).toEqual({ service: 'shop', table: 'kind' });
    expect(locateTable('kind', 6, 'shop', services)).toEqual({ service: 'other', table: 'kind' });
    expect(locateTable('kind', 7, 'shop', services)).toBeNull();
    expect(locateTable('df_sys_user', 6, 'shop', services)).toEqual({ service: 'system', table: 'user' });
  });
});

describe('what a field refers to', () => {
  const belongs: Partial<RelationDescription> = {
    type: 'belongs_to',
    field: 'kind',
    ref_table: 'kind',
    ref_field: 'no',
  };
  const singleOf = (name: string, schema: Schema) => referencesOf(schema, 'shop', services).single.get(name);

  it('is named by its foreign key', () => {
    const schema = aSchema([aField('kind_id', { ref_table: 'kind', ref_field: 'id' })]);
    expect(singleOf('kind_id', schema)).toEqual({ service: 'shop', table: 'kind', field: 'id' });
  });

  it('is named by a declared relation, in another service too', () => {
    const schema = (change: Partial<RelationDescription>) =>
      aSchema([aField('kind')], { related: [aRelation('kind_by_kind', { ...belongs, ...change })] });
    const target = { service: 'other', table: 'kind', field: 'no' };
    expect(singleOf('kind', schema({ ref_service_id: 6 }))).toEqual(target);
    expect(singleOf('kind', schema({ ref_service_id: 9 }))).toBeUndefined();
    expect(singleOf('kind', schema({ type: 'has_many' }))).toBeUndefined();
    expect(singleOf('kind', schema({ field: 'kind,no', ref_field: 'a,b' }))).toBeUndefined();
  });

  it('may have a comma in its name', () => {
    const schema = aSchema([aField('first,last')], {
      related: [aRelation('kind_by_name', { ...belongs, field: 'first,last', ref_field: 'name,given' })],
    });
    expect(singleOf('first,last', schema)).toEqual({ service: 'shop', table: 'kind', field: 'name,given' });
    expect(referencesOf(schema, 'shop', services).joint).toEqual([]);
  });
});

describe('fields that refer to a record together', () => {
  const part = (name: string, field: string, type: FieldDescription['type'] = 'string') =>
    aField(name, { type, ref_table: 'branch', ref_field: field, is_foreign_key: true });
  const toBranch: Partial<RelationDescription> = {
    type: 'belongs_to',
    field: 'country,branch_no',
    ref_table: 'branch',
    ref_field: 'country,no',
  };
  const fields = [part('country', 'country'), part('branch_no', 'no', 'integer')];
  const stay = aSchema(fields, { related: [aRelation('branch_by_country_branch_no', toBranch)] });
  const branch = { service: 'shop', table: 'branch', columns: ['country', 'branch_no'], fields: ['country', 'no'] };

  it('are those of a foreign key or a declared relation; none of them refers alone', () => {
    const { single, joint } = referencesOf(stay, 'shop', services);
    expect(joint).toEqual([branch]);
    expect([...single]).toEqual([]);
  });

  it('may refer alone to another table besides', () => {
    const related = [
      ...stay.related,
      aRelation('land_by_country', { type: 'belongs_to', field: 'country', ref_table: 'land', ref_field: 'code' }),
    ];
    const { single, joint } = referencesOf({ ...stay, related }, 'shop', services);
    expect(joint).toEqual([branch]);
    expect([...single]).toEqual([['country', { service: 'shop', table: 'land', field: 'code' }]]);
  });

  it('of a table that refers to itself are known from the relation that leads the other way', () => {
    const own = aSchema([aField('country'), aField('no'), part('head_country', 'country'), part('head_no', 'no')], {
      name: 'branch',
      related: [
        aRelation('branch_by_head', { field: 'country,no', ref_table: 'branch', ref_field: 'head_country,head_no' }),
        aRelation('stay_by_country_branch_no', { field: 'country,no', ref_table: 'stay', ref_field: 'country,no' }),
      ],
    });
    const { single, joint } = referencesOf(own, 'shop', services);
    expect(joint).toEqual([{ ...branch, columns: ['head_country', 'head_no'] }]);
    expect([...single]).toEqual([]);
  });

  it('are not those of a relation whose sides differ in length, or whose service cannot be used', () => {
    for (const change of [{ ref_field: 'country' }, { ref_service_id: 9 }]) {
      const related = [aRelation('broken', { ...toBranch, ...change })];
      expect(referencesOf({ ...stay, related }, 'shop', services).joint).toEqual([]);
    }
  });

  it.each([
    ['all have a value', ['ch', '1'], '(country = "ch") and (no = 1)'],
    ['one has none', ['ch', null], null],
    ['one was not touched yet', [undefined, '1'], null],
    ['one is empty', ['', '1'], null],
    ['a number is none', ['ch', 'x'], null],
  ])('are looked up when %s', (_what, drafts, filter) => expect(jointFilter(branch, stay, drafts)).toBe(filter));
});

describe('the name of a record', () => {
  it('is its declared field, its title or name, first and last name together, or an address', () => {
    expect(displayFields(aSchema([aField('a'), aField('name')], { name_field: 'a' }))[0]?.name).toBe('a');
    expect(names('note', 'customerName').map(({ name }) => name)).toEqual(['customerName']);
    expect(names('email', 'first_name', 'last_name').map(({ name }) => name)).toEqual(['first_name', 'last_name']);
    expect(names('note', 'email').map(({ name }) => name)).toEqual(['email']);
    expect(names('note').map(({ name }) => name)).toEqual(['note']);
  });

  it('is no part of a key, where there is another text', () => {
    const fields = [aField('country', { is_primary_key: true }), aField('no', { is_primary_key: true })];
    expect(displayFields(aSchema([...fields, aField('city')]))[0]?.name).toBe('city');
    expect(displayFields(aSchema(fields))[0]?.name).toBe('country');
    expect(displayFields(aSchema([aField('iso', { is_primary_key: true }), aField('city')]))[0]?.name).toBe('iso');
  });

  it('is its key when it has no other', () => {
    const schema = aSchema([anId(), aField('name')]);
    expect(recordName(schema, { id: 5, name: 'Ann' })).toBe('Ann');
    expect(recordName(schema, { id: 5, name: '  ' })).toBe('5');
  });
});

describe('searching records', () => {
  const schema = aSchema([anId(), aField('name'), aField('email'), aField('age', { type: 'integer' })]);

  it.each([
    ['nothing typed', ' ', undefined],
    ['a part of a name', 'an', '(name like "%an%") or (email like "%an%")'],
    ['a number may be the id', '7', '(name like "%7%") or (email like "%7%") or (id = 7)'],
    ['quotes', 'a"b', `(name like '%a"b%') or (email like '%a"b%')`],
    ['both quotes', `a"b'c`, `(name like '%a"b''c%') or (email like '%a"b''c%')`],
  ])('%s', (_what, typed, filter) => expect(searchFilter(schema, ['id'], typed)).toBe(filter));

  it('by any part of a key of several fields', () =>
    expect(searchFilter(schema, ['id', 'age'], '7')).toBe(
      '(name like "%7%") or (email like "%7%") or (id = 7) or (age = 7)',
    ));

  it('by a code that is not a part of the name', () => {
    const countries = aSchema([aField('iso', { is_primary_key: true }), aField('name')]);
    expect(searchFilter(countries, ['iso'], 'FR')).toBe('(name like "%FR%") or (iso = "FR")');
  });
});
