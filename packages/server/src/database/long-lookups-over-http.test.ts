// Texts with many lookups in braces, whose values are long: one call puts in so much and no more.
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixture, onEachEngine, serviceOver } from './fixture/index.ts';

await onEachEngine((engine) => {
  let db: Awaited<ReturnType<typeof fixture>>;
  let platform: TestPlatform;

  beforeAll(async () => {
    db = await fixture(engine);
    await db.sql(`CREATE TABLE parcel (id integer PRIMARY KEY, name ${engine === 'mysql' ? 'longtext' : 'text'})`);
    platform = await startPlatform({});
    await platform.create('service', serviceOver(db, 'yard'));
    await platform.create('lookup', { name: 'long', value: 'x'.repeat(1024 * 1024) });
    await platform.create('lookup', { name: 'short', value: 'ab' });
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  const message = 'What stands for names in braces may have 16777216 characters in one call; it has more.';
  const names = async () => (await platform.ask('GET', 'yard/_table/parcel?order=id')).body.resource;

  it('abuse: what the records of one call are filled with is bounded together, and with rollback none is written', async () => {
    const resource = [1, 2, 3].map((id) => ({ id, name: '{long}'.repeat(6) }));
    const { status, text } = await platform.ask('POST', 'yard/_table/parcel?rollback=true', { body: { resource } });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
    expect(await names()).toEqual([]);
  });

  it('abuse: so is what a filter is filled with', async () => {
    const filter = `name = "${'{long}'.repeat(17)}"`;
    const { status, body } = await platform.ask('GET', `yard/_table/parcel?filter=${encodeURIComponent(filter)}`);
    expect([status, body.error?.message]).toEqual([400, message]);
  });

  it('thousands of names in one text are filled in, and what is no lookup stays', async () => {
    const written = '{short}{"a":1}{none}{ short }'.repeat(1_000);
    const resource = [{ id: 7, name: written }];
    expect((await platform.ask('POST', 'yard/_table/parcel', { body: { resource } })).status).toBe(200);
    expect(await names()).toEqual([{ id: 7, name: 'ab{"a":1}{none}ab'.repeat(1_000) }]);
  });
});
