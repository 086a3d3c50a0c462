import { describe, expect, it } from 'vitest';
import { asNewRecord, compareForms, mergeForms, removeTheirRows, rowChanges } from './differences.ts';

const was = { id: 7, name: 'a', label: 'A', config: { host: 'h', port: 1 }, last_modified_date: '1' };

describe('what differs', () => {
  it('tells who changed what, part by part, and nothing where both agree', () => {
    const mine = { ...was, name: 'mine', label: 'same', config: { host: 'mine', port: 1 } };
    const theirs = { ...was, name: 'theirs', label: 'same', config: { host: 'h', port: 2 }, last_modified_date: '2' };
    expect(compareForms(was, mine, theirs).map(({ field, changedBy: by }) => [field, by])).toEqual([
      ['name', 'both'],
      ['config.host', 'me'],
      ['config.port', 'them'],
    ]);
  });

  it.each([
    [
      'stamps, of rows too',
      { rows: [{ id: 1, a: 1, last_modified_date: 'x' }] },
      { rows: [{ id: 1, a: 1, last_modified_date: 'y' }] },
    ],
    ['the order of keys', { part: [{ a: 1, b: 2 }] }, { part: [{ b: 2, a: 1 }] }],
    ['null, undefined and absent', { a: null, rows: [{ id: 1, b: undefined }] }, { rows: [{ id: 1, b: null }] }],
  ])('does not count %s', (_what, before: Record<string, unknown>, after: Record<string, unknown>) => {
    expect(compareForms(before, before, after)).toEqual([]);
  });

  it('compares lists as a whole, and files by themselves', () => {
    const [mine, theirs] = [new Blob(['a']), new Blob(['a'])];
    const found = compareForms({ list: [1], file: null }, { list: [1, 2], file: mine }, { list: [1, 3], file: theirs });
    expect(found.map(({ field, changedBy: by }) => [field, by])).toEqual([
      ['list', 'both'],
      ['file', 'both'],
    ]);
  });
});

describe('what comes of it', () => {
  const mine = { ...was, name: 'mine', config: { host: 'mine', port: 1 } };
  const theirs = { ...was, name: 'theirs', config: { host: 'h', port: 2 }, last_modified_date: '2' };
  const found = compareForms(was, mine, theirs);

  it('puts what is mine into theirs', () => {
    const expected = { id: 7, label: 'A', config: { host: 'mine', port: 2 }, last_modified_date: '2' };
    expect(mergeForms(theirs, found, { name: 'mine' })).toEqual({ ...expected, name: 'mine' });
    expect(mergeForms(theirs, found, { name: 'theirs' })).toEqual({ ...expected, name: 'theirs' });
  });

  it('takes away the rows they added to a list that is kept as mine, and deletes nothing twice', () => {
    const list = (...ids: number[]) => ({ lookup_by_role_id: ids.map((id) => ({ id, role_id: 2 })) });
    const body = { lookup_by_role_id: [{ id: 1, role_id: 2 }, { id: 2, role_id: null }, { name: 'new' }] };
    expect(removeTheirRows(body, list(1, 2), list(1, 3), ['lookup_by_role_id'])).toEqual({
      lookup_by_role_id: [{ id: 1, role_id: 2 }, { name: 'new' }, { id: 3, role_id: null }],
    });
    expect(removeTheirRows(body, list(1, 2), list(1, 3), [])).toEqual(body);
  });

  it('creates a deleted record again without the children of the old one', () => {
    const body = {
      id: 7,
      name: 'a',
      created_date: '1',
      password: '***',
      config: { host: 'h', secret: '***' },
      lookup_by_user_id: [
        { id: 1, user_id: 7, name: 'x', value: '***' },
        { id: 2, user_id: null, name: 'removed' },
      ],
    };
    expect(asNewRecord(body, '***')).toEqual({ name: 'a', config: { host: 'h' }, lookup_by_user_id: [{ name: 'x' }] });
  });
});

it('tells the rows of a list that came, went and changed', () => {
  const before = [
    { id: 1, a: 1 },
    { id: 2, a: 1 },
    { id: 3, a: 1 },
  ];
  const now = [{ id: 1, a: 1 }, { id: 2, a: 2 }, { id: 3, a: 1, owner: null }, { a: 9 }];
  expect(rowChanges(before, now, 'owner')).toEqual({
    added: [{ a: 9 }],
    removed: [{ id: 3, a: 1 }],
    changed: [{ id: 2, a: 2 }],
    unchanged: 1,
  });
});
