import { ExactNumber, Failure } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { printCsv } from './csv.ts';
import { downloadOf, negotiate, parseBody } from './index.ts';
import { printXml } from './xml.ts';

const refusal = (text: string, type: string): Failure => {
  try {
    parseBody(text, type);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
};

describe('bodies that are refused (docs/design.md, deliberate differences 3 and 11)', () => {
  it.each([
    ['{"a":1,}', 'application/json', 'http.malformed', /JSON in the request body at line 1, column 8/],
    ['{"a":1', 'application/json', 'http.malformed', /at line 1, column 7/],
    ['abc', 'application/json', 'http.malformed', /line 1, column 1/],
    ['{"resource":[\n{"a":1},\n{"a" 2}]}', 'application/vnd.x+json', 'http.malformed', /at line 3, column 6/],
    [
      '{"resource":[{"id":9007199254740993}]}',
      'application/json',
      'http.unsafeInteger',
      /'resource\[0\].id' holds the integer 9007199254740993/,
    ],
    [`${'['.repeat(101)}${']'.repeat(101)}`, 'application/json', 'http.tooDeep', /JSON .* 100 levels/],
    ['['.repeat(1_000_000), 'application/json', 'http.tooDeep', /100 levels/],
    ['<a><b></a>', 'application/xml', 'http.malformed', /XML in the request body at line 1/],
    ['<!DOCTYPE x [<!ENTITY e "boom">]><x>&e;</x>', 'application/xml', 'http.malformed', /document types/],
    [`${'<a>'.repeat(101)}${'</a>'.repeat(101)}`, 'text/xml', 'http.tooDeep', /XML .* 100 levels/],
    ['a,b\n1,2\n1,2,3\n', 'text/csv', 'http.malformed', /CSV in the request body at line 3/],
    ['a,b\n"1,2\n', 'text/csv', 'http.malformed', /CSV/],
    ['just words', '', 'http.unrecognizedPayload', /^Unrecognized payload type$/],
    [
      '{"a":[1,{"b":12345678901234567890}]}',
      '',
      'http.unsafeInteger',
      /'a\[1\].b' holds the integer 12345678901234567890/,
    ],
    [
      '[-9007199254740993.0e0,-9007199254740993]',
      '',
      'http.unsafeInteger',
      /'\[1\]' holds the integer -9007199254740993/,
    ],
    ['[1,\n tru]', 'application/json', 'http.malformed', /JSON .* at line 2, column 5: Unexpected token '\]'\.$/],
    ['{"a":{"b":1,,}}', 'application/json', 'http.malformed', /JSON .* at line 1, column 13/],
    ['<a><b x="1"></c></a>', 'text/xml', 'http.malformed', /line 1, column 16: "c" is closed, but not open/],
    ['<a>\n<b x></b></a>', 'text/xml', 'http.malformed', /line 2, column 5: an attribute has no value/],
    ['<a>1</a><b/>', 'text/xml', 'http.malformed', /more than one outermost element/],
    ['<a>Q&A</a>', 'text/xml', 'http.malformed', /line 1, column 5: & begins no character/],
    ['<a>&#0;</a>', 'text/xml', 'http.malformed', /& begins no character/],
    ['<a><!-- ></a>', 'text/xml', 'http.malformed', /its end, -->, is missing/],
    ['<a><__proto__>1</__proto__></a>', 'text/xml', 'http.malformed', /no field can be named "__proto__"/],
  ])('%s as %s', (text, type, key, message) => {
    const failure = refusal(text, type);
    expect(failure.key).toBe(key);
    expect(failure.status).toBe(400);
    expect(failure.message).toMatch(message);
  });
});

describe('bodies that are read (contract/http-basics.md §6)', () => {
  it.each([
    ['', 'application/json', undefined],
    [' \n', 'text/csv', undefined],
    [
      '{"id":"9007199254740993","n":9007199254740991,"f":0.12345678901234568}',
      'application/json',
      { id: '9007199254740993', n: 9007199254740991, f: 0.12345678901234568 },
    ],
    ['{"a":"1234567890123456789"}', 'application/json', { a: '1234567890123456789' }],
    ['a=1&b=x+y%C3%A9&a=2', 'application/x-www-form-urlencoded', { a: '1', b: 'x yé' }],
    [
      '<any><resource><name>a</name></resource><resource><name>b</name></resource></any>',
      'application/xml',
      { resource: [{ name: 'a' }, { name: 'b' }] },
    ],
    ['<dfapi><resource><name>1</name></resource></dfapi>', 'text/xml', { resource: { name: '1' } }],
    ['<resource><name>a &lt; b</name></resource>', 'text/xml', { resource: { name: 'a < b' } }],
    [
      '<?xml version="1.0"?><a x="/>" y=\'>\'> <b>1</b><constructor/><b> &#x41;&#66;&amp;lt; <!-- > -->c </b></a>',
      'text/xml',
      { b: ['1', 'AB&lt; c'], constructor: null },
    ],
    ['<a>x<b><![CDATA[ <&> ]]></b> y</a>', 'text/xml', { b: ' <&> ', '#text': 'xy' }],
    ['\ufeffname,age\n"Ann, B",3\n', 'text/csv', { resource: [{ name: 'Ann, B', age: '3' }] }],
    ['hello', 'text/plain', 'hello'],
    ['{"a":1}', '', { a: 1 }],
    ['<x><resource><a>1</a></resource></x>', 'application/octet-stream', { resource: { a: '1' } }],
    ['name\nAnn\n', '', { resource: [{ name: 'Ann' }] }],
  ])('%s as %s', (text, type, value) => {
    expect(parseBody(text, type)).toEqual(value);
  });

  it.each([
    ['123456789123456.12345', true],
    ['-0.1234567890123456789012', true],
    ['12345678901234567e-3', true],
    ['1.23456789012345678e300', true],
    ['9007199254740993.0', true],
    ['1e400', true],
    ['1E-400', true],
    ['0.30000000000000004', false],
    ['-52.52000812345678', false],
    ['1.5000000000000000000000', false],
    ['0.00000000000000000000000000001', false],
    ['1e21', false],
    ['5e-324', false],
    ['-1e+300', false],
    ['-0.00000000000000000', false],
    ['1234.5678', false],
  ])('%s has more digits than a double: %s', (number, isExact) => {
    const text = `{"a":["\\u00e9 ${number}",{"b":${number}},${number}],"c":1}`;
    const value = parseBody(text, 'application/json') as { a: [string, { b: unknown }, unknown] };
    const expected = isExact ? new ExactNumber(number) : Number(number);
    expect(value).toEqual({ a: [`é ${number}`, { b: expected }, expected], c: 1 });
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('never lets a body reach a prototype', () => {
    const value = parseBody('{"__proto__":{"admin":true},"\\u005f_proto__":{"admin":true},"a":1}', 'application/json');
    expect(Object.keys(value as object)).toEqual(['a']);
    const long = parseBody('{"__proto__":{"admin":true},"a":1.2345678901234567890}', 'application/json');
    expect(Object.keys(long as object)).toEqual(['a']);
    const form = parseBody('__proto__=1&a=1', 'application/x-www-form-urlencoded');
    expect(Object.keys(form as object)).toEqual(['a']);
  });
});

it('reads of a CSV file one record more than a batch may hold', () => {
  const { resource } = parseBody(`a\n${'1\n'.repeat(20_000)}`, 'text/csv') as { resource: unknown[] };
  expect(resource).toHaveLength(10_001);
});

describe('answers', () => {
  it('prints XML (contract/http-basics.md §6)', () => {
    expect(printXml({ resource: [{ id: 1, name: 'a<b>&', on: true, none: null, 'odd key': 2 }, { id: 2 }] })).toBe(
      '<?xml version="1.0" ?>\n<dfapi><resource><id>1</id><name>a&lt;b&gt;&amp;</name><on>true</on><none></none>' +
        '<odd_key name="odd key">2</odd_key></resource><resource><id>2</id></resource></dfapi>\n',
    );
  });

  it('prints CSV (contract/http-basics.md §6)', () => {
    const value = {
      resource: [{ id: 1, name: 'a "b", c', more: { x: [1] }, none: null, on: false }],
      meta: { count: 1 },
    };
    expect(printCsv(value)).toBe('id,name,more,none,on\n1,"a ""b"", c","{""x"":[1]}",,false\n');
  });

  it.each([
    [undefined, 'application/json; charset=utf-8'],
    ['text/html, */*;q=0.8', 'application/json; charset=utf-8'],
    ['application/json, text/csv', 'text/csv; charset=UTF-8'],
    ['text/csv, application/xml;q=0.5', 'application/xml; charset=utf-8'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['image/png', undefined],
  ])('negotiates %s', (accept, type) => {
    expect(negotiate(accept)?.contentType).toBe(type);
  });

  it.each([
    ['user.csv', 'user', { name: 'user.csv', type: 'text/csv; charset=UTF-8' }],
    ['true', '_table/contact', { name: '_table_contact.json', type: 'application/json; charset=utf-8' }],
    ['nodot', 'user', undefined],
    ['../../etc/x"y.xml', 'user', { name: '.._.._etc_x_y.xml', type: 'application/xml; charset=utf-8' }],
    ['a.bin', 'user', { name: 'a.bin', type: undefined }],
  ])('file=%s', (file, path, expected) => {
    const download = downloadOf(file, path);
    expect(download && { name: download.name, type: download.format?.contentType }).toEqual(expected);
  });
});

describe('abuse: a body holds no more values and names than are bounded (docs/operations.md, "Bounds of a body")', () => {
  const repeat = (text: (index: number) => string, count: number) => Array.from({ length: count }, (_, i) => text(i));
  const lines = (columns: number, count: number) =>
    `${repeat((i) => `c${i}`, columns)}\n`.concat(`${','.repeat(columns - 1)}\n`.repeat(count));
  it.each<[string, string, string, () => string]>([
    ['JSON', 'json', 'http.tooManyValues', () => `[${'0,'.repeat(500_000)}0]`],
    ['JSON, lists', 'json', 'http.tooManyValues', () => `[${'[],'.repeat(250_000)}0]`],
    ['JSON, names', 'json', 'http.tooManyDifferentNames', () => `{${repeat((i) => `"n${i}":0`, 20_001)}}`],
    [
      'JSON, names in many records',
      'json',
      'http.tooManyDifferentNames',
      () => `[${repeat((i) => `{"n${i}":0}`, 20_001)}]`,
    ],
    [
      'JSON, long numbers',
      'json',
      'http.tooManyLongNumbers',
      () => `[${'1.0123456789012345678,'.repeat(50_000)}1.0123456789012345678]`,
    ],
    ['XML', 'xml', 'http.tooManyValues', () => `<a>${'<b/>'.repeat(500_000)}</a>`],
    ['XML, attributes', 'xml', 'http.tooManyValues', () => `<a ${'b="" '.repeat(500_000)}/>`],
    ['XML, names', 'xml', 'http.tooManyDifferentNames', () => `<a>${repeat((i) => `<b${i}/>`, 20_000).join('')}</a>`],
    ['XML, depth hidden by attributes', 'xml', 'http.tooDeep', () => '<a b="/>">'.repeat(101) + '</a>'.repeat(101)],
    ['CSV', 'csv', 'http.tooManyValues', () => lines(100, 5_000)],
    ['CSV, columns', 'csv', 'http.tooManyDifferentNames', () => lines(20_001, 0)],
    ['a form', 'x-www-form-urlencoded', 'http.tooManyNames', () => 'a&'.repeat(1_000)],
  ])('%s', (_what, type, key, body) => {
    expect(refusal(body(), `application/${type}`)).toMatchObject({ key, status: 400 });
  });

  it('reads as much as may be', () => {
    const names = Object.fromEntries(repeat((i) => `n${i}`, 20_000).map((name) => [name, 0]));
    expect(parseBody(JSON.stringify(names), 'application/json')).toEqual(names);
    const again = JSON.stringify(Array(30_000).fill({ a: 1, b: 'c:"' }));
    expect(parseBody(again, 'application/json')).toHaveLength(30_000);
    expect(parseBody(`"a"\n${'"1,\n2"\n'.repeat(9_000)}`, 'text/csv')).toHaveProperty('resource.length', 9_000);
  });
});
