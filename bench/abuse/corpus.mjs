// Nasty calls, as data: what each is named, who sends it, and what. send.mjs knows how.
//
// A call is { name, by, method, path, type?, accept?, headers?, body?, manner?, sockets?, times? }. `by` is one of the
// people of world.mjs; `{db}` in a path is the service; `body` is a function, so that long ones exist only while they are
// sent. `manner` says how a caller behaves (send.mjs, whole by default), `sockets` on how many connections at once, `times`
// how often on each. `raw` is sent as it stands instead.
import { gzipSync } from 'node:zlib';

const repeated = (amount, make) => Array.from({ length: amount }, (_, index) => make(index));
const listed = (amount, make, by = ',') => repeated(amount, make).join(by);
const megabyte = 1024 * 1024;
/** A text of about so many bytes: a head, a unit as often as it fits, a tail. */
const stuffed = (size, unit, head = '', tail = '') =>
  head + unit.repeat(Math.floor((size - head.length - tail.length) / unit.length)) + tail;

const get = (name, path, more) => ({ name, by: 'reader', method: 'GET', path, ...more });
/** A GET whose parameters are in the body of a POST. */
const ask = (name, path, body, more) => ({
  ...get(name, path, more),
  method: 'POST',
  headers: { 'X-HTTP-Method': 'GET' },
  body: () => JSON.stringify(body()),
});
const write = (name, method, path, body, more) => ({
  name,
  by: 'reader',
  method,
  path,
  body: () => JSON.stringify(body()),
  ...more,
});
const q = encodeURIComponent;

// Conditions ----------------------------------------------------------------------------------------------------------------

const patternsOf = (length) => [
  ['like', `'%${'a'.repeat(length)}b%'`],
  ['like', `'${'%a'.repeat(length / 2)}%b'`],
  ['contains', `'${'n'.repeat(length)}b'`],
  ['ends with', `'${'x'.repeat(length)}'`],
];
const tablesOfTexts = [
  ['contact', 'note'],
  ['fat', 't'],
  ['wide', 't'],
];
const patterns = tablesOfTexts.flatMap(([table, field]) =>
  [10, 60].flatMap((length) =>
    patternsOf(length).flatMap(([operator, value], kind) =>
      [1, 20].map((terms) =>
        ask(`${terms} × ${operator} (${kind}) of ${length} letters on ${table}`, `{db}/_table/${table}`, () => ({
          filter: listed(terms, () => `(${field} ${operator} ${value})`, ' or '),
          fields: 'id',
        })),
      ),
    ),
  ),
);
const patternsByKey = ['fat', 'wide'].flatMap((table) =>
  [1, 5, 25, 200].map((terms) =>
    ask(`one record of ${table} by its key and ${terms} patterns`, `{db}/_table/${table}`, () => ({
      filter: `id = 1 and (${listed(terms, () => `(t like '%${'a'.repeat(46)}b%')`, ' or ')})`,
      fields: 'id',
    })),
  ),
);

const longFilters = Object.entries({
  '100 comparisons with or': () => listed(100, (n) => `(age = ${n})`, ' or '),
  '1,000 comparisons with or': () => listed(1000, (n) => `(age = ${n})`, ' or '),
  '5,000 comparisons with or': () => listed(5000, (n) => `(name = 'x${n}')`, ' or '),
  '50,000 comparisons with or': () => listed(50_000, (n) => `(name = 'x${n}')`, ' or '),
  '5,000 comparisons with and': () => listed(5000, (n) => `(name != 'x${n}')`, ' and '),
  '1,000 times not': () => `${'not ('.repeat(1000)}age = 1${')'.repeat(1000)}`,
  '90 brackets deep': () => `${'('.repeat(90)}age = 1${')'.repeat(90)}`,
  '100,000 brackets deep': () => `${'('.repeat(100_000)}age = 1${')'.repeat(100_000)}`,
  'in of 1,000': () => `age in (${listed(1000, (n) => n)})`,
  'in of 100,000': () => `id in (${listed(100_000, (n) => n)})`,
  'in of 500,000 texts': () => `name in (${listed(500_000, (n) => `'${n}'`)})`,
  'a value of 3.9 MB': () => `name = ${'and '.repeat(970_000)}`,
  'a value of 9 MB in quotes': () => `name = '${'x'.repeat(9_000_000)}'`,
  '100,000 values with quotes': () => `name in (${listed(100_000, () => "'a''b'")})`,
  '3.9 MB of quotes': () => `name = '${"'' ".repeat(1_200_000)}'`,
  'ands and ors without end': () => `name = x${' or not ('.repeat(430_000)}`,
  '3.9 MB of and ((': () => `name = x ${'and (('.repeat(600_000)}`,
  '9 MB of blanks': () => `name${' '.repeat(9_000_000)}= x`,
  '9 MB of lookups': () => `name = '${'{user.id}'.repeat(900_000)}'`,
  '9 MB of {': () => `name = '${'{'.repeat(9_000_000)}'`,
  '3 MB of parameters': () => `name in (${listed(400_000, () => ':a')})`,
  'between, 5,000 times': () => listed(5000, (n) => `(age between ${n} and ${n + 1})`, ' or '),
  'a name of 5 MB': () => `${'n'.repeat(5 * megabyte)} = 1`,
  '100,000 × 🦆': () => `name = '${'🦆'.repeat(100_000)}'`,
}).map(([name, filter]) =>
  ask(`filter: ${name}`, '{db}/_table/contact', () => ({ filter: filter(), fields: 'id', limit: 1 })),
);

