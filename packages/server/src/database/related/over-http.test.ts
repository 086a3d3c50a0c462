// Records with related ones in every format and every kind of list, over real connections.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { printCsv } from '../../call/formats/csv.ts';
import { printXml } from '../../call/formats/xml.ts';
import { engines, type Fixture, fixture, onEachEngine, serviceOver } from '../fixture/index.ts';
import { statementsOf } from '../fixture/statements.ts';
import { makeBranches } from './branches.fixture.ts';
import { fillFamily, makeFamily } from './family.fixture.ts';

const ownerCount = 6000;
const lettersOfName = 4000;

await onEachEngine((engine) => {
  const { numbersSql: numbers, lettersSql: letters } = engines[engine];
  let db: Fixture;
  let platform: TestPlatform;
  const get = (path: string, accept?: string) =>
    platform.ask('GET', `family/_table/${path}`, accept ? { headers: { accept } } : {});
  const send = (verb: string, path: string, type: string, body: string) =>
    platform.ask(verb, `family/_table/${path}`, { headers: { 'content-type': type }, body });

  beforeAll(async () => {
    db = await fixture(engine);
    await makeFamily(engine, db);
    await makeBranches(engine, db);
    await db.sql(`create table pair (a integer not null, b varchar(20) not null, primary key (a, b));
      create table half (id integer primary key, a integer, b varchar(20), foreign key (a, b) references pair (a, b));
      insert into pair select n, concat('p', n % 7) from (${numbers(ownerCount)}) as numbers;
      insert into half select a * 2, a, b from pair where a % 5 = 0;
      insert into half select a * 2 + 1, a, b from pair where a % 5 = 0`);
    await db.sql(`create table owner (id integer primary key, name text);
      create table thing (id integer primary key, owner_id integer, foreign key (owner_id) references owner (id));
      insert into owner select n, ${letters(lettersOfName)} from (${numbers(ownerCount)}) as numbers;
      insert into thing select n, 1 + (n - n % 2) / 2 from (${numbers(ownerCount)}) as numbers`);
    platform = await startPlatform();
    await platform.create('service', serviceOver(db, 'family'));
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });
  beforeEach(() => fillFamily(engine, db));

  describe('going out', () => {
    const path = 'person?related=task_by_person_id,office_by_office_id&fields=id,name';

    it.each([
      [path],
      [`${path}&order=name%20desc&limit=2&include_count=true`],
      ['task?related=tag_by_task_tag,person_by_person_id.office_by_office_id'],
      ['person?ids=2,1&related=task_by_person_id'],
      [
        'branch?order=country,no&fields=city&related=stay_by_country_branch_no.guest_by_country_stay_id,skill_by_branch_skill',
      ],
    ])('is the same in every format: %s', async (query) => {
      const { body } = await get(query);
      expect((await get(query, 'text/csv')).text).toBe(printCsv(body));
      expect((await get(query, 'application/xml')).text).toBe(printXml(body));
      expect((await get(`${query}&file=all.json`)).body.resource).toEqual(body.resource);
    });

    it('is JSON in the cells of CSV', async () => {
      const { text } = await get('office?related=person_by_office_id&person_by_office_id.fields=id,name', 'text/csv');
      expect(text.trim().split(/\r?\n/)).toEqual([
        'id,city,person_by_office_id',
        '1,Bern,"[{""id"":1,""name"":""Ann""},{""id"":2,""name"":""Bob""}]"',
        '2,Oslo,[]',
      ]);
    });

    it('is repeated elements in XML', async () => {
      const { text } = await get(
        'office/1?related=person_by_office_id&person_by_office_id.fields=name',
        'application/xml',
      );
      expect(text).toContain(
        '<person_by_office_id><name>Ann</name></person_by_office_id><person_by_office_id><name>Bob</name></person_by_office_id>',
      );
    });
  });

  it('counts and groups are those of the records alone', async () => {
    const related = 'related=task_by_person_id';
    expect((await get(`person?${related}&count_only=true`)).text).toBe('3');
    expect((await get(`person?${related}&include_count=true&limit=1`)).body.meta).toEqual({ count: 3, next: 1 });
    const grouped = await get(
      `task?related=person_by_person_id&group=person_id&fields=person_id&order=person_id%20desc`,
    );
    expect(grouped.body.resource.map((record: object) => Object.keys(record))).toEqual([
      ['person_id'],
      ['person_id'],
      ['person_id'],
    ]);
    const counted = await get('task?related=person_by_person_id&group=person_id&count_only=true');
    expect(counted.text).toBe('3');
  });

  describe('coming in', () => {
    it('as XML is written with the record', async () => {
      const tasks =
        '<task_by_person_id><title>x</title></task_by_person_id><task_by_person_id><title>y</title></task_by_person_id>';
      const body = `<?xml version="1.0" ?><dfapi><resource><name>Dee</name>${tasks}</resource></dfapi>`;
      const { status, body: created } = await send(
        'POST',
        'person?fields=name&related=task_by_person_id&task_by_person_id.fields=title',
        'application/xml',
        body,
      );
      expect([status, created.resource[0]]).toMatchObject([
        200,
        { name: 'Dee', task_by_person_id: [{ title: 'x' }, { title: 'y' }] },
      ]);
    });

    it('by several columns is written with the record', async () => {
      const stays = '<stay_by_country_branch_no><title>x</title></stay_by_country_branch_no>';
      const body = `<?xml version="1.0" ?><dfapi><resource><country>it</country><no>1</no>${stays}</resource></dfapi>`;
      const path =
        'branch?fields=no&related=stay_by_country_branch_no&stay_by_country_branch_no.fields=title,branch_no';
      const { status, body: created } = await send('POST', path, 'application/xml', body);
      const stay = { title: 'x', branch_no: 1 };
      expect([status, created.resource]).toEqual([200, [{ country: 'it', no: 1, stay_by_country_branch_no: [stay] }]]);
      const csv = await send(
        'POST',
        path,
        'text/csv',
        'country,no,stay_by_country_branch_no\nit,2,"[{""title"":""y""}]"\n',
      );
      expect([csv.status, csv.body.resource[0].stay_by_country_branch_no]).toEqual([
        200,
        [{ title: 'y', branch_no: 2 }],
      ]);
    });

    it('as CSV is a record in each line', async () => {
      const { status, body } = await send(
        'POST',
        'person?fields=name&related=office_by_office_id',
        'text/csv',
        'name,office_id\nDee,1\nEve,2\n',
      );
      expect([status, body.resource]).toMatchObject([
        200,
        [
          { name: 'Dee', office_by_office_id: { city: 'Bern' } },
          { name: 'Eve', office_by_office_id: { city: 'Oslo' } },
        ],
      ]);
    });
  });

  describe('a download', () => {
    const path = '/api/v2/family/_table/owner?related=thing_by_owner_id&file=all.json';

    it('has every record with all that is related to it', async () => {
      const { resource } = (await platform.ask('GET', path.slice('/api/v2/'.length))).body;
      expect(resource).toHaveLength(ownerCount);
      expect(resource[41].thing_by_owner_id).toEqual([
        { id: 82, owner_id: 42 },
        { id: 83, owner_id: 42 },
      ]);
      expect(resource[ownerCount - 1].thing_by_owner_id).toEqual([]);
      const csv = await platform.ask('GET', `${path.slice('/api/v2/'.length)}`.replace('json', 'csv'));
      expect(csv.text).toBe(printCsv({ resource }));
    });

    it('has all that is related by several columns', async () => {
      const { resource } = (await get('pair?related=half_by_a_b&file=all.json')).body;
      expect(resource).toHaveLength(ownerCount);
      const sorted = resource.toSorted((one: { a: number }, other: { a: number }) => one.a - other.a);
      const wanted = Array.from({ length: ownerCount }, (_, at) => {
        const pair = { a: at + 1, b: `p${(at + 1) % 7}` };
        const ids = pair.a % 5 === 0 ? [pair.a * 2, pair.a * 2 + 1] : [];
        return { ...pair, half_by_a_b: ids.map((id) => ({ id, ...pair })) };
      });
      expect(sorted).toEqual(wanted);
    });

    it('reads no further than its reader', async () => {
      const { hostname, port } = new URL(platform.url);
      const headers = { 'x-dreamfactory-session-token': platform.adminToken };
      let answer: IncomingMessage | undefined;
      const begun = await statementsOf(engine, async () => {
        answer = await new Promise<IncomingMessage>((resolve, reject) => {
          httpRequest({ hostname, port, path, headers }).on('response', resolve).on('error', reject).end();
        });
        answer.pause();
        // Until what lies between us is full.
        await new Promise((resolve) => setTimeout(resolve, 1500));
      });
      let length = 0;
      const rest = await statementsOf(engine, async () => {
        for await (const chunk of answer!) length += (chunk as Buffer).length;
      });
      expect(length).toBeGreaterThan(ownerCount * lettersOfName);
      expect(begun.length).toBeGreaterThan(0);
      // The system's buffers between us take megabytes, some more of them than others.
      expect(rest.length).toBeGreaterThan(begun.length / 10);
    });
  });
});
