import { Failure } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { type Column, makeTable } from '../schema/index.ts';
import { aTable } from '../schema/table.fixture.ts';
import { bindFilter, parseFields, parseFilter, parseGroup, parseOrder } from './index.ts';

const table = aTable({ id: 'id', name: 'string', 'last login': 'datetime', n: 'integer', nulls: 'string' });

function resultOrFailure(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    if (error instanceof Failure) return `${error.status} ${error.message}`;
    throw error;
  }
}

describe('lookups', () => {
  const lookupValues: Record<string, string> = {
    'user.id': '7',
    'user.name': "' or 1=1 --",
    my_key: '{user.id}',
    'trim(x)': 'y',
  };
  const lookup = (name: string) => lookupValues[name];
  const value = (filter: string, params?: Record<string, unknown>) => {
    const bound = bindFilter(parseFilter(filter), table, { lookup, params });
    return bound.kind === 'compare' && bound.value.kind === 'value' ? bound.value.value : bound;
  };

  it.each<[string, unknown]>([
    ['n = {user.id}', 7],
    ['name = {user.name}', "' or 1=1 --"],
    ["name = '{user.name}'", "' or 1=1 --"],
    ['name = {user.id}-{user.id}', '7-7'],
    ['name = {unknown}', '{unknown}'],
    ['name = {my_key}', '{user.id}'],
    ['name = {}', '{}'],
    ['(name = {trim(x)})', 'y'],
    ['name contains {user.id}', '7'],
  ])('%s', (filter, expected) => expect(value(filter)).toEqual(expected));

  it('are bound as values, also inside parameters, and never parsed', () => {
    expect(value('name = :p', { ':p': 'x {user.name}' })).toBe("x ' or 1=1 --");
    expect(resultOrFailure(() => value('n = {unknown}'))).toBe("400 Field 'n' must be a valid integer.");
    expect(resultOrFailure(() => value('{user.id} = 7'))).toBe(
      "400 Invalid or unparsable field in filter request: '{user.id}'",
    );
  });
});

describe('order', () => {
  it.each([
    ['name', [['name', 'asc']]],
    ['name desc', [['name', 'desc']]],
    [
      'NAME ASC,  n   DESC',
      [
        ['name', 'asc'],
        ['n', 'desc'],
      ],
    ],
    [
      'n, name desc, n desc, NAME',
      [
        ['n', 'asc'],
        ['name', 'desc'],
      ],
    ],
    ['name downwards', [['name', 'desc']]],
    ['last login', [['last login', 'asc']]],
    ['last login desc', [['last login', 'desc']]],
    ['nulls', [['nulls', 'asc']]],
    ['name nulls first', [['name', 'asc', 'first']]],
    [
      'name DESC  Nulls LAST, n',
      [
        ['name', 'desc', 'last'],
        ['n', 'asc'],
      ],
    ],
    ['last login asc nulls last', [['last login', 'asc', 'last']]],
    ['nulls nulls first', [['nulls', 'asc', 'first']]],
    ['nulls last', [['nulls', 'desc']]],
  ])('%s', (text, expected) => {
    const terms = parseOrder(text, table).map(({ column, direction, nulls }) =>
      nulls ? [column.name, direction, nulls] : [column.name, direction],
    );
    expect(terms).toEqual(expected);
  });

  it.each([
    ['nope', "400 Invalid field 'nope' in order by clause."],
    ['name; drop table x', '400 Invalid order by clause in request.'],
    ['name desc, sleep(5)', '400 Use of the sleep() function not supported.'],
    ['name nulls first nulls last', "400 Invalid field 'name nulls' in order by clause."],
    ['nulls first nulls last x', "400 Invalid field 'nulls first nulls last' in order by clause."],
    ['(select 1)', "400 Invalid field '(select' in order by clause."],
    ['(select(1))', "400 Invalid field '(select(1))' in order by clause."],
    ['1', "400 Invalid field '1' in order by clause."],
  ])('%s → %s', (text, message) => expect(resultOrFailure(() => parseOrder(text, table))).toBe(message));
});

