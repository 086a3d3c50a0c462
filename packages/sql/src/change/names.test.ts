import { describe, expect, it } from 'vitest';
import { constraintName, freeName, TakenNames } from './names.ts';

describe('the name of an index or a foreign key', () => {
  it('is made of the names of table and columns', () => {
    expect(constraintName('unique', 'todo', ['name'], 63)).toBe('undx_todo_name');
    expect(constraintName('index', 'crm.todo', ['a.b'], 63)).toBe('ndx_crm_todo_a_b');
    expect(constraintName('reference', 'todo', ['a', 'b'], 63)).toBe('fk_todo_a_b');
  });

  it('fits the engine and stays different from another one', () => {
    const [one, other] = ['x', 'y'].map((end) => constraintName('unique', 'ä'.repeat(60), [end], 63));
    expect(Buffer.byteLength(String(one))).toBeLessThanOrEqual(63);
    expect(one).not.toBe(other);
  });

  it('gets a number where it is taken', () => {
    expect(freeName('fk_a', ['fk_b'], 63)).toBe('fk_a');
    expect(freeName('fk_a', ['FK_A', 'fk_a_2'], 63)).toBe('fk_a_3');
    expect(freeName('x'.repeat(63), ['x'.repeat(63)], 63)).toBe(`${'x'.repeat(61)}_2`);
  });

  it('is claimed once, thousands of times alike too', () => {
    const names = new TakenNames(['a_2'], 63);
    const claimed = Array.from({ length: 5000 }, (_, n) => names.claim(n % 2 ? 'a' : 'A'));
    expect(claimed.slice(0, 4)).toEqual(['A', 'a_3', 'A_4', 'a_5']);
    expect(new Set(claimed.map((name) => name.toLowerCase())).size).toBe(5000);
    expect(names.free('b')).toBe('b');
    expect(names.free('b')).toBe('b');
  });
});
