// A large file, up and down: it goes through the server, never into its memory.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { soakRounds } from '@sluice/testkit/soak';
import { afterAll, expect, it } from 'vitest';
import { startProcess } from '../process.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-large-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const admin = { email: 'ada@example.com', password: 'correct horse' };
const megabytes = soakRounds(100, 2_048);
const chunk = Buffer.alloc(1024 * 1024, 'x');

it(
  `memory grows by less than 60 MB while ${megabytes} MB are uploaded and read`,
  async () => {
    const server = await startProcess({
      SLUICE_DATA: folder,
      SLUICE_ADMIN_EMAIL: admin.email,
      SLUICE_ADMIN_PASSWORD: admin.password,
    });
    const token = (await server.ask('POST', 'system/admin/session', { body: admin })).body.session_token;
    /** Sends or reads that many megabytes; answers how many bytes came. */
    const transfer = (method: 'POST' | 'GET', name: string, count: number) =>
      new Promise<number>((resolve, reject) => {
        const size = count * chunk.length;
        const headers = {
          'x-dreamfactory-session-token': token,
          ...(method === 'POST' ? { 'content-length': size } : {}),
        };
        const sent = request(`${server.url}/api/v2/files/${name}`, { method, headers });
        sent.on('error', reject).on('response', (response) => {
          let received = 0;
          response.on('data', ({ length }) => {
            received += length;
          });
          response.on('error', reject).on('end', () => resolve(received));
        });
        let left = method === 'POST' ? count : 0;
        const write = () => {
          while (left > 0) {
            left -= 1;
            if (!sent.write(chunk)) return sent.once('drain', write);
          }
          return sent.end();
        };
        write();
      });
    // What the first file needs, compiled code and buffers, is not the large one's.
    await transfer('POST', 'small', 32);
    await transfer('GET', 'small', 32);
    const before = server.memory();
    let highest = before;
    const watch = setInterval(() => {
      highest = Math.max(highest, server.memory());
    }, 20);
    await transfer('POST', 'large', megabytes);
    expect(statSync(join(folder, 'files/app/large')).size).toBe(megabytes * chunk.length);
    expect(await transfer('GET', 'large', megabytes)).toBe(megabytes * chunk.length);
    clearInterval(watch);
    console.log(`Memory grew by ${(highest - before).toFixed(0)} MB over ${megabytes} MB up and down.`);
    expect(highest - before).toBeLessThan(60);
    await server.stop();
  },
  soakRounds(60_000, 600_000),
);
