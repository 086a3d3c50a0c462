import { describe, expect, it } from 'vitest';
import { aField, anId, aSchema } from '../testing.tsx';
import { defaultColumns, defaultWidth, moveColumn, readLayout, titleFieldName, toggleColumn } from './columns.ts';

const texts = (...names: string[]) => names.map((name) => aField(name));

describe('columns visible at first', () => {
  it('are at most 8 (TBL-045)', () => {
    const schema = aSchema([anId(), ...texts(...'abcdefghijkl')]);
    expect(defaultColumns(schema)).toEqual(['id', ...'abcdefg']);
  });

  it.each([
    'name',
    'title',
    'first_name',
    'last_name',
    'firstname',
    'lname',
    'f_name',
    'email',
    'phone',
    'Company Name',
    'customerEmail',
  ])('prefer %s (TBL-046, OPEN-120)', (name) => {
    const schema = aSchema([anId(), ...texts(...'abcdefghijkl'), aField(name)]);
    expect(defaultColumns(schema)).toEqual(['id', ...'abcdef', name]);
  });

  it.each(['rename', 'surnamed', 'phonetic'])('do not prefer %s', (name) => {
    const schema = aSchema([anId(), ...texts(...'abcdefghijkl'), aField(name)]);
    expect(defaultColumns(schema)).not.toContain(name);
  });

  it('then take dates, then the others, binary ones last', () => {
    const schema = aSchema([
      anId(),
      aField('photo', { type: 'binary' }),
      ...texts(...'abcdefghi'),
      aField('made', { type: 'datetime' }),
    ]);
    expect(defaultColumns(schema)).toEqual(['id', ...'abcdef', 'made']);
  });

  it('name a record by its declared field', () => {
    expect(titleFieldName(aSchema([anId(), aField('code'), aField('title')]))).toBe('title');
    expect(titleFieldName(aSchema([anId(), aField('code')], { name_field: 'code' }))).toBe('code');
    expect(titleFieldName(aSchema([aField('code')]))).toBe('code');
  });
});

describe('widths', () => {
  it('fit the loaded values, so that no number is cut', () => {
    const field = anId();
    expect(defaultWidth(field, [{ id: 1 }])).toBe(80);
    expect(defaultWidth(field, [{ id: '-9223372036854775808' }])).toBeGreaterThan(150);
  });
  it('have an upper bound', () => expect(defaultWidth(aField('x'), [{ x: 'a'.repeat(999) }])).toBeLessThan(300));
});

describe('chosen columns', () => {
  const all = [...'abcde'];
  it('are inserted where they are in the table, whatever the order is', () => {
    expect(toggleColumn(['e', 'b', 'a'], all, 'c')).toEqual(['e', 'b', 'c', 'a']);
    expect(toggleColumn(['d', 'e'], all, 'a')).toEqual(['a', 'd', 'e']);
    expect(toggleColumn(['a', 'b'], all, 'a')).toEqual(['b']);
  });
  it('are moved', () => {
    expect(moveColumn(['a', 'b', 'c'], 'a', 2)).toEqual(['b', 'c', 'a']);
    expect(moveColumn(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'a', 'b']);
    expect(moveColumn(['a', 'b', 'c'], 'c', -1)).toEqual(['c', 'a', 'b']);
    expect(moveColumn(['a', 'b', 'c'], 'x', 0)).toEqual(['a', 'b', 'c']);
  });
  it('are stored in their order, each once', () =>
    expect(readLayout('{"shown":["b","a","b",3]}').shown).toEqual(['b', 'a']));
});

it.each([null, 'nonsense', '3', '{"shown":3,"widths":{"a":"x"}}'])(
  'stored columns that are %s count as none',
  (text) => {
    expect(readLayout(text)).toEqual({ shown: null, widths: {} });
  },
);
