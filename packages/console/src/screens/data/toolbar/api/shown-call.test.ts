import { describe, expect, it } from 'vitest';
import { aField, anId, aSchema } from '../../testing.tsx';
import { recordCall, recordsCall } from './shown-call.ts';

const schema = aSchema([anId(), aField('name'), aField('a,b')]);
const shown = {
  path: 'shop/_table/thing',
  schema,
  filter: undefined,
  order: null,
  limit: 50,
  offset: 0,
  fields: ['id', 'name', 'a,b'],
};

describe('the call for what a table shows', () => {
  it('has what is shown, and nothing the server does by itself', () => {
    expect(recordsCall(shown)).toEqual({ path: 'shop/_table/thing', query: { limit: '50' } });
    expect(
      recordsCall({
        ...shown,
        filter: 'name like "%x%"',
        order: { field: 'Item No', descending: true },
        offset: 100,
        fields: ['name', 'id'],
      }).query,
    ).toEqual({ filter: 'name like "%x%"', order: '"Item No" desc', fields: 'name,id', limit: '50', offset: '100' });
  });

  it('has all fields where a name cannot stand in a list', () => {
    expect(recordsCall({ ...shown, fields: ['a,b'] }).query).toEqual({ fields: '"a,b"', limit: '50' });
    expect(recordsCall({ ...shown, fields: [] }).query).toEqual({ limit: '50' });
  });
});

describe('the call for a record', () => {
  it('names it in the address where that says exactly it', () => {
    expect(recordCall(shown.path, schema, ['7'])).toEqual({ path: 'shop/_table/thing/7', query: {} });
  });
  it.each(['..', 'a/b', '1,2', 'ü', '1(2)', ''])('asks by a filter for %j', (key) => {
    const { path, query } = recordCall(shown.path, aSchema([aField('key', { is_primary_key: true })]), [key]);
    expect(path).toBe(shown.path);
    expect(query).toEqual({ filter: `key = "${key}"`, limit: '1' });
  });
  it('asks by a filter for a key of several fields', () => {
    const joint = aSchema([anId(), aField('day', { is_primary_key: true })]);
    expect(recordCall(shown.path, joint, ['7', 'mon']).query).toEqual({
      filter: '(id = 7) and (day = "mon")',
      limit: '1',
    });
  });
});
