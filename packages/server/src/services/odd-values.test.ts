// Odd values wherever a caller can put one, against every address of every service type with every verb: nobody brings
// about a 500, and nothing of what they send reaches the log as a stack.
import { listParameters, resources, verbs } from '@sluice/contract';
import { type AskOptions, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { exampleOf, makeExample } from './example.fixture.ts';

const isLong = soakRounds(0, 1) === 1;

// ---- what is odd ----

const members = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'prototype', 'length', 'then'];
const words = [
  ...members,
  ...['', ' ', '\u0000', '\ud800', '\udfff\ud800', '\uffff', '\u202e', '\u0001\u001f\u007f', '\r\n', '𝒜'.repeat(80)],
  ...['a'.repeat(300), '('.repeat(200), '{'.repeat(200), "'", '"', '`', '\\', '%', '%%', '_', '*', '?', ',', ';', ':p'],
  ...['{user.id}', '{session.token}', '0x10', '１２', '1_000', '+1', '1.', '.5', '1e3', '1e400', 'NaN', '-1', '0', '1'],
  ...['9007199254740993', '99999999999999999999999999', 'true', 'on', 'null', '*', 'id', 'title', 'name', 'role'],
  ...[
    '2020-02-30',
    '9999-99-99 99:99:99',
    'title like "%a"',
    'id in (',
    'x.constructor',
    'x.csv',
    'text/csv',
    'bytes=9-1',
  ],
];
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...members) },
  { weight: 8, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);
const nested = (depth: number): unknown =>
  depth === 0 ? 1 : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };
const odd: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom({ toString: 1 }, 'constructor') },
  { weight: 4, arbitrary: text },
  {
    weight: 6,
    arbitrary: fc.constantFrom<unknown>(
      ...[null, true, false, 0, -0, 1, -1, 1.5, 1e308, -1e308, 1e-320, 2 ** 53 - 1],
      ...[
        [],
        [[]],
        [null],
        [1, 2],
        [{}],
        {},
        { a: 1 },
        { toString: 1 },
        { valueOf: {}, toString: null },
        { length: -1 },
      ],
      ...[{ toJSON: 1 }, { expression: 'NOW()' }, { expression: { value: { toString: 1 } } }, { id: 1 }],
      ...[{ constructor: { name: 1 } }, nested(30), nested(99), { resource: [{ resource: {} }] }],
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);

// ---- where it is put ----

const fieldNames = [...new Set(Object.values(resources).flatMap((resource) => Object.keys(resource.fields)))];
const relationNames = [...new Set(Object.values(resources).flatMap((resource) => Object.keys(resource.relations)))];
const bodyNames = [
  ...['resource', 'ids', 'filter', 'params', 'limit', 'offset', 'order', 'fields', 'related', 'continue', 'rollback'],
  ...['remember_me', 'login', 'old_password', 'new_password', 'code', 'service', 'api_key', 'session_token', 'title'],
  ...[
    'field',
    'table',
    'alias',
    'is_virtual',
    'validation',
    'picklist',
    'db_function',
    'verb',
    'path',
    'record',
    'name',
  ],
  ...['schema', 'returns', 'wrapper', 'id', 'config', 'ref_table', 'ref_service', 'ref_service_id', 'user_id'],
];
const bodyName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...bodyNames) },
  { weight: 4, arbitrary: fc.constantFrom(...fieldNames) },
  { weight: 1, arbitrary: fc.constantFrom(...relationNames) },
  { weight: 1, arbitrary: text },
);
// Hashing a password takes longer than all else; `sign-in.test.ts` has its own odd ones.
const record = fc
  .dictionary(bodyName, odd, { minKeys: 1, maxKeys: 5, size: 'max' })
  .map(({ password, new_password, security_answer, ...rest }): Record<string, unknown> => rest);
