// Whatever is sent as a value or as a name: nothing of it becomes part of a statement. A mark in every text sent is looked
// for in the SQL that leaves the process, and the SQL for one value is the SQL for any other.
import { randomBytes } from 'node:crypto';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Service } from '../../service/service.ts';
import { type Asked, ask } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';
import { statementsOf } from '../fixture/statements.ts';
import { hostile } from './hostile.fixture.ts';

const mark = `zq${randomBytes(4).toString('hex')}`;
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A call with the text in a place for a value: the statements are those for any text. */
const asValue: Record<string, (text: string) => [line: string, asked: Asked]> = {
  'a text in a filter': (it) => ['GET _table/contact', { query: { filter: `note = ${quoted(it)}` } }],
  'a text in double quotes': (it) => [
    'GET _table/contact',
    { query: { filter: `(note != "${it.replaceAll('"', '""')}") and (age > 3)` } },
  ],
  'a parameter': (it) => ['GET _table/contact', { body: { filter: 'note = :it', params: { ':it': it } } }],
  'a pattern': (it) => ['GET _table/contact', { query: { filter: `note like ${quoted(it)}` } }],
  'a part of a text': (it) => ['GET _table/contact', { query: { filter: `note contains ${quoted(it)}` } }],
  'a list': (it) => ['GET _table/contact', { query: { filter: `note in ('a', ${quoted(it)})`, order: 'id desc' } }],
  'between two': (it) => ['GET _table/contact', { query: { filter: `note between 'a' and ${quoted(it)}` } }],
  'a count': (it) => ['GET _table/contact', { query: { filter: `not (note = ${quoted(it)})`, count_only: 'true' } }],
  'an id of text': (it) => [`GET _table/word`, { body: { ids: [it] } }],
  'an id of another field': (it) => ['GET _table/contact', { body: { ids: [it] }, query: { id_field: 'note' } }],
  'a record': (it) => ['PATCH _table/contact/1', { body: { note: it } }],
  'records by filter': (it) => [
    'PATCH _table/contact',
    { body: { resource: [{ note: 'x' }] }, query: { filter: `note = ${quoted(it)}` } },
  ],
  'a record inside': (it) => [
    'PATCH _table/team/1',
    { body: { member_by_team_id: [{ id: 1, nick: it.slice(0, 15) }] } },
  ],
  'a delete': (it) => ['DELETE _table/contact', { query: { filter: `note = ${quoted(it)}` } }],
};

/** A call with the text where a name is meant, or language. */
const asName: Record<string, (text: string) => [line: string, asked: Asked]> = {
  'a filter': (it) => ['GET _table/contact', { query: { filter: it } }],
  'a field in a filter': (it) => ['GET _table/contact', { query: { filter: `(${it} = 1)` } }],
  'a bare value': (it) => ['GET _table/contact', { query: { filter: `note = ${it}` } }],
  'a function': (it) => ['GET _table/contact', { query: { filter: `note = (${it})` } }],
  'an operator': (it) => ['GET _table/contact', { query: { filter: `note ${it} 'a'` } }],
  'a name of a parameter': (it) => ['GET _table/contact', { body: { filter: `note = :${it}`, params: { [it]: it } } }],
  'an order': (it) => ['GET _table/contact', { query: { order: it } }],
  'a direction': (it) => ['GET _table/contact', { query: { order: `id ${it}` } }],
  'a group': (it) => ['GET _table/contact', { query: { group: it, count_only: 'true' } }],
  'a field': (it) => ['GET _table/contact', { query: { fields: `id,${it}` } }],
  'a relation': (it) => ['GET _table/team', { query: { related: it } }],
  'an order of a relation': (it) => [
    'GET _table/team',
    { query: { related: 'member_by_team_id', 'member_by_team_id.order': it } },
  ],
  'a field of a relation': (it) => [
    'GET _table/team',
    { query: { related: 'member_by_team_id', 'member_by_team_id.fields': it, 'member_by_team_id.limit': it } },
  ],
  'a group of a relation': (it) => [
    'GET _table/team',
    { query: { related: 'member_by_team_id', 'member_by_team_id.group': it } },
  ],
  ids: (it) => ['GET _table/contact', { query: { ids: it } }],
  'an id': (it) => [`GET _table/contact/${it}`, {}],
  'a field of ids': (it) => ['GET _table/contact', { query: { ids: '1', id_field: it } }],
  'a table': (it) => [`GET _table/${it}`, {}],
  'a description': (it) => [`GET _schema/${it}`, {}],
  'numbers of a page': (it) => ['GET _table/contact', { query: { limit: it, offset: it, include_count: it } }],
  'a key of a record': (it) => ['PATCH _table/contact/1', { body: { [it]: it, note: 'n' } }],
  'a key of a record inside': (it) => [
    'PATCH _table/team/1',
    { body: { member_by_team_id: [{ id: 1, nick: 'n', [it]: { [it]: it } }] } },
  ],
  'a number of a record': (it) => ['PATCH _table/contact/1', { body: { age: it, price: it, big: it, born: it } }],
  'an expression': (it) => ['PATCH _table/contact/1', { body: { note: { expression: it } } }],
};