/** Each has another shape, so that plans and statements made of them are all new. */
const plans = repeated(24, (shape) =>
  ask(`shape ${shape} of a filter of ${1000 + 120 * shape} terms`, '{db}/_table/contact', () => ({
    filter: listed(1000 + 120 * shape, (n) => `(${['id', 'age'][n & 1]} = ${n})`, ' or '),
    fields: 'id',
    limit: 1,
  })),
);

// Lists ---------------------------------------------------------------------------------------------------------------------

const longLists = [1000, 10_000, 200_000].flatMap((amount) => [
  ask(`${amount} ids`, '{db}/_table/contact', () => ({ ids: repeated(amount, (n) => n + 1) })),
  ask(`${amount} ids as text`, '{db}/_table/contact', () => ({ ids: listed(amount, (n) => n + 1) })),
  ask(`${amount} ids that are none`, '{db}/_table/contact', () => ({ ids: repeated(amount, (n) => -n) })),
  ask(`${amount} records to read`, '{db}/_table/contact', () => ({ resource: repeated(amount, (n) => ({ id: n })) })),
  ask(`${amount} fields`, '{db}/_table/contact', () => ({ fields: listed(amount, () => 'name'), limit: 1 })),
  ask(`${amount} unknown fields`, '{db}/_table/contact', () => ({ fields: listed(amount, (n) => `f${n}`), limit: 1 })),
  ask(`order of ${amount} names`, '{db}/_table/contact', () => ({ order: listed(amount, () => 'name asc'), limit: 1 })),
  ask(`group of ${amount} names`, '{db}/_table/contact', () => ({ group: listed(amount, () => 'city'), limit: 1 })),
]);
const longParameters = [
  ask('10 MB of commas as ids', '{db}/_table/contact', () => ({ ids: ','.repeat(9_900_000) })),
  ask('10 MB of commas as fields', '{db}/_table/contact', () => ({ fields: ','.repeat(9_900_000) })),
  ask('10 MB of commas as order', '{db}/_table/contact', () => ({ order: ','.repeat(9_900_000) })),
  ask('order with 120,000 blanks inside', '{db}/_table/contact', () => ({ order: `name${' \t'.repeat(60_000)}x y` })),
  ask('400,000 params', '{db}/_table/contact', () => ({
    filter: 'name = :a',
    params: Object.fromEntries(repeated(400_000, (n) => [`:p${n}`, n])),
  })),
  get('30 KB of parameters', `{db}/_table/contact?${listed(5000, (n) => `a${n}`, '&')}`),
  get('30 KB of one parameter, repeated', `{db}/_table/contact?${listed(3000, () => 'fields=id', '&')}`),
  get('30 KB of related', `{db}/_table/contact?limit=1&related=${listed(1000, () => 'contact_info_by_contact_id')}`),
  get('a path of 30 KB', `{db}/_table/contact/${'9'.repeat(30_000)}`),
  get('a path of 10,000 parts', `{db}/_table/${'a/'.repeat(10_000)}`),
  get('a path of 10,000 %', `{db}/_table/${'%41'.repeat(9_000)}`),
];

