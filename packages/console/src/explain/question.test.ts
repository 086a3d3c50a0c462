import { describe, expect, it } from 'vitest';
import {
  callablePaths,
  parsePath,
  type Question,
  readQuestion,
  readRecord,
  requestOf,
  writeQuestion,
} from './question.ts';

const question = (changes: Partial<Question> = {}): Question => ({
  verb: 'GET',
  service: 'db',
  component: '_table/contact',
  app: '',
  requestor: 'API',
  record: '',
  ...changes,
});

describe('the address', () => {
  it('holds the whole question and gives it back', () => {
    const typedQuestion = question({ verb: 'PUT', app: '3', requestor: 'SCRIPT', record: '{"id":1}' });
    const address = writeQuestion(new URLSearchParams('other=1'), typedQuestion);
    expect(address.get('other')).toBe('1');
    expect(readQuestion(address)).toEqual(typedQuestion);
  });

  it('falls back where it says something odd, and leaves out what is usual', () => {
    expect(readQuestion(new URLSearchParams('verb=HACK&app=x&by=ME&path=/db'))).toEqual(question({ component: '' }));
    expect(String(writeQuestion(new URLSearchParams(), question()))).toBe('path=db%2F_table%2Fcontact');
    expect(String(writeQuestion(new URLSearchParams(), question({ service: '' })))).toBe('');
  });

  it('has no room for a long record, nor for one that is not asked about', () => {
    const long = JSON.stringify({ text: 'x'.repeat(2000) });
    expect(writeQuestion(new URLSearchParams(), question({ record: long })).has('record')).toBe(false);
    expect(writeQuestion(new URLSearchParams(), question({ component: '_schema', record: '{}' })).has('record')).toBe(
      false,
    );
  });
});

describe('the request', () => {
  it('names who asks, and the likely app of a person until another is chosen', () => {
    const call = { verb: 'GET', requestor: 'API', path: 'db/_table/contact' };
    expect(requestOf({ role_id: 2 }, question({ app: '9' }), 5)).toEqual({ role_id: 2, ...call });
    expect(requestOf({ user_id: 1 }, question(), 5)).toEqual({ user_id: 1, app_id: 5, ...call });
    expect(requestOf({ user_id: 1 }, question({ app: '9' }), 5)).toEqual({ user_id: 1, app_id: 9, ...call });
    expect(requestOf({ user_id: 1 }, question({ app: 'none' }), 5)).toEqual({ user_id: 1, ...call });
    expect(requestOf({ user_id: 1 }, question(), null)).toEqual({ user_id: 1, ...call });
  });

  it('waits for a service and for a record that can be read, and sends records of tables only', () => {
    expect(requestOf({ role_id: 2 }, question({ service: '' }), null)).toBeNull();
    expect(requestOf({ role_id: 2 }, question({ record: '{' }), null)).toBeNull();
    expect(requestOf({ role_id: 2 }, question({ record: '{"a":1}' }), null)).toMatchObject({ record: { a: 1 } });
    expect(requestOf({ role_id: 2 }, question({ component: '', record: '{' }), null)).not.toHaveProperty('record');
  });

  it.each([
    ['', null],
    ['{"a":1}', { a: 1 }],
    ['[1]', undefined],
    ['7', undefined],
    ['null', undefined],
  ])('reads the record %s', (typed, expected) => expect(readRecord(typed)).toEqual(expected));
});

it('takes a pasted address apart', () => {
  expect(parsePath('https://x.example/api/v2/db/_table/a/7?fields=id')).toEqual({
    service: 'db',
    component: '_table/a/7',
  });
  expect(parsePath('_table/a')).toEqual({ component: '_table/a' });
});

it('offers paths one can call, each once', () => {
  expect(callablePaths(['', '*', '_table/', '_table/*', '_table/a/', '_table/a/*'])).toEqual(['_table', '_table/a']);
});
