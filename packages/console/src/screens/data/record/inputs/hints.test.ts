import { describe, expect, it } from 'vitest';
import { aField } from '../../testing.tsx';
import { hintsOf } from './hints.ts';
import { multiPicklistRules, picklistMode, splitChoices } from './picklist.ts';

describe('what a validation requires, in words', () => {
  it.each([
    ['nothing', null, []],
    ['rules of the server alone', { api_read_only: {}, not_null: {}, boolean: {}, toString: {} }, []],
    ['an address', { email: { on_fail: 'No' }, url: null }, ['An email address', 'An address of the web']],
    ['a range', { int: { range: { min: 1, max: '5' } } }, ['From 1 to 5']],
    ['half a range', { int: { range: { min: 0 } } }, ['0 or more']],
    ['an integer', { int: [] }, ['A whole number is needed here.']],
    ['a form, not empty', { match: { regexp: 'L14v' }, not_empty: {} }, ['Of a certain form', 'Not empty']],
    ['several of a list', { multi_picklist: { min: 1, max: 3 } }, ['1 to 3 choices']],
    ['any of a list', { multi_picklist: {} }, ['At least 1 choice']],
  ])('%s', (_what, validation, words) => expect(hintsOf(aField('x', { validation }))).toEqual(words));
});

describe('a picklist', () => {
  it('allows one, several, or any text besides', () => {
    const picklist = ['a', 'b'];
    expect(picklistMode(aField('x'))).toBeNull();
    expect(picklistMode(aField('x', { picklist }))).toBe('suggested');
    expect(picklistMode(aField('x', { picklist, validation: { picklist: {} } }))).toBe('one');
    expect(picklistMode(aField('x', { picklist, validation: { multi_picklist: {} } }))).toBe('several');
  });

  it('of several is one text, separated by its delimiter', () => {
    expect(splitChoices('a, b,,c', multiPicklistRules(undefined))).toEqual(['a', 'b', 'c']);
    expect(splitChoices('a,b|c', multiPicklistRules({ delimiter: '|', max: '2' }))).toEqual(['a,b', 'c']);
    expect(multiPicklistRules({ delimiter: '', min: -1, max: 'many' })).toEqual({ delimiter: ',', min: 1, max: null });
  });
});