const queries = [
  ...['note desc', 'name desc', 'age, city, name', 'email desc, note'].flatMap((order) => [
    get(`sorted by ${order}`, `{db}/_table/contact?order=${q(order)}&limit=10`),
    get(`sorted by ${order}, 40,000 from the end`, `{db}/_table/contact?order=${q(order)}&limit=10&offset=40000`),
    get(`all sorted by ${order}`, `{db}/_table/contact?order=${q(order)}&limit=100000`),
  ]),
  ...['city', 'name', 'age,city', 'note'].map((group) =>
    get(`grouped by ${group}`, `{db}/_table/contact?group=${group}&fields=${group}&limit=100000`),
  ),
  get('sorted long texts', '{db}/_table/fat?order=t%20desc&limit=1000'),
  get('counted with a pattern', `{db}/_table/contact?count_only=true&filter=${q("note like '%n%n%n%b'")}`),
  get('counted long texts', `{db}/_table/fat?count_only=true&filter=${q("t like '%x%x%y'")}`),
  get('page with the count', '{db}/_table/contact?include_count=true&offset=49000&limit=10'),
  get('limit of 999999999999', '{db}/_table/contact?limit=999999999999'),
  get('limit of 100,000 as a list of names', '{db}/_table/contact?limit=100000&as_list=true'),
  get('offset of 9e15', '{db}/_table/contact?offset=9007199254740991'),
  get('a virtual field that sorts', '{db}/_table/contact?fields=slow&order=slow&limit=1000'),
  get('a virtual field that is filtered', `{db}/_table/contact?fields=id&filter=${q("slow like '%z%'")}`),
  get('all virtual fields', '{db}/_table/contact?fields=id,slow&limit=100000'),
];

const lists = ['application/json', 'application/xml', 'text/csv'].flatMap((accept) => [
  get(`60 MB as ${accept}`, '{db}/_table/fat?limit=1000', { accept }),
  get(`9 MB in one record as ${accept}`, '{db}/_table/wide/1', { accept }),
  get(`50,000 records as ${accept}`, '{db}/_table/contact?limit=100000', { accept }),
]);

const related = [
  get('a chain five deep', `{db}/_table/tree?related=${repeated(5, () => 'tree_by_parent_id').join('.')}`),
  get('a chain twenty deep', `{db}/_table/tree?related=${repeated(20, () => 'tree_by_parent_id').join('.')}`),
  get(
    'a chain five deep from the root',
    `{db}/_table/tree/1?related=${repeated(5, () => 'tree_by_parent_id').join('.')}`,
  ),
  get('50,000 with their related', '{db}/_table/contact?related=contact_info_by_contact_id&limit=100000'),
  get('100,000 with their parent', '{db}/_table/contact_info?related=contact_by_contact_id&limit=100000'),
  get('there and back', '{db}/_table/contact?related=contact_info_by_contact_id.contact_by_contact_id&limit=20000'),
  get('everything related', '{db}/_table/contact?related=*&limit=100000', { accept: 'application/xml' }),
];

const exports = ['json', 'csv', 'xml'].flatMap((format) =>
  ['contact', 'fat', 'wide'].flatMap((table) => [
    get(`${table} as ${format}`, `{db}/_table/${table}?file=all.${format}`),
    get(`${table} as ${format}, dripping`, `{db}/_table/${table}?file=all.${format}`, { manner: 'drips', sockets: 6 }),
  ]),
);