/** Pieces of filters, orders and values, put together as it comes. */
const piece = fc.oneof(
  fc.constantFrom(...hostile.filter((it) => it.length < 200)),
  fc.constantFrom('id', 'note', 'age', 'name', '=', '!=', 'like', 'in', '(', ')', ',', 'and', 'or', 'not', '1', "'x'"),
  fc.constantFrom('is null', 'between', ':p', 'desc', 'asc', '*', ' ', "'", '"', '{', '}', '[', ']', ':', '\\'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((it) => it.join(' ').replace('x', mark));

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
    text.map((it) => `${mark}${it}`),
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
  const tell = async ([line, asked]: [string, Asked]) => {
    const { status, text, body } = await ask(service, line, asked);
    const said = `${line} ${JSON.stringify(asked)}`.slice(0, 500);
    if (status >= 500 || /syntax error|SQL syntax|unrecognized token/i.test(body.error?.message ?? ''))
      throw new Error(`${said} → ${text.slice(0, 500)}`);
    return status;
  };
  const expectUnmarked = (texts: string[]) => expect(texts.filter((it) => it.toLowerCase().includes(mark))).toEqual([]);

  it('would see what became part of a statement', async () => {
    const texts = await statementsOf(engine, () => db.sql(`SELECT '${mark}'`));
    expect(texts).toContainEqual(expect.stringContaining(mark));
  });

  it.each(Object.entries(asValue))('binds %s', async (_, call) => {
    // A new one: it has asked nothing yet, and what is prepared is sent once.
    service = await db.open({});
    await db.sql(`UPDATE contact SET note = '${mark}met' WHERE id = 3`);
    const usual = await statementsOf(engine, async () => {
      // Texts that meet a row, and that meet none; some things are asked from the second time on.
      for (const it of ['met', 'other', 'other']) expect([200, 400]).toContain(await tell(call(`${mark}${it}`)));
    });
    expect(usual.length).toBeGreaterThan(0);
    const before = await everything();
    const texts = await statementsOf(engine, async () => {
      for (const it of hostile) await tell(call(`${mark}${it}`));
    });
    expectUnmarked([...usual, ...texts]);
    const unusual = [...new Set(texts)].filter((it) => !usual.includes(it) && !isUpkeep(it));
    expect(unusual).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it.each(Object.entries(asName))('takes no SQL for %s', async (_, call) => {
    const before = await everything();
    const texts = await statementsOf(engine, async () => {
      for (const it of hostile) await tell(call(`${mark}${it}`));
    });
    expectUnmarked(texts);
    // Without the mark, too: what begins with it is no number, and no name that exists.
    for (const it of hostile) await tell(call(it));
    expect(await everything()).toEqual(before);
  });

  it('keeps texts as they were sent', async () => {
    for (const [index, text] of hostile.entries()) {
      // A lookup, which a record may hold (contract/database-tables.md §9).
      const it = text.replace('{user.id}', '{no.lookup}');
      const { status } = await ask(service, 'PATCH _table/contact/2', { body: { note: `${it}${index}` } });
      // PostgreSQL has no text with a NUL in it.
      if (status === 400) expect(it).toContain('\u0000');
      else expect((await ask(service, 'GET _table/contact/2')).body.note).toBe(`${it}${index}`);
    }
  });

  it('binds what is made by chance', { timeout: soakRounds(60_000, 3_600_000) }, async () => {
    const calls = fc.constantFrom(...Object.values(asValue), ...Object.values(asName));
    const before = await everything();
    await fc.assert(
      fc.asyncProperty(calls, text, async (call, it) => {
        expectUnmarked(await statementsOf(engine, () => tell(call(`${mark}${it}`))));
        await tell(call(it));
      }),
      { numRuns: engine === 'sqlite' ? soakRounds(300, 20_000) : soakRounds(120, 8_000) },
    );
    expect((await everything()).slice(1)).toEqual(before.slice(1));
  });

  it('binds what is in bodies made by chance', { timeout: soakRounds(60_000, 3_600_000) }, async () => {
    const places = ['team', 'team/1', 'contact', 'contact/2', 'member', 'member/1', 'word', 'Order Line'];
    const line = fc.tuple(fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'GET'), fc.constantFrom(...places));
    const query = fc.constantFrom<Record<string, string>>({}, { rollback: 'true', fields: '*' }, { continue: 'true' });
    await fc.assert(
      fc.asyncProperty(line, anyBody, query, async ([verb, place], body, how) => {
        const call: [string, Asked] = [`${verb} _table/${place}`, { body, query: { ...how } }];
        expectUnmarked(await statementsOf(engine, () => tell(call)));
      }),
      { numRuns: engine === 'sqlite' ? soakRounds(300, 20_000) : soakRounds(120, 8_000) },
    );
    // No table went: what there was is put back.
    await db.reset();
    expect(await db.sql('SELECT name FROM team ORDER BY id')).toEqual(['red', 'blue']);
  });
});

/** What is asked now and then, whatever is sent. */
const isUpkeep = (sql: string) => /^pragma schema_version$|max\(rowid\)|sqlite_schema$/i.test(sql);
