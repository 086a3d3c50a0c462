// How far the rights on some tables reach when their schema is written: to those tables, and no further.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ask, type TestRequest, user } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  afterAll(() => db?.stop());

  const call = (line: string, body?: unknown, request: TestRequest = {}) => ask(db.service, line, { body, ...request });
  const answer = async (line: string, body?: unknown, request: TestRequest = {}) => {
    const { status, body: answered } = await call(line, body, request);
    return `${status} ${answered.error?.message ?? JSON.stringify(answered)}`;
  };
  const id = { name: 'id', type: 'id' };
  /** A person with all rights on one table, and that to make tables. */
  const owner = { as: user({ _schema: 31, '_schema/mine': 31, '_schema/mine/*': 31 }) };

  beforeEach(async () => {
    for (const table of ['mine', 'other', 'people']) await call(`DELETE _schema/${table}`);
    expect(await answer('POST _schema', { resource: [{ name: 'mine', field: [id] }] }, owner)).toMatch(/^200/);
  });

  it('a table is made under the name that was decided on, however its key is written', async () => {
    const both = { name: 'mine', NAME: 'other', field: [id] };
    expect(await answer('POST _schema', { resource: [both] }, owner)).toMatch(/^403 POST access to .*_schema\/other/);
    expect(await answer('POST _schema', { resource: [{ ...both, name: 'x' }] }, owner)).toMatch(
      /^403 .*_schema\/other/,
    );
    expect((await call('GET _schema/other')).status).toBe(404);
  });

  it('a field is written under the name of its address, however that of the body is written', async () => {
    const field = { name: 'x', NAME: 'y', type: 'integer', allow_null: true };
    expect(await answer('POST _schema/mine/_field/z', field, owner)).toBe('200 []');
    const { body } = await call('GET _schema/mine');
    expect(body.field.map(({ name }: { name: string }) => name)).toEqual(['id', 'z']);
  });

  it('a table that may not be seen is not referenced, and not told from one that does not exist', async () => {
    const field = { name: 'c', type: 'reference', allow_null: true };
    const refusal = (ref_table: string, ref_field: string, request: TestRequest) =>
      answer('PATCH _schema/mine', { field: [{ ...field, ref_table, ref_field }] }, request);
    for (const [table, refField] of [
      ['contact', 'id'],
      ['contact', 'no_field'],
      ['no_table', 'id'],
    ] as const)
      expect(await refusal(table, refField, owner)).toBe(
        `400 The ref_table of 'c' names no table: '${table}' does not exist.`,
      );
    const seeing = { as: user({ '_schema/mine': 31, '_schema/contact': 1 }) };
    expect(await refusal('contact', 'id', seeing)).toMatch(/^200/);
    // What is there already may be sent back by anybody.
    const { body } = await call('GET _schema/mine');
    expect(await answer('PUT _schema/mine', body, owner)).toMatch(/^200/);
  });

  it('a table is not made under the alias of another', async () => {
    await call('PATCH _schema/team', { alias: 'people' });
    try {
      for (const name of ['people', 'People'])
        expect(await answer('POST _schema', { resource: [{ name, field: [id] }] })).toBe(
          `400 The name '${name}' is already used in the service.`,
        );
      expect((await call('GET _schema/people')).status).toBe(404);
    } finally {
      await call('PATCH _schema/team', { alias: null });
    }
  });

  it('more parts than a table may have are refused before they are compared', async () => {
    const field = Array.from({ length: 100_000 }, (_, index) => ({ name: `f${index}`, type: 'integer' }));
    for (const parts of [{ field }, { field: [id], related: field }, { field: [id], constraints: { ...field } }])
      expect(await answer('POST _schema', { resource: [{ name: 'other', ...parts }] })).toMatch(
        /^400 .* at most 1000 fields/,
      );
    expect(await answer('POST _schema/mine/_field', { resource: field.slice(0, 9000) })).toMatch(
      /^400 .* at most 1000 fields/,
    );
  });

  it('so many tables are not planned, or changed as one', async () => {
    const resource = Array.from({ length: 1001 }, (_, index) => ({ name: `t${index}`, field: [id] }));
    const refusal = '400 A batch may hold 1000 records at most.';
    for (const [verb, body] of [
      ['POST', { resource }],
      ['DELETE', { ids: resource.map(({ name }) => name) }],
    ] as const) {
      expect(await answer('POST _plan', { verb, path: '_schema', body })).toBe(refusal);
      expect(await answer(`${verb} _schema`, body, { query: { rollback: 'true' } })).toBe(refusal);
    }
  });

  it('a type that is not known is for administrators: a table is one, too', async () => {
    for (const type of ['contact', 'no_such'])
      expect(await answer('PATCH _schema/mine', { field: [{ name: 'c', type, allow_null: true }] }, owner)).toBe(
        '403 Only administrators may change the definition of a field by SQL.',
      );
    const field = { name: 'c', type: 'smallint', allow_null: true };
    expect(await answer('PATCH _schema/mine', { field: [field] }, owner)).toMatch(/^200/);
  });
});