const readers = [
  get('60 lists of 60 MB that nobody reads', '{db}/_table/fat?limit=1000', { manner: 'unread', sockets: 60 }),
  get('60 lists of 60 MB that drip', '{db}/_table/fat?limit=1000', { manner: 'drips', sockets: 60 }),
  get('10 lists of 60 MB read honestly', '{db}/_table/fat?limit=1000', { sockets: 10 }),
  get('60 records of 9 MB that nobody reads', '{db}/_table/wide/1', { manner: 'unread', sockets: 60 }),
  get('20 records of 9 MB read honestly', '{db}/_table/wide/1', { sockets: 20 }),
  get('40 exports that nobody reads', '{db}/_table/fat?file=all.csv', { manner: 'unread', sockets: 40 }),
  get('30 sorted lists whose caller leaves', '{db}/_table/contact?order=note&limit=100000', {
    manner: 'leaves',
    sockets: 30,
  }),
  get('30 exports whose caller leaves', '{db}/_table/contact?file=all.json', { manner: 'leaves', sockets: 30 }),
  get('60 lists of 60 MB on one connection', '{db}/_table/fat?limit=1000', { manner: 'unread', times: 60 }),
  get('500 records on one connection', '{db}/_table/contact/7', { times: 500 }),
  get('200 lists on one connection', '{db}/_table/contact?limit=1000', { times: 200 }),
  get('200 sorted lists at once', '{db}/_table/contact?order=note&limit=10', { sockets: 200 }),
  get('lists from half-closed connections', '{db}/_table/contact?limit=1000', { manner: 'half-closed', sockets: 60 }),
];

// Writes --------------------------------------------------------------------------------------------------------------------

const csvLines = (amount) => `a,b,c\n${listed(amount, (n) => `${n},b,c`, '\n')}`;
const writes = [
  write('10,000 records', 'POST', '{db}/_table/scratch', () => ({
    resource: repeated(10_000, (n) => ({ a: `a${n}`, b: 'b' })),
  })),
  write('10,000 records of 900 letters', 'POST', '{db}/_table/scratch', () => ({
    resource: repeated(10_000, () => ({ a: 'a'.repeat(300), b: 'b'.repeat(300), c: 'c'.repeat(300) })),
  })),
  write('10,001 records', 'POST', '{db}/_table/scratch', () => ({ resource: repeated(10_001, () => ({ a: 1 })) })),
  write('10,000 records, all or none', 'POST', '{db}/_table/scratch?rollback=true', () => ({
    resource: repeated(10_000, (n) => ({ a: `${n}` })),
  })),
  write('10,000 that fail one by one', 'POST', '{db}/_table/contact_info?continue=true', () => ({
    resource: repeated(10_000, () => ({ contact_id: -1 })),
  })),
  write('10,000 changed, each its own', 'PATCH', '{db}/_table/scratch', () => ({
    resource: repeated(10_000, (n) => ({ id: n + 1, b: `x${n}` })),
  })),
  write('10,000 changed alike', 'PATCH', '{db}/_table/scratch', () => ({
    ids: repeated(10_000, (n) => n + 1),
    resource: [{ b: 'y' }],
  })),
  write('all changed by a filter', 'PATCH', `{db}/_table/scratch?filter=${q('id > 0')}`, () => ({
    resource: [{ c: 'z' }],
  })),
  write('changed by a pattern', 'PATCH', `{db}/_table/contact?filter=${q("note like '%n%n%nb'")}`, () => ({
    resource: [{ age: 1 }],
  })),
  write('removed by a pattern', 'DELETE', `{db}/_table/contact?filter=${q("note like '%n%n%nb'")}`, () => ({})),
  write('a text of 9 MB', 'POST', '{db}/_table/scratch', () => ({ resource: [{ a: 'x'.repeat(9_000_000) }] })),
  write('9 MB of { in a text', 'PATCH', '{db}/_table/scratch/1', () => ({ a: '{'.repeat(9_000_000) })),
  write('3,000,000 × {a}', 'PATCH', '{db}/_table/scratch/1', () => ({ a: '{a}'.repeat(3_000_000) })),
  write('a list of 400,000 × {a}', 'PATCH', '{db}/_table/scratch/1', () => ({ a: repeated(400_000, () => '{a}') })),
  write('800,000 unknown fields', 'PATCH', '{db}/_table/scratch/1', () =>
    Object.fromEntries(repeated(600_000, (n) => [`k${n}`, 1])),
  ),
  write('10,000 children in one record', 'PATCH', '{db}/_table/contact/1', () => ({
    contact_info_by_contact_id: repeated(10_000, (n) => ({ value: `v${n}` })),
  })),
  write('a tree of children', 'POST', '{db}/_table/tree', () => ({
    resource: [
      repeated(60, (n) => n).reduce((inner, n) => ({ name: `n${n}`, tree_by_parent_id: [inner] }), { name: 'leaf' }),
    ],
  })),
  write('10,000 × loaded', 'PATCH', '{db}/_table/scratch', () => ({
    resource: repeated(10_000, (n) => ({ id: n + 1, b: 'q' })),
    loaded: repeated(10_000, (n) => ({ id: n + 1, b: 'other' })),
  })),
  {
    name: '10,000 records as CSV',
    by: 'reader',
    method: 'POST',
    path: '{db}/_table/scratch',
    type: 'text/csv',
    body: () => csvLines(10_000),
  },
  {
    name: '400,000 records as CSV',
    by: 'reader',
    method: 'POST',
    path: '{db}/_table/scratch',
    type: 'text/csv',
    body: () => csvLines(400_000),
  },
  {
    name: '10,000 records as XML',
    by: 'reader',
    method: 'POST',
    path: '{db}/_table/scratch',
    type: 'application/xml',
    body: () => `<x>${listed(10_000, (n) => `<resource><a>${n}</a></resource>`, '')}</x>`,
  },
];

