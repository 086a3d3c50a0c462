// Uploads into a server that is killed: each file is the old one or the new one, whole, and nothing incomplete is listed.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { soakRounds } from '@sluice/testkit/soak';
import { afterAll, expect, it } from 'vitest';
import { startProcess, type TestProcess } from '../process.fixture.ts';

/** Times the server is killed; each time while several files are written. */
const kills = soakRounds(4, 100);
const filesOfKill = 5;
const size = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), 'sluice-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const admin = { email: 'ada@example.com', password: 'correct horse' };
const start = () =>
  startProcess({
    SLUICE_DATA: folder,
    SLUICE_ADMIN_EMAIL: admin.email,
    SLUICE_ADMIN_PASSWORD: admin.password,
  });

/** The content of a file that is written for the nth time: all of it is one letter. */
const contentOf = (turn: number) => Buffer.alloc(size, 97 + (turn % 26));

it(
  `keeps each of ${kills * filesOfKill} files whole, whose upload is cut off by the end of the server`,
  async () => {
    let server: TestProcess = await start();
    const token = (await server.ask('POST', 'system/admin/session', { body: admin })).body.session_token;
    /** Begins an upload; `finish` sends its last bytes. */
    const upload = (name: string, content: Buffer): { sent: ClientRequest; finish(): void } => {
      const sent = request(`${server.url}/api/v2/files/${name}`, {
        method: 'POST',
        headers: { 'x-dreamfactory-session-token': token, 'content-length': content.length },
      });
      sent.on('error', () => {}).on('response', (response) => response.on('error', () => {}).resume());
      const rest = content.subarray(size - 1_000);
      sent.write(content.subarray(0, size - 1_000));
      return { sent, finish: () => sent.end(rest) };
    };
    const done = ({ sent, finish }: ReturnType<typeof upload>) =>
      new Promise<void>((resolve) => {
        sent.on('close', resolve);
        finish();
      });

    const names = Array.from({ length: filesOfKill }, (_value, index) => `file${index}`);
    await Promise.all(names.map((name) => done(upload(name, contentOf(0)))));
    const seen = { old: 0, new: 0 };
    for (let turn = 1; turn <= kills; turn++) {
      const uploads = [...names, `new${turn}`].map((name) => upload(name, contentOf(turn)));
      // Some are in the middle, some are being put in their place, at most.
      await wait(20 + turn * 7);
      for (const { finish } of uploads.slice(0, 3)) finish();
      await wait(turn % 4);
      await server.stop('SIGKILL');
      const before = names.map((name) => readFileSync(join(folder, 'files/app', name)));
      server = await start();
      for (const [index, name] of names.entries()) {
        const content = readFileSync(join(folder, 'files/app', name));
        expect(content.equals(before[index]!)).toBe(true);
        const isNew = content.equals(contentOf(turn));
        expect(isNew || content.equals(contentOf(turn - 1)), `${name} is neither the old file nor the new one`).toBe(
          true,
        );
        seen[isNew ? 'new' : 'old'] += 1;
      }
      // Each begins the next turn as the file of this one, so an old one is known for what it is.
      await Promise.all(names.map((name) => done(upload(name, contentOf(turn)))));
      const listed = (await server.ask('GET', 'files/?full_tree=true&as_list=true', { token })).body.resource;
      expect(listed.filter((path: string) => !path.startsWith('new'))).toEqual(names);
      // A new name is there whole or not at all.
      if (listed.includes(`new${turn}`))
        expect(readFileSync(join(folder, 'files/app', `new${turn}`)).equals(contentOf(turn))).toBe(true);
    }
    expect(seen.old).toBeGreaterThan(0);
    // What was left is known by its place, which no call shows.
    expect(readdirSync(join(folder, 'files/app')).filter((name) => !/^(file|new)\d+$/.test(name))).toEqual([
      '.sluice-tmp',
    ]);
    await server.stop();
  },
  soakRounds(60_000, 1_800_000),
);
