// What a generator that is not ours makes of a document compiles, strictly, and says what is true.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startPlatform } from '@sluice/testkit';
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
`;

it('compiles the types of openapi-typescript, of both forms', async () => {
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
  await rm(folder, { recursive: true, force: true });
  expect(said).toBe('');
});
