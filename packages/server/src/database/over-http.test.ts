// Long answers, long queries and callers that leave, over real connections.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { soakCases } from '@sluice/testkit/soak';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { printCsv } from '../call/formats/csv.ts';
import { printXml } from '../call/formats/xml.ts';
import { type EngineName, engines, type Fixture, fixture, onEachEngine, serviceOver } from './fixture/index.ts';

/** Just more than a list may have that goes out in one piece. */
const rows = 1001;

/** A change of a row of `dawdling` takes half a minute. */
const dawdle: Record<EngineName, string> = {
  sqlite: ['UPDATE', 'DELETE']
    .map(
      (change) => `CREATE TRIGGER slow_${change} BEFORE ${change} ON dawdling BEGIN
        SELECT count(*) FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT i FROM n);
      END`,
    )
    .join(';'),
  pgsql: `CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(30); RETURN NULL; END $$;
    CREATE TRIGGER slow AFTER UPDATE OR DELETE ON dawdling FOR EACH ROW EXECUTE FUNCTION dawdle()`,
  mysql: ['UPDATE', 'DELETE']
    .map((change) => `CREATE TRIGGER slow_${change} BEFORE ${change} ON dawdling FOR EACH ROW DO sleep(30)`)
    .join(';'),
};

await onEachEngine((engine) => {
  const { numbersSql: numbers, lettersSql: letters, endlessSql: endless } = engines[engine];
  let db: Fixture;
  let platform: TestPlatform;
  let impatient: TestPlatform;
  const get = async (path: string) => (await platform.ask('GET', path)).body;

  beforeAll(async () => {
    db = await fixture(engine);
    await db.sql(`CREATE TABLE many (id integer PRIMARY KEY, name varchar(40), price decimal(10,2), big bigint, is_on ${engines[engine].words.boolean} NOT NULL);
      INSERT INTO many SELECT n, concat('<"Ö"> & ,', n), n / 4.0, 9007199254740992 + n, TRUE FROM (${numbers(rows)}) AS numbers;
      UPDATE many SET name = NULL, price = NULL WHERE id = 1000;
      CREATE TABLE short (id integer PRIMARY KEY, name varchar(40));
      INSERT INTO short VALUES (1, 'a');
      CREATE VIEW endless AS ${endless};
      CREATE VIEW lengthy AS SELECT n, ${letters(1000)} AS t FROM (${numbers(200_000)}) AS numbers`);
    const make = async (
      platform: TestPlatform,
      name: string,
      max_records: number,
      query_timeout: number | null = null,
    ) => platform.create('service', serviceOver(db, name, { max_records, query_timeout }));
    await db.sql(`CREATE TABLE dawdling (id integer PRIMARY KEY, name varchar(40)); INSERT INTO dawdling VALUES (1, 'a');
      ${dawdle[engine]}`);
    platform = await startPlatform();
    await make(platform, 'usual', 1000);
    await make(platform, 'wide', rows);
    for (const name of ['usual', 'wide']) await get(`${name}/_schema?ids=endless,lengthy,many`);
    impatient = await startPlatform({ queryTimeout: 500 });
    await make(impatient, 'wide', 5000);
    await make(impatient, 'patient', 5000, 60);
    await make(platform, 'hasty', 5000, 1);
    await make(platform, 'shared', 5000, 3);
  });
  afterAll(async () => {
    await platform?.stop();
    await impatient?.stop();
    await db?.stop();
  });

  const ended = () =>
    vi.waitFor(async () => expect(await db.running()).toHaveLength(0), { timeout: 15_000, interval: 50 });

  const asAdmin = () => ({ 'x-dreamfactory-session-token': platform.adminToken });

  /** Begins a call; the answer is there as soon as its head is. */
  const begin = (path: string, headers: Record<string, string> = asAdmin()) => {
    const { hostname, port } = new URL(platform.url);
    const request = httpRequest({ hostname, port, path: `/api/v2/${path}`, headers });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject);
    });
    answer.catch(() => {});
    request.end();
    return { request, answer };
  };

  describe('a list that is streamed', () => {
    /** The same records in answers of one piece. */
    const whole = async (query = '') => {
      const first = await get(`usual/_table/many?limit=1000${query}`);
      const last = await get(`usual/_table/many?limit=1000&offset=1000${query}`);
      return { resource: [...first.resource, ...last.resource] };
    };

    it.each(['', '&fields=id,price', '&order=price%20desc,id%20desc', '&fields=big,is_on,name'])(
      'has the same text as one that is not: %s',
      async (query) => {
        const list = await whole(query);
        const path = `wide/_table/many?limit=${rows}${query}`;
        const readRecords = async (more: string, accept?: string) =>
          (await platform.ask('GET', `${path}${more}`, accept ? { headers: { accept } } : {})).text;
        expect(list.resource).toHaveLength(rows);
        expect(await readRecords('')).toBe(JSON.stringify(list));
        expect(await readRecords('&file=all.json')).toBe(JSON.stringify(list));
        expect(await readRecords('', 'text/csv')).toBe(printCsv(list));
        expect(await readRecords('&file=all.csv')).toBe(printCsv(list));
        expect(await readRecords('', 'application/xml')).toBe(printXml(list));
        expect(await readRecords('&file=all.xml')).toBe(printXml(list));
      },
    );

    it('is as long as the table in a file, and no longer than its limit', async () => {
      const list = await whole();
      const file = await platform.ask('GET', 'usual/_table/many?file=all.json');
      expect(file.text).toBe(JSON.stringify(list));
      expect(file.headers['content-disposition']).toBe('attachment; filename="all.json";');
      expect((await get(`usual/_table/many?file=all.json&limit=${rows}&offset=1`)).resource).toHaveLength(rows - 1);
      expect((await get('usual/_table/many?file=all.json&filter=id%20%3D%200')).resource).toEqual([]);
      expect((await platform.ask('GET', 'usual/_table/many?file=all.csv&filter=id%20%3D%200')).text).toBe(
        'id,name,price,big,is_on\n',
      );
    });

    it.each(['wide/_table/many', 'wide/_table/many?file=all.csv', 'wide/_table/many?file=all.xml'])(
      'answers HEAD with the head of GET, and lets go of the database: %s',
      async (path) => {
        const expected = await platform.ask('GET', path);
        // More of them than a service has connections, or children that read a file.
        for (let i = 0; i < (engine === 'sqlite' ? 6 : 12); i += 1) {
          const { status, headers, text } = await platform.ask('HEAD', path);
          expect([status, headers['content-type'], text]).toEqual([200, expected.headers['content-type'], '']);
        }
        await ended();
      },
    );

    it('fails with the reason before it begins', async () => {
      for (const query of ['fields=none', 'filter=none%20%3D%201', 'order=none', `filter=name%20like`])
        expect((await platform.ask('GET', `wide/_table/many?file=all.csv&${query}`)).status).toBe(400);
    });

    it('breaks off when the database is killed in the middle', async () => {
      const answer = await begin('wide/_table/lengthy?file=all.csv&fields=n,t').answer;
      expect(answer.statusCode).toBe(200);
      const end = new Promise<string>((resolve) => {
        answer.on('end', () => resolve('ended'));
        answer.on('error', (error) => resolve((error as { code?: string }).code ?? error.message));
      });
      const killed = await vi.waitFor(async () => {
        // Nobody reads on: the query may wait for that.
        const running = await db.running(true);
        expect(running.length).toBeGreaterThan(0);
        return running;
      }, 15_000);
      for (const kill of killed) await kill();
      answer.resume();
      expect(await end).toBe('ECONNRESET');
      expect(await get('wide/_table/short/1')).toEqual({ id: 1, name: 'a' });
    });
  });

  it('abuse: an app whose readers read nothing leaves exports to others, and gets the refusal of a used-up share', async () => {
    const service = (await get('system/service?filter=name%3Dshared')).resource[0].id;
    const row = { service_id: service, component: '_table/*', verb_mask: 1, requestor_mask: 1 };
    const role = await platform.create('role', {
      name: 'exports',
      is_active: true,
      role_service_access_by_role_id: [row],
    });
    const app = await platform.create('app', { name: 'exports', is_active: true, role_id: role.id });
    const path = 'shared/_table/lengthy?file=all.csv';
    const key = { 'x-dreamfactory-api-key': String(app.api_key) };
    const calls = Array.from({ length: 12 }, () => begin(path, key));
    try {
      const answers = await Promise.all(calls.map(({ answer }) => answer));
      const refused = answers.filter(({ statusCode }) => statusCode !== 200);
      expect(answers.length).toBeGreaterThan(refused.length);
      expect(refused.length).toBeGreaterThan(0);
      for (const { statusCode, headers } of refused) expect([statusCode, headers['retry-after']]).toEqual([429, '5']);
      const [first] = refused;
      expect(JSON.parse(await text(first as IncomingMessage)).error.message).toContain(
        'Long answers that you are reading',
      );
      const other = begin(path);
      calls.push(other);
      expect((await other.answer).statusCode).toBe(200);
    } finally {
      for (const { request } of calls) request.destroy();
    }
    await ended();
  });

  describe('a caller who goes away', () => {
    it.each([
      'usual/_table/endless',
      'usual/_table/endless?count_only=true',
      'usual/_table/endless?ids=1,2&id_field=n',
      'usual/_table/endless/1?id_field=n',
      'wide/_table/endless?file=all.json',
    ])('ends the query: %s', async (path) => {
      await ended();
      const { request, answer } = begin(path);
      await vi.waitFor(async () => expect((await db.running()).length).toBeGreaterThan(0), 15_000);
      request.destroy();
      await expect(answer).rejects.toThrow();
      await ended();
      expect(await get('usual/_table/short/1')).toEqual({ id: 1, name: 'a' });
    });

    it('in the middle of a long answer ends the query', async () => {
      const { request, answer } = begin('wide/_table/lengthy?file=all.json');
      await new Promise((resolve) => answer.then((response) => response.once('data', resolve)));
      request.destroy();
      await ended();
    });
  });

  it.each([
    'wide/_table/endless',
    'wide/_table/endless?limit=1',
    'wide/_table/endless?file=all.json',
    'wide/_table/endless?count_only=true',
  ])('a query that takes too long is stopped and said so: %s', async (path) => {
    const { status, body, headers } = await impatient.ask('GET', path);
    expect([status, headers['retry-after'], body.error.message]).toEqual([
      503,
      '5',
      'The database took longer than 0.5 seconds and was stopped.',
    ]);
    await ended();
  });

  describe('the time limit of a service', () => {
    const refused = 'The database took longer than 1 second and was stopped.';
    it.each([
      // The queries of all lists have one limit: that of the instance, above, stops each kind of them.
      ...soakCases(
        ['GET hasty/_table/endless'],
        ['GET hasty/_table/endless?file=all.json', 'GET hasty/_table/endless?count_only=true'],
      ),
      'PATCH hasty/_table/dawdling?filter=id%20%3E%200',
      'DELETE hasty/_table/dawdling/1',
    ])('stops what takes longer: %s', async (line) => {
      const [verb = '', path = ''] = line.split(' ');
      const body = verb === 'PATCH' ? { resource: [{ name: 'b' }] } : undefined;
      const { status, body: answer } = await platform.ask(verb, path, { body });
      expect([status, answer.error.message]).toEqual([503, refused]);
      await ended();
      expect(await get('usual/_table/dawdling')).toEqual({ resource: [{ id: 1, name: 'a' }] });
    });

    it('is never longer than that of the instance', async () => {
      const { status, body } = await impatient.ask('GET', 'patient/_table/endless');
      expect([status, body.error.message]).toEqual([503, 'The database took longer than 0.5 seconds and was stopped.']);
      await ended();
    });
  });

  describe('at the edges of max_records and of streaming', () => {
    const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const cases: [path: string, shown: number[], meta: unknown][] = [
      ['usual/_table/many?', ids(1, 1000), { count: rows, next: 1000 }],
      ['usual/_table/many?filter=id%20%3C%201001', ids(1, 1000), undefined],
      ['usual/_table/many?limit=1000', ids(1, 1000), undefined],
      ['usual/_table/many?limit=1000&include_count=true', ids(1, 1000), { count: rows, next: 1000 }],
      ['usual/_table/many?limit=1001', ids(1, 1000), { count: rows, next: 1000 }],
      ['usual/_table/many?limit=999&include_count=true', ids(1, 999), { count: rows, next: 999 }],
      ['usual/_table/many?offset=1', ids(2, 1001), { count: rows }],
      ['usual/_table/many?offset=1000', [1001], { count: rows }],
      ['usual/_table/many?offset=1001&include_count=true', [], { count: rows }],
      ['wide/_table/many?', ids(1, 1001), undefined],
      ['wide/_table/many?limit=1001', ids(1, 1001), undefined],
      ['wide/_table/many?limit=1001&include_count=true', ids(1, 1001), { count: rows }],
      ['wide/_table/many?limit=1001&offset=1&include_count=true', ids(2, 1001), { count: rows }],
      ['wide/_table/many?include_count=true&filter=id%20%3C%201001', ids(1, 1000), { count: 1000 }],
      ['wide/_table/many?include_count=true&filter=id%20%3C%200', [], { count: 0 }],
      ['wide/_table/many?limit=1000', ids(1, 1000), undefined],
      ['wide/_table/many?limit=1002', ids(1, 1001), undefined],
      ['wide/_table/many?limit=0', ids(1, 1001), undefined],
    ];
    it.each(cases)('%s', async (path, resource, meta) => {
      const records = await get(`${path}&fields=id`);
      expect(records).toEqual({ resource: resource.map((id) => ({ id })), ...(meta ? { meta } : {}) });
      const list = await get(`${path}&as_list=true&id_field=id`);
      expect(list).toEqual({ resource: resource, ...(meta ? { meta } : {}) });
    });
  });
});
