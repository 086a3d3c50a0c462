// Lists from a megabyte on, whatever their limit: the same text as in short answers, and little of it in memory.
import { connect, type Socket } from 'node:net';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { printCsv } from '../call/formats/csv.ts';
import { printXml } from '../call/formats/xml.ts';
import { engines, type Fixture, fixture, onEachEngine, serviceOver } from './fixture/index.ts';

const megabyte = 1024 * 1024;
/** A list of 20 MB, read with a limit as callers set it. */
const [rows, letters] = [100, 200_000];
const path = 'wide/_table/broad?limit=1000';

await onEachEngine((engine) => {
  const { numbersSql, lettersSql } = engines[engine];
  let db: Fixture;
  let platform: TestPlatform;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    db = await fixture(engine);
    const text = engine === 'mysql' ? 'mediumtext' : 'text';
    await db.sql(`CREATE TABLE broad (id integer PRIMARY KEY, name varchar(40), t ${text});
      INSERT INTO broad SELECT n, '<"Ö"> & ,', ${lettersSql(letters)} FROM (${numbersSql(rows)}) AS numbers`);
    platform = await startPlatform({ answerMemory: 64 * megabyte });
    await platform.create('service', serviceOver(db, 'wide', { max_records: 1000 }));
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  /** The bytes of answers in memory, as the metrics have them. */
  const held = async () => {
    const page = (await platform.ask('GET', '/metrics')).text;
    return Number(/^sluice_answer_bytes (\d+)$/m.exec(page)?.[1]);
  };

  /** Asks for the list and reads nothing of it. */
  const askAndPause = () => {
    const { hostname, port } = new URL(platform.url);
    const socket = connect({ host: hostname, port: Number(port) });
    sockets.push(socket.on('error', () => {}));
    socket.pause();
    socket.write(
      `GET /api/v2/${path} HTTP/1.1\r\nHost: x\r\nX-DreamFactory-Session-Token: ${platform.adminToken}\r\n\r\n`,
    );
  };

  describe('a list of 20 MB', () => {
    it('has the text it has in short pieces, in every format, and the same head by HEAD', async () => {
      const resource: Record<string, unknown>[] = [];
      for (let offset = 0; offset < rows; offset += 4)
        resource.push(...(await platform.ask('GET', `wide/_table/broad?limit=4&offset=${offset}`)).body.resource);
      const list = { resource };
      for (const [accept, text] of [
        ['application/json', JSON.stringify(list)],
        ['text/csv', printCsv(list)],
        ['application/xml', printXml(list)],
      ] as const) {
        const answer = await platform.ask('GET', path, { headers: { accept } });
        expect([answer.status, answer.text === text]).toEqual([200, true]);
        const head = await platform.ask('HEAD', path, { headers: { accept } });
        expect([head.status, head.headers['content-type'], head.text]).toEqual([
          200,
          answer.headers['content-type'],
          '',
        ]);
      }
      const counted = await platform.ask('GET', `${path}&include_count=true`);
      expect(counted.text === JSON.stringify({ ...list, meta: { count: rows } })).toBe(true);
    });

    it('abuse: has little of it in memory while its readers do not read', async () => {
      for (let i = 0; i < 3; i++) askAndPause();
      await expect.poll(held, { timeout: 10_000 }).toBeGreaterThan(0);
      for (let i = 0; i < 5; i++) expect(await held()).toBeLessThan(8 * megabyte);
      for (const socket of sockets) socket.destroy();
      await expect.poll(held, { timeout: 10_000 }).toBe(0);
    });

    it('abuse: cannot fill the memory, however many ask for it and do not read', async () => {
      for (let i = 0; i < 40; i++) askAndPause();
      await expect.poll(held, { timeout: 15_000 }).toBeGreaterThan(0);
      let most = 0;
      for (let i = 0; i < 20; i++) {
        most = Math.max(most, await held());
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(most).toBeLessThanOrEqual(64 * megabyte);
      for (const socket of sockets) socket.destroy();
      await expect.poll(held, { timeout: 15_000 }).toBe(0);
      expect((await platform.ask('GET', 'wide/_table/broad?limit=1&fields=id')).body).toEqual({
        resource: [{ id: 1 }],
      });
    });
  });
});
