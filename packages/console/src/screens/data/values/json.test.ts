import { describe, expect, it } from 'vitest';
import { formatJson, jsonProblem } from './json.ts';

describe('formatting', () => {
  it.each([
    ['{}', '{}'],
    ['[ ]', '[]'],
    ['1.50', '1.50'],
    ['{"a":{},"b":[[],1]}', '{\n  "a": {},\n  "b": [\n    [],\n    1\n  ]\n}'],
    ['{"n":9007199254740993,"n":1.0}', '{\n  "n": 9007199254740993,\n  "n": 1.0\n}'],
    ['{"a":"x, {y}: \\"z\\""}', '{\n  "a": "x, {y}: \\"z\\""\n}'],
    ['[true,null,-1e+30]', '[\n  true,\n  null,\n  -1e+30\n]'],
    ['{broken', '{broken'],
    ['', ''],
  ])('%s', (text, expected) => expect(formatJson(text)).toBe(expected));

  it('does not change the values', () => {
    const text = '{"a":[{"b":"\\u00e9\\\\"},[],{}],"c":{"d":false}}';
    expect(JSON.parse(formatJson(text))).toEqual(JSON.parse(text));
  });

  it('names what is wrong', () => {
    expect(jsonProblem('{"a":1}')).toBeNull();
    expect(jsonProblem('{"a":}')).toContain('JSON');
  });
});
