// A database nobody here designed, through the form and over the wire.
import { nastySql, nastyTables } from '@sluice/sql/dialects/pgsql/nasty.fixture';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe.skipIf(await engineMissing('pgsql'))('a nasty database as a service', () => {
  let platform: TestPlatform;
  let place: TestDatabase;
  const at = (table: string, query = '') => `nasty/_table/${encodeURIComponent(table)}${query}`;

  beforeAll(async () => {
    place = await freshDatabase('pgsql');
    await place.run(nastySql);
    platform = await startPlatform();
    const { host, port, database, user: username, password } = place;
    const config = { host, port, database, username, password };
    await platform.create('service', { name: 'nasty', label: 'Nasty', type: 'pgsql', is_active: true, config });
  });
  afterAll(async () => {
    await platform?.stop();
    await place?.drop();
  });

  it('lists, describes and reads every table', async () => {
    const { body } = await platform.ask('GET', 'nasty/_table?as_list=true');
    expect(body.resource).toEqual(nastyTables);
    for (const name of nastyTables) {
      const schema = await platform.ask('GET', `nasty/_schema/${encodeURIComponent(name)}`);
      expect([name, schema.status, schema.body.name]).toEqual([name, 200, name]);
      const read = await platform.ask('GET', at(name, '?include_count=true'));
      expect([name, read.status, read.body.meta.count]).toEqual([name, 200, read.body.resource.length]);
      for (const field of schema.body.field) {
        const filter = encodeURIComponent(`(${field.name} is not null)`);
        const found = await platform.ask('GET', at(name, `?filter=${filter}&fields=${encodeURIComponent(field.name)}`));
        expect([name, field.name, found.status]).toEqual([name, field.name, 200]);
        // PostgreSQL takes a composite value with a null in it to be neither null nor not null.
        if (`${name}.${field.name}` === 'extreme.made') continue;
        const present = read.body.resource.filter((record: Record<string, unknown>) => record[field.name] !== null);
        expect(found.body.resource).toHaveLength(present.length);
      }
    }
  });

  it('reads and changes each record by its key', async () => {
    for (const name of nastyTables) {
      const { body: schema } = await platform.ask('GET', `nasty/_schema/${encodeURIComponent(name)}`);
      if (schema.primary_key.length === 0) continue;
      const { body: before } = await platform.ask('GET', at(name));
      const keys = before.resource.map((row: Record<string, unknown>) =>
        Object.fromEntries(schema.primary_key.map((key: string) => [key, row[key]])),
      );
      if (keys.length === 0) continue;
      const same = await platform.ask('PATCH', at(name), { body: { resource: keys } });
      expect([name, same.status, same.body]).toEqual([name, 200, { resource: keys }]);
      if (schema.primary_key.length > 1) continue;
      for (const [index, key] of keys.entries()) {
        const id = encodeURIComponent(String(Object.values(key)[0]));
        const one = await platform.ask('GET', `${at(name)}/${id}`);
        expect([name, one.body]).toEqual([name, before.resource[index]]);
      }
    }
  });

  it('writes names and values of every kind', async () => {
    const item = { 'say "hi"': '"\'; DROP TABLE tag; --', 'a.b': '5', 'per cent %': '0.10', $1: 7 };
    const created = await platform.ask('POST', at('order items', '?fields=*'), { body: { resource: [item] } });
    expect(created.body.resource).toEqual([
      {
        'Item No': 3,
        select: "it's",
        'say "hi"': '"\'; DROP TABLE tag; --',
        'semi;colon': null,
        'per cent %': 0.1,
        'a.b': 5,
        $1: 7,
      },
    ]);
    const order = { item: 3, size: 'S', sizes: '{S,L,S}' };
    const ordered = await platform.ask('POST', at('Sales Dept.Order', '?fields=item,size,sizes'), {
      body: { resource: [order] },
    });
    expect(ordered.body).toEqual({ resource: [order] });
    const extreme = {
      big: '-9223372036854775808',
      exact: '0.0000000001',
      raw: 'AP8Q',
      flag: 'yes',
      one: true,
      docb: { a: [1] },
      words: '{"x,y"}',
      mood: 'happy',
      stamp: '2018-11-20T10:00:00+02:00',
      cash: 12.5,
      price: '1.5',
    };
    const fields = Object.keys(extreme).join(',');
    const stored = await platform.ask('POST', at('extreme', `?fields=${fields}`), { body: { resource: [extreme] } });
    expect(stored.body.resource).toEqual([
      {
        ...extreme,
        exact: 1e-10,
        flag: true,
        docb: '{"a": [1]}',
        stamp: '2018-11-20 08:00:00+00',
        price: 1.5,
      },
    ]);
    const keyless = await platform.ask('POST', at('keyless'), { body: { resource: [{ n: 9 }] } });
    expect(keyless.status).toBe(200);
  });
});
