// A folder that is not in its list does nothing: each registry names everything beside it (docs/map.md "To add …").
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const packages = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folder, what of it must be listed, and the files that hold the list. */
const registries: [folder: string, kind: 'folders' | 'files', lists: string[]][] = [
  ['contract/src/errors', 'files', ['contract/src/errors/index.ts']],
  ['contract/src/resources', 'files', ['contract/src/resources/index.ts']],
  ['sql/src/dialects', 'folders', ['sql/src/dialects/index.ts']],
  ['server/src/resources', 'folders', ['server/src/resources/index.ts', 'server/src/resources/system.ts']],
  ['server/src/services', 'folders', ['server/src/services/index.ts']],
  ['server/src/gateway', 'files', ['server/src/gateway/index.ts']],
  ['console/src/screens', 'folders', ['console/src/screens/index.ts']],
];

/** Shared pieces that stand beside the entries of a registry. */
const notEntries = new Set(['catalogue.ts', 'network', 'engines', 'verdict.ts', 'door-call.ts']);

it.each(registries)('%s: all %s are listed', (folder, kind, lists) => {
  const said = lists.map((list) => readFileSync(join(packages, list), 'utf8')).join('\n');
  const entries = readdirSync(join(packages, folder), { withFileTypes: true }).filter(
    (entry) =>
      !notEntries.has(entry.name) &&
      (kind === 'folders' ? entry.isDirectory() : entry.isFile() && !/^index\.|\.(test|fixture)\./.test(entry.name)),
  );
  expect(entries.length).toBeGreaterThan(0);
  const unlisted = entries.filter(({ name }) => !said.includes(kind === 'folders' ? `/${name}/` : `./${name}`));
  expect(unlisted.map(({ name }) => name)).toEqual([]);
});
