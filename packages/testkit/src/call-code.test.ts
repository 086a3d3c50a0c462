// The code that the console shows for a call: run by bash, Node, Python and PHP against a real server, it answers what the call answers.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openSqlite } from '@sluice/sql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiCall, encodeSegment } from '../../console/src/calls/code/call.ts';
import { languages } from '../../console/src/calls/code/languages.ts';
import { startPlatform, type TestPlatform } from './platform.ts';

const run = promisify(execFile);
const programs = {
  curl: ['bash', '-c'],
  javascript: [process.execPath, '-e'],
  python: ['python3', '-c'],
  php: ['php', '-r'],
} as const;

const table = `Größe & "Maß" 'ist' 50% [a]{b}`;
const nastyTexts = [
  `it's "both" \\ and $HOME \`id\` !! \${x}`,
  'Zürich – 日本 🦊',
  '100% [a-z]{1,2} #?&=+',
  'two\nlines\tand a tab',
  '</script>\u2028',
];

const person = { name: 'Me', email: 'me@example.com', password: `x y "z" 'ü' \\ $HOME` };

let platform: TestPlatform;
let folder: string;
let apiKey: string;

beforeAll(async () => {
  platform = await startPlatform();
  // Not in the folder of the platform, whose files no service may open.
  folder = await mkdtemp(join(tmpdir(), 'sluice-call-code-'));
  const database = join(folder, 'nasty.sqlite');
  const file = openSqlite(database, { create: true });
  file.exec(`CREATE TABLE "${table.replaceAll('"', '""')}" (id INTEGER PRIMARY KEY, "Straße Nr" TEXT)`);
  file.close();
  const service = await platform.create('service', {
    name: 'nasty_db-1',
    label: 'Nasty',
    type: 'sqlite',
    is_active: true,
    config: { database },
  });
  const resource = nastyTexts.map((text) => ({ 'Straße Nr': text }));
  const address = `nasty_db-1/_table/${encodeSegment(table)}`;
  const filled = await platform.ask('POST', address, { body: { resource } });
  expect(filled.status, filled.text).toBe(200);
  await platform.create('user', person);
  const role = await platform.create('role', {
    name: 'reads',
    is_active: true,
    role_service_access_by_role_id: [
      { service_id: service.id, component: '_table/*', verb_mask: 1, requestor_mask: 1 },
    ],
  });
  const app = await platform.create('app', { name: 'caller', is_active: true, role_id: role.id });
  apiKey = String(app.api_key);
});
afterAll(async () => {
  await platform?.stop();
  await rm(folder, { recursive: true, force: true });
});

const answerOf = async (id: keyof typeof programs, code: string): Promise<unknown> => {
  const [program, flag] = programs[id];
  // curl writes its progress to the other stream.
  const { stdout } = await run(program, [flag, code.replace(/^<\?php\n/, '')], { timeout: 30_000 });
  return JSON.parse(stdout);
};

describe.each(languages)('a call in $label', ({ id, write }) => {
  const [program] = programs[id];
  const isThere = spawnSync(program, ['--version']).status === 0;

  it.runIf(isThere)('answers what the server answers, whatever names and texts hold', async () => {
    for (const text of nastyTexts) {
      const literal = `"${text.replaceAll('"', '""')}"`;
      const query: [name: string, value: string][] = [
        ['filter', `Straße Nr = ${literal}`],
        ['order', 'Straße Nr desc'],
        ['fields', 'Straße Nr,id'],
        ['limit', '5'],
      ];
      const call: ApiCall = {
        address: `${platform.url}/api/v2/nasty_db-1/_table/${encodeSegment(table)}`,
        query,
        credential: { apiKey },
      };
      const answer = (await answerOf(id, write(call))) as { resource: Record<string, unknown>[] };
      expect(answer.resource.map((row) => row['Straße Nr'])).toEqual([text]);
      const parameters = new URLSearchParams(query);
      const direct = await platform.ask('GET', `nasty_db-1/_table/${encodeSegment(table)}?${parameters}`, {
        token: null,
        key: apiKey,
      });
      expect(answer).toEqual(direct.body);
    }
  });

  it.runIf(isThere)('works without a query, and with a token in the place of the words', async () => {
    const address = `${platform.url}/api/v2`;
    expect(await answerOf(id, write({ address, credential: { apiKey } }))).toHaveProperty('services');
    const code = write({ address: `${address}/system/role`, credential: { tokenHint: 'your session token' } });
    expect(code.split('your session token')).toHaveLength(2);
    expect(await answerOf(id, code.replace('your session token', platform.adminToken))).toHaveProperty('resource');
  });

  it.runIf(isThere)('sends a body', async () => {
    const body = JSON.stringify({ email: person.email, password: person.password });
    const code = write({ address: `${platform.url}/api/v2/user/session`, credential: {}, body });
    expect(await answerOf(id, code)).toHaveProperty('session_token');
  });

  it.runIf(isThere)('sends other verbs, with a query beside the body', async () => {
    const { id: name } = await platform.create('role', { name: `named in ${id}` });
    const body = JSON.stringify({ description: `it's "new"` });
    const address = `${platform.url}/api/v2/system/role/${name}`;
    const credential = { tokenHint: platform.adminToken };
    const query = [['fields', 'description,id']] as const;
    expect(await answerOf(id, write({ address, query, credential, body, verb: 'PATCH' }))).toEqual({
      id: name,
      description: `it's "new"`,
    });
    expect(await answerOf(id, write({ address, credential, verb: 'DELETE' }))).toEqual({ id: name });
  });

  it('sends no half characters, and keeps a text in its quotes', () => {
    const code = write({ address: 'http://x/a', query: [['filter', 'a\uD83D']], credential: { apiKey: `k'"\\` } });
    expect(code).not.toMatch(/\p{Surrogate}|\\ud83d/iu);
    expect(code).toContain('\uFFFD');
  });
});
