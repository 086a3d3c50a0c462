// Whatever is sent as a value or as a name: nothing of it becomes part of a statement. A mark in every text sent is looked
// for in the SQL that leaves the process, and the SQL for one value is the SQL for any other.
import { randomBytes } from 'node:crypto';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Service } from '../../service/service.ts';
import { ask, type TestRequest } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';
import { statementsOf } from '../fixture/statements.ts';
import { hostile } from './hostile.fixture.ts';

const mark = `zq${randomBytes(4).toString('hex')}`;
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A call with the text in a place for a value: the statements are those for any text. */
const asValue: Record<string, (text: string) => [line: string, request: TestRequest]> = {
  'a text in a filter': (input) => ['GET _table/contact', { query: { filter: `note = ${quoted(input)}` } }],
  'a text in double quotes': (input) => [
    'GET _table/contact',
    { query: { filter: `(note != "${input.replaceAll('"', '""')}") and (age > 3)` } },
  ],
  'a parameter': (input) => ['GET _table/contact', { body: { filter: 'note = :it', params: { ':it': input } } }],
  'a pattern': (input) => ['GET _table/contact', { query: { filter: `note like ${quoted(input)}` } }],
  'a part of a text': (input) => ['GET _table/contact', { query: { filter: `note contains ${quoted(input)}` } }],
  'a list': (input) => [
    'GET _table/contact',
    { query: { filter: `note in ('a', ${quoted(input)})`, order: 'id desc' } },
  ],
  'between two': (input) => ['GET _table/contact', { query: { filter: `note between 'a' and ${quoted(input)}` } }],
  'a count': (input) => [
    'GET _table/contact',
    { query: { filter: `not (note = ${quoted(input)})`, count_only: 'true' } },
  ],
  'an id of text': (input) => [`GET _table/word`, { body: { ids: [input] } }],
  'an id of another field': (input) => ['GET _table/contact', { body: { ids: [input] }, query: { id_field: 'note' } }],
  'a record': (input) => ['PATCH _table/contact/1', { body: { note: input } }],
  'records by filter': (input) => [
    'PATCH _table/contact',
    { body: { resource: [{ note: 'x' }] }, query: { filter: `note = ${quoted(input)}` } },
  ],
  'a record inside': (input) => [
    'PATCH _table/team/1',
    { body: { member_by_team_id: [{ id: 1, nick: input.slice(0, 15) }] } },
  ],
  'a delete': (input) => ['DELETE _table/contact', { query: { filter: `note = ${quoted(input)}` } }],
};

/** A call with the text where a name is meant, or language. */
const asName: Record<string, (text: string) => [line: string, request: TestRequest]> = {
  'a filter': (input) => ['GET _table/contact', { query: { filter: input } }],
  'a field in a filter': (input) => ['GET _table/contact', { query: { filter: `(${input} = 1)` } }],
  'a bare value': (input) => ['GET _table/contact', { query: { filter: `note = ${input}` } }],
  'a function': (input) => ['GET _table/contact', { query: { filter: `note = (${input})` } }],
  'an operator': (input) => ['GET _table/contact', { query: { filter: `note ${input} 'a'` } }],
  'a name of a parameter': (input) => [
    'GET _table/contact',
    { body: { filter: `note = :${input}`, params: { [input]: input } } },
  ],
  'an order': (input) => ['GET _table/contact', { query: { order: input } }],
  'a direction': (input) => ['GET _table/contact', { query: { order: `id ${input}` } }],
  'a group': (input) => ['GET _table/contact', { query: { group: input, count_only: 'true' } }],
  'a field': (input) => ['GET _table/contact', { query: { fields: `id,${input}` } }],
  'a relation': (input) => ['GET _table/team', { query: { related: input } }],
  'an order of a relation': (input) => [
    'GET _table/team',
    { query: { related: 'member_by_team_id', 'member_by_team_id.order': input } },
  ],
  'a field of a relation': (input) => [
    'GET _table/team',
    { query: { related: 'member_by_team_id', 'member_by_team_id.fields': input, 'member_by_team_id.limit': input } },
  ],
  'a group of a relation': (input) => [
    'GET _table/team',
    { query: { related: 'member_by_team_id', 'member_by_team_id.group': input } },
  ],
  ids: (input) => ['GET _table/contact', { query: { ids: input } }],
  'an id': (input) => [`GET _table/contact/${input}`, {}],
  'a field of ids': (input) => ['GET _table/contact', { query: { ids: '1', id_field: input } }],
  'a table': (input) => [`GET _table/${input}`, {}],
  'a description': (input) => [`GET _schema/${input}`, {}],
  'numbers of a page': (input) => [
    'GET _table/contact',
    { query: { limit: input, offset: input, include_count: input } },
  ],
  'a key of a record': (input) => ['PATCH _table/contact/1', { body: { [input]: input, note: 'n' } }],
  'a key of a record inside': (input) => [
    'PATCH _table/team/1',
    { body: { member_by_team_id: [{ id: 1, nick: 'n', [input]: { [input]: input } }] } },
  ],
  'a number of a record': (input) => [
    'PATCH _table/contact/1',
    { body: { age: input, price: input, big: input, born: input } },
  ],
  'an expression': (input) => ['PATCH _table/contact/1', { body: { note: { expression: input } } }],
};