const body: fc.Arbitrary<{ type?: string; content: string } | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 12,
    arbitrary: fc
      .oneof(
        record,
        record.map((one) => ({ resource: [one] })),
        fc.array(record, { maxLength: 3 }),
        odd.map((resource) => ({ resource })),
        odd.map((id) => ({ resource: [{ id, name: id }], continue: true })),
        fc
          .tuple(fc.constantFrom('title', 'id', 'name', 'is_active'), fc.constantFrom('=', 'like', '>'), odd)
          .map(([field, sign, p]) => ({
            filter: `${field} ${sign} :p`,
            params: { p },
          })),
        odd,
      )
      .map((value) => ({ type: 'application/json', content: JSON.stringify(value) ?? 'null' })),
  },
  {
    weight: 2,
    arbitrary: fc.array(fc.tuple(bodyName, text), { maxLength: 4 }).map((pairs) => ({
      type: 'application/x-www-form-urlencoded',
      content: pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&'),
    })),
  },
  {
    weight: 2,
    arbitrary: fc.array(fc.tuple(bodyName, text), { maxLength: 4 }).map((pairs) => ({
      type: 'multipart/form-data; boundary=b',
      content: `${pairs.map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--b--`,
    })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('text/xml', 'text/csv', 'text/plain', 'multipart/form-data', 'application/json', 'x', ''),
      content: fc.oneof(
        text,
        fc.tuple(bodyName, text).map(([name, value]) => `<a><resource><${name}>${value}</${name}></resource></a>`),
        fc.tuple(bodyName, text).map(([name, value]) => `${name},b\n${value},2\n`),
        fc.constantFrom(
          '{',
          '{"resource":[',
          '--b',
          '--b\r\n\r\n',
          '<a/>',
          '{"__proto__":{"a":1},"resource":[{"__proto__":1}]}',
        ),
      ),
    }),
  },
);
const queryNames = [
  // An empty table would make the rest of the run tame.
  ...Object.values(listParameters)
    .flat()
    .filter((name) => name !== 'force'),
  ...['accept', 'file', 'method', '_method', 'params', 'type', 'service', 'reset', 'login', 'as_access_list', 'x'],
  ...['include_access', 'regenerate', 'check_exist', 'schema', 'returns', 'wrapper', 'allow_related_delete'],
];
const query = fc.array(fc.tuple(fc.constantFrom(...queryNames, ...members), text), { maxLength: 4, size: 'max' });
const headerNames = [
  ...[
    'accept',
    'accept',
    'accept',
    'x-http-method',
    'x-method-override',
    'x-http-method-override',
    'authorization',
    'range',
    'if-match',
  ],
  ...['if-none-match', 'x-forwarded-for', 'x-forwarded-proto', 'user-agent', 'cookie', 'origin', 'accept-encoding'],
  ...members,
];
const headerValue = fc.oneof(
  { weight: 2, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'GET',
      'DELETE',
      'PUT',
      'MERGE',
      'Bearer constructor',
      'Basic Og==',
      'Basic ',
      'bytes=5-',
      '"1"',
      'W/"x"',
      '*',
    ),
  },
);
const headers = fc.array(fc.tuple(fc.constantFrom(...headerNames), headerValue), { maxLength: 3, size: 'max' });

/** As a browser would write it; half of a character, which none can write, as its bytes. */
function escaped(value: string): string {
  return Array.from(value, (character) =>
    /^[\ud800-\udfff]$/.test(character) ? '%ED%A0%80' : encodeURIComponent(character),
  ).join('');
}
/** What a client may send in a header at all. */
const sendable = (value: string) => value.replace(/[^\x20-\x7e\xa0-\xff]/g, '');

// ---- who, and what ----

let platform: TestPlatform;
const releases: (() => Promise<void>)[] = [];
const addresses: { service: string; path: string; values: Readonly<Record<string, string>> }[] = [];

