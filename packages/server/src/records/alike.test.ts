// What must be the same on every engine of the store; runs on each (vitest.config.ts).
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let system: TestSystem;
const names = ['Zebra', 'apple', 'Äpfel', 'äPFEL', 'a%b_c\\d', 'ünder', '10', '😀 face', "o'brien", 'a b'];

beforeAll(async () => {
  system = await startSystem();
  const toRole = (name: string, index: number) => ({ name, description: index % 3 === 0 ? null : `text ${index}` });
  const { status } = await system.ask('POST', 'role', { resource: names.map(toRole) });
  expect(status).toBe(201);
});
afterAll(() => system.close());

const listNames = async (query: string) => {
  const { status, body } = await system.ask('GET', `role?${query}`);
  return status === 200 ? body.resource.map((role: { name: string }) => role.name) : [status, body.error.message];
};
const filterNames = async (filter: string) => listNames(`filter=${encodeURIComponent(filter)}`);

describe('order', () => {
  test('of texts is by code points, of nulls first, of what is alike by id', async () => {
    const codePoints = (text: string) =>
      Array.from(text, (character) => character.codePointAt(0)?.toString(16).padStart(6, '0')).join('');
    const sorted = [...names].sort((a, b) => (codePoints(a) < codePoints(b) ? -1 : 1));
    expect(await listNames('order=name')).toEqual(sorted);
    expect(await listNames('order=name desc')).toEqual(sorted.reverse());
    const isNull = (name: string) => names.indexOf(name) % 3 === 0;
    const nulls = names.filter(isNull);
    const texts = names.filter((name) => !isNull(name));
    expect(await listNames('order=description')).toEqual([...nulls, ...texts]);
    expect(await listNames('order=description desc')).toEqual([...texts.reverse(), ...nulls]);
    expect(await listNames('order=description&limit=2&offset=3')).toEqual([nulls[3], texts.at(-1)]);
    expect(await listNames('order=description desc nulls first')).toEqual([...nulls, ...texts]);
    expect(await listNames('order=description nulls last')).toEqual([...texts.reverse(), ...nulls]);
  });

  test('of groups has the null first too', async () => {
    const { body } = await system.ask('GET', 'role?group=description&order=description&limit=2');
    expect(body.resource).toEqual([{ description: null }, { description: 'text 1' }]);
  });
});

describe('filters', () => {
  test.each([
    ['name like "%APPLE%"', ['apple']],
    ['name contains "ZEB"', ['Zebra']],
    ['name starts with "A"', ['apple', 'a%b_c\\d', 'a b']],
    ['name ends with "FACE"', ['😀 face']],
    ['name starts with "😀"', ['😀 face']],
    // The case of A–Z does not count, that of other letters does.
    ['name like "äpfel"', ['äPFEL']],
    ['name like "Äpfel"', ['Äpfel']],
    ['name like "ÄP%"', ['Äpfel']],
    ['name like "ÜNDER"', []],
    ['name like "ünd%"', ['ünder']],
    // A pattern knows % and _ and no character that escapes them.
    ['name contains "\\"', ['a%b_c\\d']],
    ['name like "a\\%"', []],
    ['name like "a%\\d"', ['a%b_c\\d']],
    ['name = "apple"', ['apple']],
    ['name = "APPLE"', []],
    ['name = "apple "', []],
    ['name != "apple" and name < "b"', ['Zebra', 'a%b_c\\d', '10', 'a b']],
    ['name = 10', ['10']],
    ['name in (10, "apple")', ['apple', '10']],
    ['name between "a" and "b"', ['apple', 'a%b_c\\d', 'a b']],
    ['name = "a\0b"', [400, "Field 'name' must not contain NUL characters."]],
    ['name like "a\0%"', []],
    ["name = 'o''brien'", ["o'brien"]],
    ['id = 1', ['Zebra']],
    ['id like "1"', ['Zebra']],
    ['name = (id)', []],
    ['id = (now())', []],
    ['created_date < (now())', names],
    ['name contains (description)', []],
    ['id < (name)', names.filter((name) => name !== '10')],
    ['name between (id) and "a"', ['Zebra']],
    ['id > 9007199254740990', []],
    ['id = 99999999999', []],
    ['id in (1, 99999999999)', ['Zebra']],
    ['is_active = true', []],
    ['is_active = false and id = 2', ['apple']],
    ['created_date > "2020"', names],
    ['created_date > now()', []],
    ['description is null', ['Zebra', 'äPFEL', '10', 'a b']],
    ['not (description like "text%")', []],
    ['(name = "10") xor (id = 1)', ['Zebra', '10']],
    ['(id > 1) nor (name = "10")', ['Zebra']],
  ])('%j', async (filter, expected) => {
    expect(await filterNames(filter)).toEqual(expected);
  });

  test.each(['id = 1.5', 'id = "x"', 'id = 99999999999999999999', 'id like "x"'])(
    '%s is a 400 or finds nothing',
    async (filter) => {
      const answer = await filterNames(filter);
      expect(answer.length === 0 || answer[0] === 400, JSON.stringify(answer)).toBe(true);
    },
  );

  test('take thousands of values', async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => index + 1);
    expect(await filterNames(`id in (${ids.join(',')})`)).toEqual(names);
  });
});

