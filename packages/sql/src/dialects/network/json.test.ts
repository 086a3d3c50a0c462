import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../../convert/any-text.fixture.ts';
import { toWire } from '../../convert/index.ts';
import { jsonRowWriter } from '../../convert/wire.ts';
import { textWriters, writeNumber, writeText } from './json.ts';

it('writes numbers as values on their way out are', () => {
  const text = fc.oneof(
    fc.bigInt().map(String),
    fc.integer().map(String),
    fc.double().map(String),
    fc.stringMatching(/^-?\d{0,20}(\.\d{0,20})?(e-?\d{1,3})?$/),
    fc.string(),
    fc.constantFrom('', '-', '0', '-0', '007', '1.50', 'NaN', '-Infinity', '9007199254740993', '999999999999999'),
  );
  fc.assert(
    fc.property(text, (value) => {
      expect(JSON.parse(writeNumber(value))).toEqual(
        Object.is(toWire('number', value), -0) ? expect.anything() : toWire('number', value),
      );
    }),
    { numRuns: soakRounds(100, 10_000) },
  );
});

it('writes rows as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyText, fc.option(anyText)), { maxLength: 8 }), (columns) => {
      const write = jsonRowWriter(columns.map(([name]) => ({ name, write: writeText })));
      const pairs = columns.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      expect(write(columns.map(([, value]) => value))).toBe(`{${pairs.join(',')}}`);
    }),
    { numRuns: soakRounds(100, 10_000) },
  );
  const write = jsonRowWriter([
    { name: 'a', write: textWriters.boolean },
    { name: 'b', write: textWriters.number },
  ]);
  expect(write(['t', '5'])).toBe('{"a":true,"b":5}');
  expect(write(['f', null])).toBe('{"a":false,"b":null}');
});