const labelledFields = (count) => repeated(count, (n) => ({ name: `f${n}`, type: 'string', label: `The field ${n}` }));

const plan = (name, tables) => ({
  ...write(name, 'POST', '{db}/_plan', () => ({ verb: 'POST', path: '_schema', body: { resource: tables() } })),
  by: 'admin',
});

/** Of a new table, and of one that is there. */
const manyFields = (name, facts) => {
  const field = () => repeated(1000, (n) => ({ name: `f${n}`, ...facts }));
  return [
    plan(name, () => [{ name: 'planned', field: field() }]),
    plan(`${name} more`, () => [{ name: 'scratch', field: field() }]),
  ];
};

const descriptions = [
  get('all tables, read anew', '{db}/_table?refresh=true&fields=*'),
  get('all tables, read anew, 50 at once', '{db}/_table?refresh=true', { sockets: 50 }),
  { ...get('a table described anew, 50 at once', '{db}/_schema/contact?refresh=true', { sockets: 50 }), by: 'admin' },
  plan('a plan of 1,000 fields with labels', () => [{ name: 'planned', field: labelledFields(1000) }]),
  plan('a plan of 500 tables of 20 fields with labels', () =>
    repeated(500, (n) => ({ name: `planned${n}`, field: labelledFields(20) })),
  ),
  {
    ...write('one table described 10,000 times', 'POST', '{db}/_schema?method=GET', () => ({
      ids: repeated(10_000, () => 'contact'),
    })),
    by: 'admin',
  },
  ...manyFields('a plan of 1,000 fields', { type: 'string' }),
  ...manyFields('a plan of 1,000 unique fields with an index', { type: 'string', is_unique: true, is_index: true }),
  ...manyFields('a plan of 1,000 references', { type: 'reference', ref_table: 'contact', ref_field: 'id' }),
  plan('a plan of 1,000 virtual relations', () => [
    {
      name: 'scratch',
      related: repeated(1000, (n) => ({
        ...{ is_virtual: true, type: 'belongs_to', field: 'id', ref_field: 'id' },
        ref_table: `t${n}`,
      })),
    },
  ]),
  plan('a plan of 1,000 references to itself', () => [
    {
      name: 'planned',
      field: repeated(1000, (n) => ({ name: `f${n}`, type: 'integer', ref_table: 'planned', ref_field: 'f0' })),
    },
  ]),
  plan('a plan of 1,000 foreign keys of the same fields', () => [
    {
      name: 'planned',
      field: repeated(1000, (n) => ({ name: `f${n}`, type: 'integer', ref_table: 'contact', ref_field: 'id' })),
      constraints: Object.fromEntries(
        repeated(1000, (n) => [
          `c${n}`,
          {
            constraint_type: 'FOREIGN KEY',
            column_name: `f${n},f${(n + 1) % 1000}`,
            referenced_table_name: 'planned',
            referenced_column_name: 'f0,f1',
          },
        ]),
      ),
    },
  ]),
];

/** What is sent to a database service; `{db}` is its name. */
export const databaseCalls = [
  ...patterns,
  ...patternsByKey,
  ...longFilters,
  ...plans,
  ...longLists,
  ...longParameters,
  ...queries,
  ...lists,
  ...related,
  ...exports,
  ...readers,
  ...writes,
  ...descriptions,
];

// Bodies --------------------------------------------------------------------------------------------------------------------

