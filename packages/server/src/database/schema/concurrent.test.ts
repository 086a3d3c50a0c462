// Twenty callers read and write a table while it is altered again and again: each answer is whole, of one description.
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, startPlatform, type TestPlatform } from '@sluice/testkit';
import { soakRounds } from '@sluice/testkit/soak';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { engines, type Fixture, fixture, onEachEngine, serviceOver } from '../fixture/index.ts';

/** Each alteration twice, at the least. */
const changeCount = soakRounds(16, 400);
const rowCount = 120;

/** A description, as far as answers show it: the type of each field of the table by its name. */
type Shape = Record<string, string>;

await onEachEngine((engine) => {
  let db: Fixture;
  let platform: TestPlatform;

  beforeAll(async () => {
    db = await fixture(engine);
    const { id } = engines[engine].words;
    // What a power cut would take nobody needs: the thread that writes waits for no disk.
    const fast = engine === 'sqlite' ? { statements: ['pragma synchronous = off'] } : {};
    await db.sql(`create table depot (id integer primary key, name varchar(40));
      insert into depot values (1, 'north'), (2, 'south');
      create table parcel (id ${id}, name varchar(40) not null, weight integer, depot_id integer,
        foreign key (depot_id) references depot (id));
      insert into parcel (name, weight, depot_id) select 'p', 7, 1 from (${engines[engine].numbersSql(rowCount)}) as numbers`);
    platform = await startPlatform();
    for (const [name, more] of [
      ['yard', {}],
      ['kept', { cache_enabled: true, cache_ttl: 10 }],
    ] as const)
      await platform.create('service', serviceOver(db, name, { ...fast, ...more }));
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  it('no answer is of two descriptions, and nothing that was written is lost', { timeout: 120_000 }, async () => {
    /** What fields there may be: of a call that began before a change ended, what was before it, too. */
    const history: { shape: Shape; from: number; to: number }[] = [];
    const faults: string[] = [];
    const statuses = new Map<string, number>();
    let isOver = false;
    const now = () => performance.now();

    const readShape = async (): Promise<Shape> => {
      const { body } = await platform.ask('GET', 'yard/_schema/parcel');
      return Object.fromEntries(body.field.map((field: { name: string; type: string }) => [field.name, field.type]));
    };
    /** The descriptions that were true at some moment of a call. */
    const shapesDuring = (from: number, to: number) => history.filter((each) => each.from <= to && each.to >= from);

    const recordFits = (record: object, shape: Shape) =>
      isOneOf(Object.keys(record), Object.keys(shape)) &&
      Object.entries(record).every(
        ([name, value]) => name === 'depot_by_depot_id' || fitsType(value, shape[name] as string),
      );
    const expectFit = (what: string, records: object[], from: number, schema?: Shape) => {
      const shapes = shapesDuring(from, now()).map(({ shape }) => shape);
      const fitting = shapes.filter(
        (shape) =>
          records.every((record) => recordFits(record, shape)) &&
          (!schema || JSON.stringify(schema) === JSON.stringify(shape)),
      );
      if (fitting.length > 0) return;
      const sample = records.find((record) => !shapes.some((shape) => recordFits(record, shape))) ?? records[0];
      faults.push(
        `${what}: ${JSON.stringify(sample)} of ${JSON.stringify(schema)} fits none of ${JSON.stringify(shapes)}`,
      );
    };
    /** Notes what was answered; undefined for a 503. */
    const take = (what: string, answer: Answer, statusesMeant: number[] = [200]): Answer | undefined => {
      const key = `${what} ${answer.status}${answer.status === 503 ? ` ${codeOf(answer)}` : ''}`;
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
      if (answer.status === 503) return undefined;
      if (!statusesMeant.includes(answer.status)) faults.push(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
      if (answer.body === undefined && !what.includes('csv'))
        faults.push(`${what}: no JSON: ${answer.text.slice(0, 200)}`);
      return statusesMeant.includes(answer.status) ? answer : undefined;
    };

    const readers: Record<string, () => Promise<void>> = {
      async one() {
        const from = now();
        const answer = take('one', await platform.ask('GET', 'yard/_table/parcel/5'));
        if (answer) expectFit('one', [answer.body], from);
      },
      async list() {
        const from = now();
        const answer = take('list', await platform.ask('GET', 'yard/_table/parcel?filter=id%3C50&include_schema=true'));
        if (!answer) return;
        const { resource, meta } = answer.body;
        if (resource.length !== 49) faults.push(`list: ${resource.length} records`);
        const schema = Object.fromEntries(
          meta.schema.field.map((f: { name: string; type: string }) => [f.name, f.type]),
        );
        expectFit('list', resource, from, schema);
      },
      async related() {
        const from = now();
        const path = 'parcel?related=depot_by_depot_id&limit=20&filter=id%3C21&order=id';
        const answer = take('related', await platform.ask('GET', `yard/_table/${path}`));
        if (!answer) return;
        for (const record of answer.body.resource)
          if (record.depot_by_depot_id?.name !== 'north') faults.push(`related: ${JSON.stringify(record)}`);
        expectFit('related', answer.body.resource, from);
      },
      async cached() {
        const from = now();
        const answer = take('cached', await platform.ask('GET', 'yard/_table/parcel/6'));
        if (answer) expectFit('cached', [answer.body], from);
      },
      async stream() {
        const from = now();
        const answer = take('stream', await platform.ask('GET', 'yard/_table/parcel?file=all.json&filter=id%3C100'));
        if (!answer) return;
        if (answer.body.resource.length !== 99) faults.push(`stream: ${answer.body.resource.length} records`);
        expectFit('stream', answer.body.resource, from);
      },
      async csv() {
        const from = now();
        const answer = take('csv', await platform.ask('GET', 'yard/_table/parcel?file=all.csv&filter=id%3C100'));
        if (!answer) return;
        const [head = '', ...lines] = answer.text.trim().split(/\r?\n/);
        const names = head.split(',').map((name) => name.replaceAll('"', ''));
        if (lines.length !== 99) faults.push(`csv: ${lines.length} lines`);
        if (!shapesDuring(from, now()).some(({ shape }) => isOneOf(names, Object.keys(shape))))
          faults.push(`csv: ${head}`);
      },
      async described() {
        const from = now();
        const answer = take('described', await platform.ask('GET', 'yard/_schema/parcel'));
        if (!answer) return;
        const schema = Object.fromEntries(
          answer.body.field.map((f: { name: string; type: string }) => [f.name, f.type]),
        );
        expectFit('described', [], from, schema);
      },
    };

    const written = new Map<number, string>();
    const deleted = new Set<number>();
    const unsure = new Set<string>();
    const ids = new Set<number>();
    const write = (writer: number) => {
      let own: number[] = [];
      return async (turn: number) => {
        const name = `w${writer}-${turn}`;
        const from = now();
        const kind = own.length < 3 ? 'POST' : (['POST', 'PATCH', 'DELETE'][turn % 3] as string);
        if (kind === 'POST') {
          const body = { resource: [{ name, weight: 5, depot_id: 2 }] };
          const answer = take('POST', await platform.ask('POST', 'yard/_table/parcel?fields=*', { body }));
          if (!answer) {
            unsure.add(name);
            return;
          }
          const [record] = answer.body.resource;
          expectFit('POST', [record], from);
          if (ids.has(record.id)) faults.push(`POST: id ${record.id} twice`);
          if (record.name !== name) faults.push(`POST: ${JSON.stringify(record)}`);
          ids.add(record.id);
          own.push(record.id);
          written.set(record.id, name);
          return;
        }
        const id = own[turn % own.length] as number;
        const path = `yard/_table/parcel/${id}?fields=*`;
        const answer = take(
          kind,
          await platform.ask(kind, path, kind === 'PATCH' ? { body: { name, weight: turn } } : {}),
        );
        if (!answer) {
          // What a 503 says was not written was not.
          const { text } = await platform.ask('GET', `kept/_table/parcel/${id}?fields=name&refresh=true`);
          if (!text.includes(`"${written.get(id)}"`) && !text.includes('"error"'))
            faults.push(`${kind}: 503, and ${text} in place of ${written.get(id)}`);
          return;
        }
        expectFit(kind, [answer.body], from);
        if (kind === 'PATCH') {
          if (answer.body.name !== name) faults.push(`PATCH: ${answer.text}`);
          written.set(id, name);
        } else {
          own = own.filter((each) => each !== id);
          written.delete(id);
          deleted.add(id);
        }
      };
    };

    const repeat = async (work: (turn: number) => Promise<void>, ms = 5) => {
      for (let turn = 0; !isOver && faults.length < 10; turn += 1) {
        await work(turn);
        await wait(ms);
      }
    };
    // On SQLite each export starts a process, which takes a while from the sources.
    const exportPause = engine === 'sqlite' ? 1000 : 5;

    history.push({ shape: await readShape(), from: 0, to: Number.POSITIVE_INFINITY });
    const callers = [
      ...[...Object.keys(readers), 'one', 'list', 'related', 'list', 'described'].map((name) =>
        repeat(readers[name] as () => Promise<void>, name === 'stream' || name === 'csv' ? exportPause : 5),
      ),
      ...Array.from({ length: 8 }, (_, writer) => repeat(write(writer))),
    ];

    const alterations: [verb: string, path: string, body: unknown, change: (shape: Shape) => Shape][] = [
      [
        'POST',
        '_field',
        { resource: [{ name: 'note', type: 'string', allow_null: true, default: 'n' }] },
        (s) => ({ ...s, note: 'string' }),
      ],
      ['PATCH', '_field/weight', { type: 'string', length: 20 }, (s) => ({ ...s, weight: 'string' })],
      ['PATCH', '_field/note', { new_name: 'remark' }, (s) => renamed(s, 'note', 'remark')],
      ['PATCH', '_field/weight', { type: 'integer' }, (s) => ({ ...s, weight: 'integer' })],
      ['PATCH', '_field/remark', { label: 'A remark', is_index: true }, (s) => s],
      ['DELETE', '_field/remark', undefined, ({ remark, ...s }) => s],
      ['PATCH', '_field/weight', { new_name: 'mass' }, (s) => renamed(s, 'weight', 'mass')],
      ['PATCH', '_field/mass', { new_name: 'weight' }, (s) => renamed(s, 'mass', 'weight')],
    ];
    /** Whether every kind of call has been answered often enough to mean something. */
    const allWereHeard = () =>
      [...Object.keys(readers), 'POST', 'PATCH', 'DELETE'].every((what) => (statuses.get(`${what} 200`) ?? 0) > 5);
    let changes = 0;
    const times: number[] = [];
    for (let turn = 0; (changes < changeCount || !allWereHeard()) && faults.length < 10; turn += 1) {
      const [verb, path, body, change] = alterations[turn % alterations.length] as (typeof alterations)[number];
      const before = history.at(-1)!;
      const startedAt = now();
      const shape = change(before.shape);
      const entry = { shape, from: now(), to: Number.POSITIVE_INFINITY };
      history.push(entry);
      for (;;) {
        const answer = take('change', await platform.ask(verb, `yard/_schema/parcel/${path}`, { body }));
        if (answer) break;
        await wait(20);
        if (faults.length >= 10) break;
      }
      before.to = now();
      changes += 1;
      times.push(Math.round(now() - startedAt));
      // The next call knows it.
      const current = await readShape();
      if (JSON.stringify(current) !== JSON.stringify(shape))
        faults.push(`after ${verb} ${path}: ${JSON.stringify(current)} in place of ${JSON.stringify(shape)}`);
      await wait(10);
    }
    isOver = true;
    await Promise.all(callers);

    const stored = await db.sql("select id, name from parcel where name <> 'p' order by id");
    const rows = new Map<number, string>();
    for (let at = 0; at < stored.length; at += 2) rows.set(Number(stored[at]), String(stored[at + 1]));
    for (const [id, name] of written) if (rows.get(id) !== name) faults.push(`lost: ${id} ${name}, is ${rows.get(id)}`);
    for (const id of deleted) if (rows.has(id)) faults.push(`deleted, but there: ${id}`);
    for (const [id, name] of rows)
      if (written.get(id) !== name)
        faults.push(`nobody was told of ${id} ${name}${unsure.has(name) ? ', which was 503' : ''}`);
    if (process.env.SLUICE_SOAK) console.log(engine, Object.fromEntries(statuses), times);
    // No answer asks for a retry: a call that meets a change of ours is repeated.
    expect([...statuses].filter(([key]) => / 503 /.test(key))).toEqual([]);
    expect(faults).toEqual([]);
  });
});

const codeOf = ({ body }: Answer): string => JSON.stringify(body?.error?.message ?? body?.error).slice(0, 160);

const isOneOf = (names: string[], fields: string[]): boolean =>
  JSON.stringify(names.filter((name) => name !== 'depot_by_depot_id')) === JSON.stringify(fields);

function renamed(shape: Shape, from: string, to: string): Shape {
  return Object.fromEntries(Object.entries(shape).map(([name, type]) => [name === from ? to : name, type]));
}

function fitsType(value: unknown, type: string): boolean {
  if (value === null) return true;
  return typeof value === (type === 'string' ? 'string' : 'number');
}
