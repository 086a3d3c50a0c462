import { Failure } from '@sluice/contract';
import { type Column, fieldDescription } from '@sluice/sql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../../service/service.ts';
import { aField } from '../extras/rows.fixture.ts';
import { ask } from '../fixture/call.fixture.ts';
import { type Fixture, fixture } from '../fixture/index.ts';
import { itemError, wrapRecords } from '../fixture/write.fixture.ts';
import { omittedField, validateValue } from './validation.ts';

const field = (validation: object, picklist: string[] | null = null): Column => ({
  name: 'x',
  native: 'real',
  description: fieldDescription({
    name: 'real',
    type: 'string',
    db_type: 'text',
    picklist,
    validation: validation as Record<string, unknown>,
  }),
});
const validate = (validation: object, value: unknown, isUpdate = false, picklist: string[] | null = null) => {
  try {
    return validateValue(field(validation, picklist), value, isUpdate);
  } catch (error) {
    if (error instanceof Failure) return `${error.status} ${error.message}`;
    throw error;
  }
};
const match = { match: { regexp: Buffer.from('/^[a-z]{2}$/').toString('base64') } };
const invalid = "400 Field 'x' value is invalid.";

describe('the rule', () => {
  it.each([
    ['email', { email: {} }],
    ['url', { url: {} }],
    ['int', { int: {} }],
    ['float', { float: {} }],
    ['boolean', { boolean: {} }],
    ['match', match],
    ['picklist', { picklist: {} }],
    ['multi_picklist', { multi_picklist: {} }],
  ])('%s refuses objects, whatever they call their fields, and texts that only begin well', (_rule, rules) => {
    for (const value of [{ toString: 1 }, [{ toString: 1 }], `${'1'.repeat(1000)}x`])
      expect(validate(rules, value, false, ['a'])).toMatch(/^400 /);
  });

  /** Values that pass, values that do not, and what is said of these. */
  it.each<[string, object, unknown[], unknown[], string]>([
    ['not_null', { not_null: {} }, ['', 0, 'x'], [null], "400 Field 'x' value can not be null."],
    [
      'not_empty',
      { not_empty: null },
      [null, 'x', 1, true, ' '],
      ['', 0, '0', false, []],
      "400 Field 'x' value can not be empty.",
    ],
    ['not_zero', { not_zero: [] }, [null, 1], [0, '0', ''], "400 Field 'x' value can not be empty."],
    [
      'email',
      { email: {} },
      [null, '', 'a@b.c'],
      ['a@b', 'x', 5, {}],
      "400 Field 'x' value must be a valid email address.",
    ],
    [
      'url',
      { url: { sections: ['path'] } },
      [null, '', 'http://a', 'https://a.b/c?d=e', 'ftp://x:21/', 'mailto:a@b.c'],
      ['a.b', 'http://', 'http:///x', 'javascript:alert(1)', 'http://a b', '//a.b', 'http://a:99999999/'],
      "400 Field 'x' value must be a valid URL.",
    ],
    [
      'int',
      { int: { range: { min: -5, max: '10' } } },
      [null, 0, '10', -5, '+3', ' 4 '],
      ['', 11, -6, 1.5, 'x', '1e1', '010', '0x5', true, {}, '9223372036854775808'],
      "400 Field 'x' value is not in the valid range.",
    ],
    [
      'int without range',
      { int: {} },
      ['9223372036854775807'],
      ['9223372036854775808'],
      "400 Field 'x' value is not in the valid range.",
    ],
    [
      'int in formats',
      { int: { formats: ['hex', 'octal'] } },
      ['0xFF', '017', '0o17', 8],
      ['0x', '09'],
      "400 Field 'x' value is not in the valid range.",
    ],
    [
      'float',
      { float: {} },
      [null, 0, '0', 1.5, '-1e3', '.5'],
      ['', 'x', '1,5', true],
      "400 Field 'x' value is not an acceptable float value.",
    ],
    [
      'float with a comma',
      { float: { decimal: ',' } },
      ['1,5', 3],
      ['1.5'],
      "400 Field 'x' value is not an acceptable float value.",
    ],
    [
      'boolean',
      { boolean: {} },
      [null, true, false, 1, 0, 'yes', 'OFF', 'no'],
      ['', 'x', 2],
      "400 Field 'x' value is not an acceptable boolean value.",
    ],
    ['match', match, [null, '', 'ab'], ['abc', 'AB', 5], invalid],
    ['none that is known', { match_regexp: { on_error: 'x' }, constructor: {} }, [null, 'x'], [], ''],
  ])('%s', (_, validation, passing, failing, message) => {
    for (const value of passing) expect(validate(validation, value), JSON.stringify(value)).toBe(value);
    for (const value of failing) expect(validate(validation, value), JSON.stringify(value)).toBe(message);
  });

  it('picklist', () => {
    const rule = { picklist: {} };
    for (const value of [null, '', 'a', 1]) expect(validate(rule, value, false, ['a', '1'])).toBe(value);
    expect(validate(rule, 'A', false, ['a'])).toBe(invalid);
    expect(validate({ picklist: { on_fail: 'never told' } }, 'A')).toBe(
      "500 Invalid validation configuration: Field 'x' has no 'picklist' options in schema settings.",
    );
    expect(validate(rule, '')).toBe('');
  });

  it('multi_picklist', () => {
    const rule = (options = {}) => ({ multi_picklist: options });
    const list = ['a', 'b', 'c'];
    for (const value of [null, 'a', 'a, b', 'c,c']) expect(validate(rule(), value, false, list)).toBe(value);
    expect(validate(rule(), 'a,x', false, list)).toBe(invalid);
    expect(validate(rule(), '', false, list)).toBe("400 Field 'x' value does not contain enough selections.");
    const two = rule({ delimiter: '|', min: '2', max: 2 });
    expect(validate(two, 'a|b', false, list)).toBe('a|b');
    expect(validate(two, 'a', false, list)).toBe("400 Field 'x' value does not contain enough selections.");
    expect(validate(two, 'a|b|c', false, list)).toBe("400 Field 'x' value contains too many selections.");
    expect(validate(rule(), 'a')).toContain('500 Invalid validation configuration');
  });

  it('match needs a pattern', () => {
    for (const regexp of [undefined, 'x', ''])
      expect(validate({ match: { regexp } }, 'a')).toBe(
        "500 Invalid validation configuration: Field 'x' has no 'regexp'.",
      );
  });

  it('api_read_only leaves out, create_only is for changes', () => {
    expect(validate({ api_read_only: {} }, 1)).toBe(omittedField);
    expect(validate({ api_read_only: [] }, 1, true)).toBe(omittedField);
    expect(validate({ api_read_only: null }, 1)).toBe("400 Field 'x' is read only.");
    expect(validate({ create_only: {} }, 1)).toBe(1);
    expect(validate({ create_only: {} }, 1, true)).toBe("400 Field 'x' can only be set during record creation.");
  });

  it('tells its own text, or leaves the field out; the first that fails decides', () => {
    expect(validate({ email: { on_fail: 'No <mail>' } }, 'x')).toBe('400 No <mail>');
    expect(validate({ email: { on_fail: 'IGNORE_field' } }, 'x')).toBe(omittedField);
    expect(validate({ email: { on_fail: '' } }, 'x')).toContain('valid email');
    expect(validate({ int: { on_fail: 'first' }, email: { on_fail: 'second' } }, 'x')).toBe('400 first');
    expect(validate({ email: { on_fail: 'second' }, int: { on_fail: 'first' } }, 'x')).toBe('400 second');
  });
});