describe('ids no store has', () => {
  test.each(['0', '999999999999999', '1e3', '-1', 'x', '%00'])('%s is not there', async (id) => {
    expect((await system.ask('GET', `role/${id}`)).status).toBe(404);
    expect((await system.ask('PATCH', `role/${id}`, { description: 'x' })).status).toBe(404);
  });
});

describe('numbers past what columns hold', () => {
  test('are refused or kept, never an error of the server', async () => {
    const app = { name: 'numbers', type: 9_007_199_254_740_991 };
    expect((await system.ask('POST', 'app', { resource: [app] })).status).toBe(400);
    const access = [{ service_id: 1, verb_mask: 9_007_199_254_740_991, requestor_mask: 1 }];
    const role = { name: 'masks', role_service_access_by_role_id: access };
    const created = await system.ask('POST', 'role?related=role_service_access_by_role_id', { resource: [role] });
    expect(created.body.resource?.[0].role_service_access_by_role_id[0].verb_mask ?? created.status).toBeOneOf([
      9_007_199_254_740_991, 400,
    ]);
    await system.ask('DELETE', 'role', { resource: [{ id: created.body.resource?.[0].id }] });
  });
});

describe('a batch', () => {
  test('goes on after a record the store itself refused, and undoes all with rollback', async () => {
    const records = [{ name: 'one' }, { name: 'ONE' }, { name: 'x'.repeat(65) }, { name: 'two' }];
    const continued = await system.ask('POST', 'role?continue=true', { resource: records });
    expect([continued.status, continued.body.error.context.error]).toEqual([400, [1, 2]]);
    expect(await filterNames('name in (one, two, ONE)')).toEqual(['one', 'two']);
    const rolledBack = await system.ask('POST', 'role?rollback=true', {
      resource: [{ name: 'three' }, { name: 'TWO' }],
    });
    expect([rolledBack.status, rolledBack.body.error.context.error]).toEqual([400, [1]]);
    expect(await filterNames('name in (three)')).toEqual([]);
    await system.ask('DELETE', 'role', {
      resource: (await system.ask('GET', 'role?filter=name in (one,two)&fields=id')).body.resource,
    });
  });
});

test('of several who take one name at the same moment, one gets it, whatever its case', async () => {
  const spellings = ['taken', 'Taken', 'TAKEN', 'tAKEN', 'taKen'];
  const answers = await Promise.all(spellings.map((name) => system.ask('POST', 'role', { resource: [{ name }] })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
});
