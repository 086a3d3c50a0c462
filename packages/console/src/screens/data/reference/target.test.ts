import type { RelationDescription } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import type { DatabaseService } from '../address/sources.ts';
import { aField, anId, aRelation, aSchema } from '../testing.tsx';
import { displayFields, locateTable, recordName, referenceTargetOf, searchFilter } from './target.ts';

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
  const referenceField = aField('kind_id', { ref_table: 'kind', ref_field: 'id' });

  it('is named by its foreign key', () => {
    expect(referenceTargetOf(referenceField, aSchema([referenceField]), 'shop', services)).toEqual({
      service: 'shop',
      table: 'kind',
      field: 'id',
    });
  });

  it('is named by a declared relation, in another service too', () => {
    const field = aField('kind');
    const schema = (change: Partial<RelationDescription>) =>
      aSchema([field], { related: [aRelation('kind_by_kind', { ...belongs, ...change })] });
    const target = { service: 'other', table: 'kind', field: 'no' };
    expect(referenceTargetOf(field, schema({ ref_service_id: 6 }), 'shop', services)).toEqual(target);
    expect(referenceTargetOf(field, schema({ ref_service_id: 9 }), 'shop', services)).toBeNull();
    expect(referenceTargetOf(field, schema({ type: 'has_many' }), 'shop', services)).toBeNull();
    expect(referenceTargetOf(field, schema({ field: 'kind,no', ref_field: 'a,b' }), 'shop', services)).toBeNull();
  });
});

describe('the name of a record', () => {
  it('is its declared field, its title or name, first and last name together, or an address', () => {
    expect(displayFields(aSchema([aField('a'), aField('name')], { name_field: 'a' }))[0]?.name).toBe('a');
    expect(names('note', 'customerName').map(({ name }) => name)).toEqual(['customerName']);
    expect(names('email', 'first_name', 'last_name').map(({ name }) => name)).toEqual(['first_name', 'last_name']);
    expect(names('note', 'email').map(({ name }) => name)).toEqual(['email']);
    expect(names('note').map(({ name }) => name)).toEqual(['note']);
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
  ])('%s', (_what, typed, filter) => expect(searchFilter(schema, 'id', typed)).toBe(filter));

  it('by a code that is not a part of the name', () => {
    const countries = aSchema([aField('iso', { is_primary_key: true }), aField('name')]);
    expect(searchFilter(countries, 'iso', 'FR')).toBe('(name like "%FR%") or (iso = "FR")');
  });
});
