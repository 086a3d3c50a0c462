// npm run client, as a process.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientMark } from '@sluice/client';
import { startPlatform } from '@sluice/testkit';
import { afterAll, expect, it } from 'vitest';

const platform = await startPlatform();
const folder = await mkdtemp(join(tmpdir(), 'sluice-client-'));
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const script = fileURLToPath(new URL('client.mjs', import.meta.url));

const run = (args: string[], env: Record<string, string | undefined>) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const options = { cwd: folder, env: { ...process.env, INIT_CWD: folder, SLUICE_KEY: undefined, ...env } };
    const child = execFile(process.execPath, [script, ...args], options, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });

async function makeKey(): Promise<string> {
  const { body } = await platform.ask('GET', 'system/service?filter=name=files');
  const access = { service_id: body.resource[0].id, component: '*', verb_mask: 1, requestor_mask: 1 };
  const record = { name: 'files', is_active: true, role_service_access_by_role_id: [access] };
  const role = await platform.create('role', record, 'role_service_access_by_role_id');
  const app = await platform.create('app', { name: 'files', is_active: true, role_id: role.id });
  return String(app.api_key);
}

it('writes what the key may see, without the key, and over its own files alone', async () => {
  const key = await makeKey();
  const first = await run([`${platform.url}/api/v2/`, '--service', 'files'], { SLUICE_KEY: key });
  expect([first.code, first.stderr]).toEqual([0, '']);
  const written = await readFile(join(folder, 'sluice.ts'), 'utf8');
  expect(written.startsWith(clientMark)).toBe(true);
  expect(written).toContain(`address = ${JSON.stringify(platform.url)}`);
  expect(written).not.toContain(key);

  await writeFile(join(folder, 'other.ts'), 'export const mine = 1;\n');
  const refused = await run([platform.url, '--out', 'other.ts'], { SLUICE_KEY: key });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no client of ours')]);
  expect(await readFile(join(folder, 'other.ts'), 'utf8')).toBe('export const mine = 1;\n');

  const [again, unknown, nothing] = await Promise.all([
    run([platform.url, '--service', 'files'], { SLUICE_KEY: key }),
    run([platform.url, '--service', 'nope'], { SLUICE_KEY: key }),
    run([platform.url], { SLUICE_KEY: '' }),
  ]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('is up to date')]);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('404 Could not find a service for nope')]);
  expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('offers this key nothing')]);
});

it.each([
  [[], 2, 'Name one address'],
  [['localhost:8080'], 2, 'begins with https://'],
  [['http://me:secret@localhost'], 2, 'without a name, a password'],
  [['http://localhost', '--nope'], 2, 'Unknown option'],
  [['http://localhost'], 2, 'Set SLUICE_KEY'],
])('refuses %j', async (args, code, words) => {
  const { stderr, ...answer } = await run(args, {});
  expect([answer.code, stderr]).toEqual([code, expect.stringContaining(words)]);
});
