import { describe, expect, it } from 'vitest';
import { chosenVerbs, toggleAllVerbs, toggleVerb } from './verb-choice.ts';

describe('a choice of verbs (OPEN-055, OPEN-058)', () => {
  it('is a mask or a list of names, and stays what it is', () => {
    expect(toggleVerb(3, 'POST')).toBe(1);
    expect(toggleVerb(1, 'DELETE')).toBe(17);
    expect(toggleVerb(['POST'], 'GET')).toEqual(['POST', 'GET']);
    expect(toggleVerb(['POST', 'GET'], 'POST')).toEqual(['GET']);
  });

  it('reads in the order of masks, without the bits nobody knows', () => {
    expect(chosenVerbs(31)).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
    expect(chosenVerbs(['DELETE', 'GET'])).toEqual(['GET', 'DELETE']);
    expect(chosenVerbs(64 + 2)).toEqual(['POST']);
  });

  it('is cleared when any is set, otherwise complete', () => {
    expect(toggleAllVerbs(0)).toBe(31);
    expect(toggleAllVerbs(4)).toBe(0);
    expect(toggleAllVerbs([])).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
    expect(toggleAllVerbs(['GET'])).toEqual([]);
  });
});
