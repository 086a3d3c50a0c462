// What stands in quotes is nobody's to change: words of enums, names of types, texts of defaults.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../fixture/call.fixture.ts';
import { type EngineName, type Fixture, fixture, onEachEngine } from '../fixture/index.ts';

/** Types with letters in quotes, and others that differ in nothing but those. */
const quoted: Partial<Record<EngineName, [type: string, other: string, value: string][]>> = {
  mysql: [
    ["enum('New','Old','IT''s  Sold')", "enum('new','Old','IT''s  Sold')", 'Old'],
    ["SET('Red','Dark  Blue')", "SET('Red','Dark Blue')", 'Red'],
  ],
  pgsql: [['"Mood"', '"mood"', 'Old']],
};

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
    if (engine === 'pgsql')
      await db.sql(`create type "Mood" as enum ('New', 'Old'); create type mood as enum ('new', 'Old');`);
  });
  afterAll(() => db?.stop());
  const call = (line: string, body?: unknown) => ask(db.service, line, { body });
  const typeOf = async (field: string) =>
    String((await call(`GET _schema/ad/_field/${field}`)).body.db_type).replace(/^(enum|set)/i, (word) =>
      word.toLowerCase(),
    );

  it.each(quoted[engine] ?? [])('%s stays as it is sent', async (type, other, value) => {
    const expected = type.replace(/^SET/, 'set');
    const id = { name: 'id', type: 'id' };
    const fields = [id, { name: 's', type, allow_null: true }, { name: 'd', db_type: type, allow_null: true }];
    expect((await call('POST _schema', { resource: [{ name: 'ad', field: fields }] })).status).toBe(200);
    try {
      expect([await typeOf('s'), await typeOf('d')]).toEqual([expected, expected]);
      await call('POST _table/ad', { resource: [{ s: value }] });
      // The same again is no change; others are, however little they differ.
      const plan = async (sent: string) =>
        (await call('POST _plan', { verb: 'PATCH', path: '_schema/ad/_field/s', body: { type: sent } })).body
          .resource[0];
      expect((await plan(type)).statements).toEqual([]);
      expect((await plan(other)).statements).not.toEqual([]);
      // PostgreSQL makes one such type into another by nothing but SQL.
      if (engine === 'pgsql') return;
      expect((await call('PATCH _schema/ad/_field/s', { type: other })).status).toBe(200);
      expect(await typeOf('s')).toBe(other.replace(/^SET/, 'set'));
      expect((await call('PATCH _schema/ad/_field/s', { type })).status).toBe(200);
      expect(await typeOf('s')).toBe(expected);
      expect((await ask(db.service, 'GET _table/ad', { query: { fields: 's' } })).body.resource).toEqual([
        { s: value },
      ]);
    } finally {
      await call('DELETE _schema/ad');
    }
  });

  it('a default keeps its letters and blanks', async () => {
    const text = 'Open  NOW, IT\'s "Current_Timestamp"';
    const field = { name: 'd', type: 'string', length: 80, allow_null: true, default: text };
    await call('POST _schema', { resource: [{ name: 'kept', field: [{ name: 'id', type: 'id' }, field] }] });
    expect((await call('GET _schema/kept/_field/d')).body.default).toBe(text);
    // A default alone changes nothing.
    for (const [index, next] of ['new', 'NEW', ' New'].entries()) {
      expect((await call('PATCH _schema/kept/_field/d', { length: 90 + index, default: next })).status).toBe(200);
      expect((await call('GET _schema/kept/_field/d')).body.default).toBe(next);
    }
    await call('DELETE _schema/kept');
  });
});
