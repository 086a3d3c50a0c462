// What others see of a change: the next call of the process that made it, and calls that still hold the description from before.
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMysqlDatabase } from '../connect.ts';
import { createTable, type Editing, field, id, startEditing } from './editing.fixture.ts';

/** A type, and a value of it that would be no JSON as it stands. */
const values: [type: string, value: string][] = [
  ['int', '-7'],
  ['bigint unsigned', '18446744073709551615'],
  ['decimal(20,3)', '12.500'],
  ['float', '0.1'],
  ['double', '1e300'],
  ['bit(12)', "b'101'"],
  ['tinyint(1)', '1'],
  ['year', '2020'],
  ['date', "'2020-02-28'"],
  ['datetime(3)', "'2020-02-28 10:00:00.5'"],
  ['time', "'10:00:00'"],
  ['varchar(40)', String.raw`'a "b" \\ c\n'`],
  ['longtext', `'"'`],
  ['varbinary(9)', "x'00ff22'"],
  ['uuid', "'123e4567-e89b-12d3-a456-426655440000'"],
  ['point', 'point(1, 2)'],
];

describe.skipIf(await engineMissing('mysql'))('after a change', () => {
  let editing: Editing;
  beforeAll(async () => {
    editing = await startEditing(await freshDatabase('mysql'));
  });
  afterAll(() => editing.close());

  it('the next call sees it', async () => {
    const { database, editor } = editing;
    expect((await database.tables()).map(({ name }) => name)).toEqual([]);
    await editor.apply([createTable('seen', [id(), field('name')])]);
    expect((await database.tables()).map(({ name }) => name)).toEqual(['seen']);
    const seen = await database.table('seen');
    await editor.apply([{ kind: 'alterTable', table: seen, steps: [{ kind: 'addField', field: field('more') }] }]);
    expect((await database.table('seen')).column('more')).toBeDefined();
    await editor.apply([{ kind: 'dropTable', table: await database.table('seen') }]);
    await expect((async () => database.table('seen'))()).rejects.toMatchObject({ key: 'table.unknown' });
  });

  // With a shape among the columns the driver is used in another way.
  const cases = [true, false].flatMap((hasShape) => values.map(([type, value]) => ({ type, value, hasShape })));
  it.each(cases)('a plan from before reads JSON out of $type, shapes: $hasShape', async ({ type, value, hasShape }) => {
    const { run, server } = editing;
    const columns = values.flatMap(([oldType], index) => (hasShape || oldType !== 'point' ? [`c${index}`] : []));
    const make = (typeAt: (index: number) => string) =>
      `drop table if exists old_plan; create table old_plan (${columns.map((name, index) => `${name} ${typeAt(index)}`).join(', ')});`;
    const insert = (valueAt: (index: number) => string) =>
      `insert into old_plan values (${columns.map((_, index) => valueAt(index)).join(', ')})`;
    await run(make((index) => values[index]?.[0] ?? '') + insert((index) => values[index]?.[1] ?? ''));
    const reader = openMysqlDatabase({ ...server, schema: 'default', maxConnections: 1 });
    try {
      const table = await reader.table('old_plan');
      const read = async () => JSON.parse((await reader.select({ table, columns: table.columns })).json());
      expect(await read()).toHaveLength(1);
      await run(make(() => type) + insert(() => value));
      expect(await read()).toHaveLength(1);
      expect(await read()).toHaveLength(1);
    } finally {
      await reader.close();
    }
  });
});