it('abuse: an order that is too long is refused unread', () => {
  const refusal = (text: string) => resultOrFailure(() => parseOrder(text, table));
  expect(refusal('x'.repeat(1001))).toMatch(/^400 Invalid field 'x+…' in order by clause\.$/);
  expect(refusal('name,'.repeat(60_000))).toBe('400 Invalid order by clause in request.');
});

it('group', () => {
  expect(parseGroup('n, NAME, n', table).map((column) => column.name)).toEqual(['n', 'name']);
  expect(resultOrFailure(() => parseGroup('n;', table))).toBe('400 Invalid group by clause in request.');
  expect(resultOrFailure(() => parseGroup('count(*)', table))).toBe("400 Invalid field 'count(*)' in group by clause.");
});

describe('fields', () => {
  // An aggregate, a virtual field with a function to read it, and one without.
  const virtualColumn = (name: string, description: object, expression?: object): Column => ({
    ...table.column('n')!,
    name,
    description: { ...table.column('n')!.description, is_virtual: true, ...description },
    ...(expression ? { expression } : {}),
  });
  const virtual = makeTable({
    ...table,
    columns: [
      ...table.key,
      virtualColumn('total', { is_aggregate: true }, { select: 'sum(n)' }),
      virtualColumn('twice', {}, { select: 'n * 2' }),
      virtualColumn('blind', {}),
      virtualColumn('asked', {}, { filter: 'n * 3' }),
    ],
  });
  it('that are virtual can be used where there is something to use', () => {
    const namesOf = (list: Column[]) => list.map((column) => column.name);
    expect(namesOf(parseFields('*', virtual))).toEqual(['id', 'twice']);
    expect(namesOf(parseFields('total,twice', virtual))).toEqual(['total', 'twice']);
    for (const name of ['blind', 'asked'])
      expect(resultOrFailure(() => parseFields(name, virtual))).toBe(`400 Invalid field requested: ${name}`);
    const bindText = (text: string) => resultOrFailure(() => bindFilter(parseFilter(text), virtual));
    expect(bindText('twice = 2 and asked = 3 and id = (asked)')).toMatchObject({ kind: 'and' });
    expect(bindText('total = 1')).toBe("400 Invalid or unparsable field in filter request: 'total'");
    expect(bindText('blind = 1')).toBe("400 Invalid or unparsable field in filter request: 'blind'");
    expect(bindText('id = (total)')).toContain('400 ');
    expect(parseOrder('total desc', virtual)).toMatchObject([{ direction: 'desc' }]);
    expect(resultOrFailure(() => parseOrder('blind', virtual))).toBe("400 Invalid field 'blind' in order by clause.");
    expect(namesOf(parseGroup('twice', virtual))).toEqual(['twice']);
    expect(resultOrFailure(() => parseGroup('total', virtual))).toBe("400 Invalid field 'total' in group by clause.");
  });
  const names = (fields: string | string[] | undefined) => parseFields(fields, table).map((column) => column.name);
  it('takes a list in any form', () => {
    const allNames = table.columns.map((column) => column.name);
    expect(names(undefined)).toEqual(allNames);
    expect(names('*')).toEqual(allNames);
    expect(names('')).toEqual(['id']);
    expect(names([])).toEqual(['id']);
    expect(names('NAME, id,name')).toEqual(['name', 'id']);
    expect(names(['n', 'last login'])).toEqual(['n', 'last login']);
  });
  it('leaves aggregates to those who name them', () => {
    const [first, second] = table.columns as [(typeof table.columns)[0], (typeof table.columns)[0]];
    const sum = { ...second, description: { ...second.description, is_aggregate: true } };
    const changedTable = {
      ...table,
      columns: [first, sum],
      column: (name: string) => (name === 'name' ? sum : undefined),
    };
    expect(parseFields('*', changedTable)).toEqual([first]);
    expect(parseFields('name', changedTable)).toEqual([sum]);
  });
  it('refuses what is no field', () => {
    expect(resultOrFailure(() => names('id,foo'))).toBe('400 Invalid field requested: foo');
    expect(resultOrFailure(() => names('SUM(n)'))).toBe('400 Invalid field requested: SUM(n)');
    expect(resultOrFailure(() => names('constructor'))).toBe('400 Invalid field requested: constructor');
  });
});