beforeAll(async () => {
  platform = await startPlatform();
  for (const type of platform.types) {
    const { values = {}, needsServer, missing } = await exampleOf(type.name);
    if ((needsServer && !isLong) || (await missing?.())) continue;
    const { service, release } = await makeExample(platform, type, `s_${type.name}`);
    if (release) releases.push(release);
    for (const path of new Set(type.routes.operations.map((operation) => operation.path)))
      addresses.push({ service, path, values });
  }
  addresses.push({ service: '', path: '', values: {} }, { service: 'constructor', path: '{name}', values: {} });
}, 60_000);
afterAll(async () => {
  await platform.stop();
  for (const release of releases) await release();
});

/** Somebody who may do much and is no administrator. */
async function limitedCaller(): Promise<{ id: number; key: string }> {
  const name = `some${++limited}`;
  const rows = [
    { service_id: null, component: '*', verb_mask: 31, requestor_mask: 1 },
    { service_id: 1, component: 'admin/*', verb_mask: 1, requestor_mask: 1 },
  ];
  const role = await platform.create('role', { name, is_active: true, role_service_access_by_role_id: rows });
  const app = await platform.create('app', { name, type: 0, is_active: true, role_id: role.id });
  const email = `${name}@example.com`;
  const user = await platform.create('user', { email, first_name: 'S', last_name: 'O', is_active: true });
  return { id: user.id, key: String(app.api_key) };
}
let limited = 0;

/** What stands for a placeholder where neither an odd value nor one of the example does; there is no record 4711. */
const usual: Readonly<Record<string, string>> = { name: 'sqlite', id: '2' };
const place = fc.option(text, { freq: 1 });

it(
  'abuse: no odd value causes a 500 or a stack in the log, from any caller at any address',
  async () => {
    const errors = vi.spyOn(platform.log, 'error');
    let count = 0;
    let someone = { id: 0, key: '' };
    const warnings = vi.spyOn(platform.log, 'warn');
    const run = fc.record({
      at: fc.noBias(fc.nat(9999)),
      who: fc.constantFrom('stranger', 'limited', 'administrator', 'administrator'),
      verb: fc.constantFrom(...verbs, 'HEAD', 'MERGE'),
      places: fc.array(place, { minLength: 3, maxLength: 3 }),
      query,
      headers,
      body,
    });
    await fc.assert(
      fc.asyncProperty(run, async ({ at, who, verb, places, query, headers, body }) => {
        const { service, path, values } = addresses[at % addresses.length]!;
        const standIns = new Map(Object.entries({ ...usual, ...values }));
        const rest = [...places];
        const filled = path.replace(/\{\+?([^}]*)\}/g, (_, name: string) =>
          escaped(rest.pop() ?? standIns.get(name) ?? '4711'),
        );
        const target = `${service}/${filled}?${query.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&')}`;
        // One call may take away what the next ones act by.
        if (count++ % 500 === 0) someone = await limitedCaller();
        const asker: AskOptions =
          who === 'stranger'
            ? { token: null }
            : who === 'limited'
              ? { token: await platform.tokenOf(someone.id).catch(() => null), key: someone.key }
              : { token: path.includes('session') ? await platform.tokenOf(1) : platform.adminToken };
        const answer = await platform.ask(verb, target, {
          ...asker,
          body: body?.content,
          headers: Object.fromEntries([
            ...(body?.type ? [['content-type', body.type]] : []),
            ...headers.map(([name, value]) => [name, sendable(value)]),
          ]),
        });
        expect(
          answer.status < 500 || answer.status === 501 || answer.status === 503,
          `${verb} ${target}\n${JSON.stringify(headers)}\n${body?.type}: ${body?.content.slice(0, 2000)}\n${answer.status} ${answer.text.slice(0, 300)}\n${stackOf(errors.mock.calls)}`,
        ).toBe(true);
        for (const [said] of [...errors.mock.calls, ...warnings.mock.calls])
          expect(said, `${verb} ${target} ${body?.content.slice(0, 2000)}`).not.toHaveProperty('err');
      }),
      { numRuns: soakRounds(1000, 12_000), endOnFailure: true },
    );
  },
  isLong ? 1_800_000 : 60_000,
);

const stackOf = (calls: unknown[][]) => calls.map(([said]) => String((said as { err?: Error })?.err?.stack)).join('\n');
