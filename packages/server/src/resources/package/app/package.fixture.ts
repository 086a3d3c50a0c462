// App packages for tests.
import type { Answer, TestPlatform } from '@sluice/testkit/platform';
import { uploadOf, zipFiles } from '../zip.fixture.ts';

/** A package of an app with files of its own; `parts` are further entries, or others in place of its own. */
export const appPackage = (parts: Record<string, unknown> = {}, description: object = {}): Promise<Buffer> =>
  zipFiles({
    'description.json': { name: 'my first-app', type: 1, path: 'index.html', ...description },
    ...parts,
  });

export const upload = (
  { ask }: Pick<TestPlatform, 'ask'>,
  bytes: Buffer,
  fields: Record<string, string> = {},
  form: Parameters<typeof uploadOf>[1] = {},
): Promise<Answer> => ask('POST', 'system/app', uploadOf(bytes, { name: 'a.dfpkg', field: 'file', fields, ...form }));

/** The status and the words of an answer. */
export const outcome = ({ status, body }: Answer): [number, string] => [status, body?.error?.message ?? ''];

/** All that an import may make: apps, services, tables of a database, and files. */
export async function inventory({ ask }: Pick<TestPlatform, 'ask'>, database = 'db') {
  const namesOf = async (path: string, field: string) =>
    ((await ask('GET', path)).body.resource as Record<string, unknown>[]).map((record) => record[field]);
  return {
    apps: await namesOf('system/app?fields=name', 'name'),
    services: await namesOf('system/service?fields=name', 'name'),
    tables: await namesOf(`${database}/_schema`, 'name'),
    files: await namesOf('files/?full_tree=true', 'path'),
  };
}

export const todoTable = {
  name: 'todo',
  field: [
    { name: 'id', type: 'id' },
    { name: 'text', type: 'string', length: 20, allow_null: true },
  ],
};
/** `schema.json` and `data.json` of one database. */
export const tablesOf = (table: unknown[], name = 'db') => ({ service: [{ name, table }] });