describe('records', () => {
  let db: Fixture;
  let service: Service;
  beforeAll(async () => {
    db = await fixture('sqlite');
    service = await db.open(
      {},
      {
        db_field_extras: [
          aField('contact.name', {
            alias: 'full',
            validation: { not_empty: {}, create_only: { on_fail: 'ignore_field' } },
          }),
          aField('contact.email', { validation: { email: {} } }),
          aField('contact.status', { picklist: ['open', 'done'], validation: { picklist: {}, not_null: {} } }),
          aField('contact.note', { validation: { api_read_only: {} } }),
        ],
      },
    );
  });
  beforeEach(() => db.reset());
  afterAll(() => db?.stop());

  const post = (record: object) =>
    ask(service, 'POST _table/contact', { body: wrapRecords(record), query: { fields: 'full,note,status' } });
  const reason = (record: object) => post(record).then(({ body }) => body.error.context.resource[0]);

  it('are tested when they are made: first what is missing, then what is there', async () => {
    expect(await reason({ email: 'x' })).toEqual(itemError("Required field 'full' can not be NULL."));
    expect(await reason({ full: '' })).toEqual(itemError("Field 'full' value can not be empty."));
    expect(await reason({ full: 'x', email: 'x' })).toEqual(
      itemError("Field 'email' value must be a valid email address."),
    );
    // Before what the column itself would say.
    expect(await reason({ full: 'x', status: null })).toEqual(itemError("Field 'status' value can not be null."));
    expect(await reason({ full: null })).toEqual(itemError("Field 'full' can not be NULL."));
    expect((await post({ full: 'x', note: 'dropped' })).body).toEqual(
      wrapRecords({ full: 'x', note: null, status: 'open' }),
    );
    expect(await reason({ note: 'alone', email: 'a@b.c' })).toEqual(
      itemError("Required field 'full' can not be NULL."),
    );
  });

  it('are tested when they are changed', async () => {
    const patch = (body: object) => ask(service, 'PATCH _table/contact/1', { body, query: { fields: 'full,status' } });
    expect((await patch({ full: 'other', status: 'done' })).body).toEqual({ full: 'Ann', status: 'done' });
    const refused = await patch({ status: 'lost' });
    expect(refused.body).toEqual({ error: itemError("Field 'status' value is invalid.") });
    expect((await patch({ note: 'x', full: 'y' })).body).toEqual({ full: 'Ann', status: 'done' });
  });

  it('have their lookups filled in before', async () => {
    expect((await post({ full: 'x', email: '{user.email}' })).status).toBe(200);
    expect(await reason({ full: 'x', email: '{user.nothing}' })).toEqual(
      itemError("Field 'email' value must be a valid email address."),
    );
  });
});
