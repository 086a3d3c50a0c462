// What a generator that is not ours makes of a document compiles, strictly, and says what is true.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startPlatform } from '@sluice/testkit';
import { build } from 'esbuild';
import openapiTS from 'openapi-typescript';
import { afterAll, expect, it } from 'vitest';
import { forms } from './valid.fixture.ts';

const run = promisify(execFile);
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
const platform = await startPlatform();
afterAll(() => platform.stop());

const use = (file: string) => `
import type { components, paths } from './${file}';
type Person = components['schemas']['person'];
const read: Person = { id: 1, name: 'Ada', mood: null };
const created: components['schemas']['person.new'] = { name: 'Ada' };
// @ts-expect-error a name is required
const nameless: components['schemas']['person.new'] = {};
// @ts-expect-error a picklist has no other values
const other: components['schemas']['person.change'] = { mood: 'fair' };
type List = paths['/_table/person']['get']['responses'][200]['content']['application/json'];
const list: List = { resource: [read] };
export { created, list, nameless, other };

type Created = paths['/_table/person']['post']['responses'][200]['content']['application/json'];
type One = paths['/_table/person/{id}']['get']['responses'][200]['content']['application/json'];
/** Calls a live server as the types say, and answers what it read. */
export async function callAll(address: string, token: string): Promise<{ names: string[]; mood: Person['mood'] }> {
  const headers = { 'X-DreamFactory-Session-Token': token, 'Content-Type': 'application/json' };
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(address + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  };
  const { resource } = await call<Created>('POST', '/_table/person', { resource: [created] });
  const id = String(resource[0]?.id);
  const change: components['schemas']['person.change'] = { mood: 'good' };
  await call('PATCH', '/_table/person/' + id, change);
  const { mood } = await call<One>('GET', '/_table/person/' + id);
  const { resource: all } = await call<List>('GET', '/_table/person');
  await call('DELETE', '/_table/person/' + id);
  return { names: all.map(({ name }) => name), mood };
}
`;

it('compiles the types of openapi-typescript, of both forms, and calls a live server by them', async () => {
  const field = [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'string', required: true, allow_null: false },
    { name: 'mood', type: 'string', picklist: ['good', 'bad'], allow_null: true },
  ];
  await platform.ask('POST', 'db/_schema', { body: { resource: [{ name: 'person', field }] } });
  const folder = await mkdtemp(join(tmpdir(), 'sluice-generated-'));
  const files: string[] = [];
  for (const form of forms)
    for (const service of ['db', 'system', 'user', 'files']) {
      const { body } = await platform.ask('GET', `api_docs/${service}?openapi=${form}`);
      const name = `${service}-${form.replace('.', '')}`;
      files.push(join(folder, `${name}.ts`));
      await writeFile(join(folder, `${name}.ts`), await openapiTS(body));
      if (service !== 'db') continue;
      files.push(join(folder, `use-${name}.ts`));
      await writeFile(join(folder, `use-${name}.ts`), use(`${name}`));
    }
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--types', '', ...files];
  const said = await run(process.execPath, [compiler, ...options], { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(said).toBe('');
  const address = platform.url;
  for (const file of files.filter((name) => name.includes('use-'))) {
    await build({ entryPoints: [file], outfile: `${file}.mjs`, format: 'esm', logLevel: 'error' });
    const { callAll } = await import(`${file}.mjs`);
    expect(await callAll(`${address}/api/v2/db`, platform.adminToken)).toEqual({ names: ['Ada'], mood: 'good' });
  }
  await rm(folder, { recursive: true, force: true });
});