/** Bodies of a size in every format, made to be expensive to read. */
const nastyBodies = {
  'JSON, one text': ['application/json', (size) => stuffed(size, 'x', '{"phone":"', '"}')],
  'JSON, numbers': ['application/json', (size) => stuffed(size, ',0', '[0', ']')],
  'JSON, lists': ['application/json', (size) => stuffed(size, ',[]', '["\\u0061"', ']')],
  'JSON, objects': ['application/json', (size) => stuffed(size, ',{"a":0}', '["\\u0061"', ']')],
  'JSON, a long number and objects': [
    'application/json',
    (size) => stuffed(size, ',{"a":1}', '[1234567890123456', ']'),
  ],
  'JSON, names': ['application/json', (size) => `{${listed(size / 13, (n) => `"n${n}":1`)}}`],
  'JSON, the same name': ['application/json', (size) => stuffed(size, '"a":1,', '{', '"a":1}')],
  'JSON, deep': ['application/json', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
  'JSON, deep and open': ['application/json', (size) => '{"a":'.repeat(size / 5)],
  'JSON, malformed at its end': ['application/json', (size) => stuffed(size, ',\n1', '[0', ',')],
  'JSON, a text without end': ['application/json', (size) => stuffed(size, 'a', '["')],
  'JSON, escapes': ['application/json', (size) => stuffed(size, '\\u0061', '["', '"]')],
  'JSON, __proto__': ['application/json', (size) => stuffed(size, '"__proto__":{},', '{', '"a":1}')],
  'XML, flat': ['application/xml', (size) => stuffed(size, '<b/>', '<a>', '</a>')],
  'XML, texts': ['application/xml', (size) => stuffed(size, '<b>1</b>', '<a>', '</a>')],
  'XML, names': ['application/xml', (size) => `<a>${listed(size / 11, (n) => `<b${n}/>`, '')}</a>`],
  'XML, entities': ['application/xml', (size) => stuffed(size, '&amp;', '<a>', '</a>')],
  'XML, attributes': ['application/xml', (size) => `<a ${listed(size / 12, (n) => `b${n}=""`, ' ')}/>`],
  'XML, the same attribute': ['application/xml', (size) => stuffed(size, 'c="1" ', '<a><b ', '/></a>')],
  'XML, deep': ['application/xml', (size) => '<a>'.repeat(size / 7) + '</a>'.repeat(size / 7)],
  'XML, deep and open': ['application/xml', (size) => '<a b="/>">'.repeat(size / 10)],
  'XML, comments': ['application/xml', (size) => stuffed(size, '<!---->', '<a>', '</a>')],
  'XML, CDATA': ['application/xml', (size) => stuffed(size, '<![CDATA[]]>', '<a>', '</a>')],
  'XML, only <': ['application/xml', (size) => '<'.repeat(size)],
  'XML, a type that grows': [
    'application/xml',
    () =>
      `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${listed(9, (n) => `<!ENTITY a${n} "${`&a${n - 1};`.repeat(10)}">`, '')}]><a>&a8;</a>`,
  ],
  'CSV, columns': ['text/csv', (size) => `${listed(size / 9, (n) => `c${n}`)}\n${','.repeat(size / 9)}`],
  'CSV, 1,000 columns': [
    'text/csv',
    (size) => stuffed(size, `${','.repeat(999)}\n`, `${listed(1000, (n) => `c${n}`)}\n`),
  ],
  'CSV, quotes': ['text/csv', (size) => stuffed(size, '""', 'a\n"', '"')],
  'CSV, a quote without end': ['text/csv', (size) => stuffed(size, 'a,\n', 'a\n"')],
  'CSV, short lines': ['text/csv', (size) => stuffed(size, 'b\n', 'a\n')],
  'form, names': ['application/x-www-form-urlencoded', (size) => listed(size / 8, (n) => `a${n}`, '&')],
  'form, percent': ['application/x-www-form-urlencoded', (size) => stuffed(size, '%41', 'a=')],
  'form, brackets': ['application/x-www-form-urlencoded', (size) => stuffed(size, '[a]', 'a')],
  'multipart, fields': [
    'multipart/form-data; boundary=x',
    (size) => stuffed(size, '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n', '', '--x--'),
  ],
  'multipart, headers': ['multipart/form-data; boundary=x', (size) => stuffed(size, 'A: b\r\n', '--x\r\n', '\r\n')],
  'guessed, lines': ['application/octet-stream', (size) => stuffed(size, 'b\n', 'a\n')],
  'guessed, tags': ['application/octet-stream', (size) => stuffed(size, '<b/>', '<a>', '</a>')],
};
const bodies = Object.entries(nastyBodies).flatMap(([name, [type, body]]) => [
  {
    name: `10 MB of ${name}`,
    by: 'user',
    method: 'POST',
    path: 'user/profile',
    type,
    body: () => body(10 * megabyte - 2000),
  },
  {
    name: `64 KB of ${name}, a stranger's`,
    by: 'stranger',
    method: 'POST',
    path: 'user/session',
    type,
    body: () => body(65_000),
    times: 10,
  },
]);
const compressed = [
  ['a gzip of 200 MB', () => gzipSync(Buffer.alloc(200 * megabyte)), 'gzip'],
  ['a broken gzip', () => Buffer.from('no gzip at all'), 'gzip'],
  ['an unknown compression', () => '{}', 'x-none'],
  ['gzip nine times', () => gzipSync(gzipSync(Buffer.alloc(megabyte))), listed(9, () => 'gzip')],
].map(([name, body, encoding]) => ({
  name,
  by: 'user',
  method: 'POST',
  path: 'user/profile',
  headers: { 'Content-Encoding': encoding },
  body,
}));

// People and connections ----------------------------------------------------------------------------------------------------

const signIns = [
  ['40 wrong passwords at once', (n) => ({ email: 'abuse@example.com', password: `wrong ${n}` })],
  ['40 unknown people at once', (n) => ({ email: `nobody${n}@example.com`, password: 'wrong' })],
  ['40 passwords of 60 KB', () => ({ email: 'abuse@example.com', password: 'x'.repeat(60_000) })],
  ['40 names of 60 KB', () => ({ email: 'x'.repeat(60_000), password: 'x' })],
].flatMap(([name, body]) =>
  ['user/session', 'system/admin/session'].map((path) => ({
    ...write(`${name}: ${path}`, 'POST', path, () => body(Math.random())),
    by: 'stranger',
    sockets: 40,
  })),
);
const credentials = [
  {
    ...get('500 invented tokens', 'user/session', { times: 500 }),
    headers: { 'X-DreamFactory-Session-Token': 'aa.bb.cc' },
  },
  { ...get('a token of 30 KB', 'user/session'), headers: { 'X-DreamFactory-Session-Token': 'a'.repeat(30_000) } },
  {
    ...get('500 invented keys', 'user/profile', { times: 500 }),
    headers: { 'X-DreamFactory-API-Key': 'a'.repeat(64) },
  },
  { ...get('a basic password of 20 KB', 'user/session'), headers: { Authorization: `Basic ${'eHg6'.repeat(5000)}` } },
  { ...get('500 times the list of services', '', { times: 500 }) },
  { ...get('500 times the environment', 'system/environment', { times: 500 }) },
  {
    ...write(
      'new passwords for 40 people',
      'POST',
      'user/password?reset=true',
      () => ({ email: 'abuse@example.com' }),
      { sockets: 40 },
    ),
  },
].map((call) => ({ ...call, by: 'stranger' }));

const junk = Object.entries({
  nothing: '',
  nonsense: 'NONSENSE\r\n\r\n',
  'a version that is none': 'GET / HTTP/9.9\r\n\r\n',
  'a head without end': `GET /api/v2 HTTP/1.1\r\nHost: x\r\n${'X-a: b\r\n'.repeat(100)}`,
  'a head of 1 MB': `GET /api/v2 HTTP/1.1\r\nHost: x\r\nX-a: ${'b'.repeat(megabyte)}\r\n\r\n`,
  '20,000 headers': `GET /api/v2 HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(20_000)}\r\n`,
  'two lengths': 'POST /api/v2/user/session HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n{}{}',
  'a length and pieces':
    'POST /api/v2/user/session HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'pieces that are none': 'POST /api/v2/user/session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'pieces of one byte': `POST /api/v2/user/session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(60_000)}`,
  'a piece of 2 GB': 'POST /api/v2/user/session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n',
  'a body that is expected':
    'POST /api/v2/user/session HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9000000\r\n\r\n',
  'the beginning of TLS': Buffer.from('16030100a5010000a10303', 'hex'),
  'the beginning of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'an upgrade': 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'a proxy wanted': 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  '2 MB of zeros': Buffer.alloc(2 * megabyte),
  '2 MB of line ends': '\r\n'.repeat(megabyte),
}).map(([name, raw]) => ({ name: `40 sockets: ${name}`, by: 'stranger', raw, manner: 'half-closed', sockets: 40 }));

const slow = ['user', 'stranger'].flatMap((by) =>
  [2, 100].map((sockets) => ({
    name: `${sockets} bodies of 9 MB that arrive slowly, of a ${by}`,
    by,
    method: 'POST',
    path: by === 'user' ? 'user/profile' : 'user/session',
    headers: { 'Content-Length': '9000000' },
    body: () => '',
    manner: 'sends-slowly',
    sockets,
  })),
);

// The platform's own records ------------------------------------------------------------------------------------------------

const longTextsOfTheStore = [
  ['email_template', 'body_html'],
  ['user', 'name'],
  ['role', 'description'],
  ['audit', 'resource'],
];
const system = [
  ...longTextsOfTheStore.flatMap(([resource, field]) => [
    ...[1, 20].flatMap((terms) =>
      patternsOf(60).map(([operator, value], kind) =>
        ask(`${terms} × ${operator} (${kind}) on ${resource}`, `system/${resource}`, () => ({
          filter: listed(terms, () => `(${field} ${operator} ${value})`, ' or '),
          fields: 'id',
        })),
      ),
    ),
    get(`${resource} sorted by ${field}`, `system/${resource}?order=${field}%20desc&limit=100`),
    get(`${resource} grouped by ${field}`, `system/${resource}?group=${field}&fields=${field}`),
    get(`all of ${resource} as XML`, `system/${resource}?limit=100000`, { accept: 'application/xml' }),
    get(`all of ${resource} as CSV`, `system/${resource}?file=all.csv`),
    get(`all of ${resource}, unread`, `system/${resource}?limit=100000`, { manner: 'unread', sockets: 40 }),
  ]),
  ask('5,000 patterns on people', 'system/user', () => ({
    filter: listed(5000, (n) => `(name like '%x${n}%')`, ' or '),
    fields: 'id',
  })),
  ask('in of 100,000 people', 'system/user', () => ({ filter: `id in (${listed(100_000, (n) => n)})`, fields: 'id' })),
  get('people with all that is related', 'system/user?related=*&limit=100000'),
  get('people counted', `system/user?count_only=true&filter=${q("name like '%a%b%c%'")}`),
  get('50 times all roles', 'system/role?related=*', { sockets: 50 }),
  write('1,000 people', 'POST', 'system/user?rollback=true', () => ({
    resource: [...repeated(1000, (n) => ({ email: `abuse${n}-${Math.random()}@example.com` })), { email: 'no' }],
  })),
  write('a role of 5,000 rows', 'POST', 'system/role', () => ({
    resource: [
      {
        name: `many ${Math.random()}`,
        role_service_access_by_role_id: repeated(5000, (n) => ({ service_id: 1, component: `x${n}`, verb_mask: 1 })),
      },
    ],
  })),
  write('a role of 2,000 rows that are held', 'POST', 'system/role?rollback=true', () => ({
    resource: [
      {
        name: `held ${Math.random()}`,
        role_service_access_by_role_id: repeated(2000, (n) => ({
          service_id: 1,
          component: `user/{a${n}}`,
          verb_mask: 1,
          filters: repeated(5, (k) => ({ name: `f${k}`, operator: '=', value: '{abuse}' })),
        })),
      },
      { name: '' },
    ],
  })),
  write('1,000 lookup keys', 'POST', 'system/lookup?rollback=true', () => ({
    resource: [...repeated(1000, (n) => ({ name: `abuse${n}`, value: 'x' })), { name: '' }],
  })),
  write('a template of 9 MB', 'POST', 'system/email_template', () => ({
    resource: [{ name: 'too long', body_html: 'x'.repeat(9_000_000) }],
  })),
].map((call) => ({ ...call, by: 'manager' }));

/** What needs no database service. */
export const platformCalls = [...bodies, ...compressed, ...signIns, ...credentials, ...junk, ...slow, ...system];
