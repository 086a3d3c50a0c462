import { describe, expect, it } from 'vitest';
import { differences } from './compare.ts';
import type { NormalAnswer } from './normalise.ts';

const answer = (body: unknown, more: Partial<NormalAnswer> = {}): NormalAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
});

describe('two answers', () => {
  it('that are the same have no differences', () => {
    expect(differences(answer({ a: [1] }), answer({ a: [1] }))).toEqual([]);
  });

  it.each<[what: string, was: NormalAnswer, now: NormalAnswer, place: string, before: string, after: string]>([
    ['a status', answer(''), answer('', { status: 404 }), 'status', '200', '404'],
    [
      'a lost header',
      answer('', { headers: { vary: 'Origin' } }),
      answer('', { headers: {} }),
      'header vary',
      'Origin',
      '(absent)',
    ],
    ['a new header', answer('', { headers: {} }), answer('', { headers: { vary: '' } }), 'header vary', '(absent)', ''],
    [
      'a changed header',
      answer('', { headers: { allow: 'GET, PUT' } }),
      answer('', { headers: { allow: 'PUT, GET' } }),
      'header allow',
      'GET, PUT',
      'PUT, GET',
    ],
    [
      'a changed value',
      answer({ resource: [{ id: 1 }] }),
      answer({ resource: [{ id: 2 }] }),
      'body resource.0.id',
      '1',
      '2',
    ],
    ['a number told as a text', answer({ a: 1 }), answer({ a: '1' }), 'body a', '1', '"1"'],
    ['null in place of nothing', answer({ a: 1, b: null }), answer({ a: 1 }), 'body b', 'null', '(absent)'],
    ['a new key', answer({ a: 1 }), answer({ a: 1, b: [] }), 'body b', '(absent)', '[]'],
    ['a lost row', answer([1, 2]), answer([1]), 'body 1', '2', '(absent)'],
    [
      'rows in another order',
      answer({ resource: [{ id: 1 }, { id: 2 }] }),
      answer({ resource: [{ id: 2 }, { id: 1 }] }),
      'body resource (the order)',
      '[{"id":1},{"id":2}]',
      '[{"id":2},{"id":1}]',
    ],
    [
      'keys in another order',
      answer({ a: 1, b: 2 }),
      answer({ b: 2, a: 1 }),
      'body (the order of the keys)',
      'a, b',
      'b, a',
    ],
    ['a list in place of an object', answer({ a: {} }), answer({ a: [] }), 'body a', '{}', '[]'],
    ['a bare value', answer('25'), answer('26'), 'body', '25', '26'],
    [
      'more digits than a number holds',
      answer('{"n":9007199254740992}'),
      answer('{"n":9007199254740993}'),
      'body line 1',
      '{"n":9007199254740992}',
      '{"n":9007199254740993}',
    ],
    ['a number written otherwise', answer('[1.0]'), answer('[1]'), 'body line 1', '[1.0]', '[1]'],
    ['a key told twice', answer('{"a":1,"a":1}'), answer('{"a":1}'), 'body line 1', '{"a":1,"a":1}', '{"a":1}'],
    ['a blank', answer('{"a": 1}'), answer('{"a":1}'), 'body line 1', '{"a": 1}', '{"a":1}'],
    ['a line of CSV', answer('id\n1\n2\n'), answer('id\n1\n3\n'), 'body line 3', '2', '3'],
    ['the end of a line of CSV', answer('id\n1\n'), answer('id\r\n1\n'), 'body line 1', 'id', 'id\\r'],
    ['a lost line of CSV', answer('id\n1\n'), answer('id\n'), 'body line 2 of 3 or 2', '1', ''],
    ['the end of the last line', answer('id\n'), answer('id'), 'body line 2 of 2 or 1', '', '(absent)'],
    ['a body that is JSON no more', answer({ a: 1 }), answer('a'), 'body line 1', '{"a":1}', 'a'],
  ])('differ by %s', (_what, was, now, place, before, after) => {
    expect(differences(was, now)).toEqual([{ place, was: before, now: after }]);
    expect(differences(now, was)).toHaveLength(1);
  });

  it('tell each difference', () => {
    const list = (value: number) => answer({ a: value, b: [0, value, 0, { c: value }] });
    expect(differences(list(1), { ...list(2), status: 500 }).map(({ place }) => place)).toEqual([
      'status',
      'body a',
      'body b.1',
      'body b.3.c',
    ]);
  });

  it('tell the order of the keys beside a lost one, and how a text is written beside its values', () => {
    const places = (was: string, now: string) => differences(answer(was), answer(now)).map(({ place }) => place);
    expect(places('{"a":1,"b":2,"c":3}', '{"c":3,"b":2}')).toEqual(['body (the order of the keys)', 'body a']);
    expect(places('{"a":1,"b":2}', '{"a":1}')).toEqual(['body b']);
    expect(places('{"a":9007199254740993,"b":1}', '{"a":9007199254740992,"b":2}')).toEqual(['body b', 'body line 1']);
  });

  it('show the beginning of what is long, from where it differs', () => {
    const [long] = differences(answer(`${'x'.repeat(1000)}a`), answer(`${'x'.repeat(1000)}b`));
    expect(long).toEqual({ place: 'body line 1', was: `${'x'.repeat(40)}a`, now: `${'x'.repeat(40)}b` });
    const [longer] = differences(answer('x'.repeat(1000)), answer(`${'x'.repeat(1000)}b`));
    expect(longer).toEqual({ place: 'body line 1', was: 'x'.repeat(40), now: `${'x'.repeat(40)}b` });
    const [text] = differences(answer({ a: 'x'.repeat(1000) }), answer({ a: '' }));
    expect(text?.was).toMatch(/^"x{299}… \(1002 characters\)$/);
  });
});