/** Pieces of filters, orders and values, put together as it comes. */
const piece = fc.oneof(
  fc.constantFrom(...hostile.filter((input) => input.length < 200)),
  fc.constantFrom('id', 'note', 'age', 'name', '=', '!=', 'like', 'in', '(', ')', ',', 'and', 'or', 'not', '1', "'x'"),
  fc.constantFrom('is null', 'between', ':p', 'desc', 'asc', '*', ' ', "'", '"', '{', '}', '[', ']', ':', '\\'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((input) => input.join(' ').replace('x', mark));

/** Bodies with records in records, of names that exist and others. */
const fieldName = fc.oneof(
  fc.constantFrom('id', 'name', 'note', 'age', 'price', 'born', 'active', 'photo', 'team_id', 'nick', 'expression'),
  fc.constantFrom(
    'member_by_team_id',
    'team_by_team_id',
    'team.id',
    'resource',
    'ids',
    'filter',
    'params',
    '__proto__',
  ),
  text,
);
const { body: anyBody } = fc.letrec((tie) => ({
  leaf: fc.oneof(
    text.map((input) => `${mark}${input}`),
    fc.jsonValue({ maxDepth: 2 }),
    fc.integer({ min: -2, max: 9 }),
  ),
  record: fc.dictionary(fieldName, fc.oneof(tie('leaf'), tie('body')), { maxKeys: 4 }),
  body: fc.oneof(
    { weight: 3, arbitrary: tie('record') },
    fc.array(tie('record'), { maxLength: 3 }),
    tie('record').map((resource) => ({ resource })),
    tie('leaf'),
  ),
}));

await onEachEngine((engine) => {
  let db: Fixture;
  let service: Service;
  beforeAll(async () => {
    db = await fixture(engine);
    service = db.service;
    await db.sql("INSERT INTO member VALUES (1, 1, 'n')");
  });
  afterAll(() => db?.stop());

  const everything = () =>
    db.sql(`SELECT concat(count(*), ':', sum(id), ':', count(note)) FROM contact UNION ALL
      SELECT concat(count(*), ':', max(name), ':') FROM team UNION ALL
      SELECT concat(count(*), ':', max(team_id), ':') FROM member UNION ALL SELECT concat(count(*), '::') FROM word`);

  /** Asks; a failure that is not of the catalogue is thrown, and a statement that is none betrays itself. */
  const send = async ([line, request]: [string, TestRequest]) => {
    const { status, text, body } = await ask(service, line, request);
    const description = `${line} ${JSON.stringify(request)}`.slice(0, 500);
    if (status >= 500 || /syntax error|SQL syntax|unrecognized token/i.test(body.error?.message ?? ''))
      throw new Error(`${description} → ${text.slice(0, 500)}`);
    return status;
  };
  const expectUnmarked = (texts: string[]) =>
    expect(texts.filter((input) => input.toLowerCase().includes(mark))).toEqual([]);

  it('would see what became part of a statement', async () => {
    const texts = await statementsOf(engine, () => db.sql(`SELECT '${mark}'`));
    expect(texts).toContainEqual(expect.stringContaining(mark));
  });

  it.each(Object.entries(asValue))('binds %s', async (_, call) => {
    // A new service: it has sent nothing yet, and a prepared statement is sent once.
    service = await db.open({});
    await db.sql(`UPDATE contact SET note = '${mark}met' WHERE id = 3`);
    const usual = await statementsOf(engine, async () => {
      // Texts that meet a row, and that meet none; some things are asked from the second time on.
      for (const input of ['met', 'other', 'other']) expect([200, 400]).toContain(await send(call(`${mark}${input}`)));
    });
    expect(usual.length).toBeGreaterThan(0);
    const before = await everything();
    const texts = await statementsOf(engine, async () => {
      for (const input of hostile) await send(call(`${mark}${input}`));
    });
    expectUnmarked([...usual, ...texts]);
    const unusual = [...new Set(texts)].filter((input) => !usual.includes(input) && !isUpkeep(input));
    expect(unusual).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it.each(Object.entries(asName))('takes no SQL for %s', async (_, call) => {
    const before = await everything();
    const texts = await statementsOf(engine, async () => {
      for (const input of hostile) await send(call(`${mark}${input}`));
    });
    expectUnmarked(texts);
    // Without the mark, too: what begins with it is no number, and no name that exists.
    for (const input of hostile) await send(call(input));
    expect(await everything()).toEqual(before);
  });

  it('keeps texts as they were sent', async () => {
    for (const [index, text] of hostile.entries()) {
      // A lookup, which a record may hold (contract/database-tables.md §9).
      const input = text.replace('{user.id}', '{no.lookup}');
      const { status } = await ask(service, 'PATCH _table/contact/2', { body: { note: `${input}${index}` } });
      // PostgreSQL has no text with a NUL in it.
      if (status === 400) expect(input).toContain('\u0000');
      else expect((await ask(service, 'GET _table/contact/2')).body.note).toBe(`${input}${index}`);
    }
  });

  it('binds what is made by chance', { timeout: soakRounds(60_000, 3_600_000) }, async () => {
    const calls = fc.constantFrom(...Object.values(asValue), ...Object.values(asName));
    const before = await everything();
    await fc.assert(
      fc.asyncProperty(calls, text, async (call, input) => {
        expectUnmarked(await statementsOf(engine, () => send(call(`${mark}${input}`))));
        await send(call(input));
      }),
      { numRuns: engine === 'sqlite' ? soakRounds(300, 20_000) : soakRounds(120, 8_000) },
    );
    expect((await everything()).slice(1)).toEqual(before.slice(1));
  });

  it('binds what is in bodies made by chance', { timeout: soakRounds(60_000, 3_600_000) }, async () => {
    const paths = ['team', 'team/1', 'contact', 'contact/2', 'member', 'member/1', 'word', 'Order Line'];
    const line = fc.tuple(fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'GET'), fc.constantFrom(...paths));
    const query = fc.constantFrom<Record<string, string>>({}, { rollback: 'true', fields: '*' }, { continue: 'true' });
    await fc.assert(
      fc.asyncProperty(line, anyBody, query, async ([verb, path], body, options) => {
        const call: [string, TestRequest] = [`${verb} _table/${path}`, { body, query: { ...options } }];
        expectUnmarked(await statementsOf(engine, () => send(call)));
      }),
      { numRuns: engine === 'sqlite' ? soakRounds(300, 20_000) : soakRounds(120, 8_000) },
    );
    // No table went: what there was is put back.
    await db.reset();
    expect(await db.sql('SELECT name FROM team ORDER BY id')).toEqual(['red', 'blue']);
  });
});

/** Statements that are sent now and then, whatever the request. */
const isUpkeep = (sql: string) => /pragma schema_version|max\(rowid\)|sqlite_schema$/i.test(sql);
