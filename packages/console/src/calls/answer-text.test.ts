import { describe, expect, it } from 'vitest';
import { prettyJson } from './answer-text.ts';

describe('an answer', () => {
  it('is set out like JSON is', () => {
    const value = {
      resource: [{ id: 1, name: 'a "b" \\ {c}: [d],', none: null, list: [], object: {} }],
      meta: { count: 1 },
    };
    expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    expect(prettyJson(JSON.stringify(value, null, 7))).toBe(JSON.stringify(value, null, 2));
  });

  it('keeps digits and order that a parser would lose', () => {
    expect(prettyJson('{"b":12345678901234567890,"2":1.10,"1":0}')).toBe(
      '{\n  "b": 12345678901234567890,\n  "2": 1.10,\n  "1": 0\n}',
    );
  });

  it('is set out as far as it goes', () => {
    expect(prettyJson('{"resource":[{"name":"cut of')).toBe('{\n  "resource": [\n    {\n      "name": "cut of');
    expect(prettyJson('{"a":"b\\')).toContain('"b');
  });

  it('that is no JSON stays as it is', () => {
    for (const text of ['', '25', '<html>{}</html>', 'a,b\n1,2']) expect(prettyJson(text)).toBe(text);
  });

  it('has a bound, whatever it holds', () => {
    expect(prettyJson('['.repeat(100_000)).length).toBeLessThan(400_000);
    expect(prettyJson(`["${'\\"'.repeat(50_000)}"]`).length).toBeLessThan(400_000);
  });
});
