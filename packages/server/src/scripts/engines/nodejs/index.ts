// `nodejs`: JavaScript by Node.js, in a confined process of its own for each run. Its scripts work without waiting for each other:
// a run is over when nothing is left that it waits for.
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from '../../../settings/index.ts';
import { type ConfinedEngine, openConfinedEngine, programFile } from '../../confined/index.ts';
import type { EngineType } from '../../engine.ts';

export const nodejs: EngineType = nodejsConfinedBy();

/** `confinements`: only these are tried, for tests. */
export function nodejsConfinedBy(confinements?: ConfinedEngine['confinements']): EngineType {
  return {
    name: 'nodejs',
    label: 'Node.js',
    description: 'Server-side JavaScript handler using the Node.js engine.',
    isSandboxed: false,
    plainOptions: 'headers',
    open: (context) =>
      openConfinedEngine(
        {
          type: 'nodejs',
          find: async () => program(context.settings),
          ownMemory,
          isOutOfMemory: (_code, printed) => /heap out of memory|Cannot allocate memory|ENOMEM/.test(printed),
          ...(confinements === undefined ? {} : { confinements }),
        },
        context,
      ),
  };
}

/** Bytes of Node.js itself, most of them stacks of its threads that are not used. */
const ownMemory = 192 * 1024 * 1024;

/** The Node.js that runs the server. */
function program({ scriptMemory, scriptsModules, scriptsModulesFolder }: Settings) {
  const command = realpathSync(process.execPath);
  const modules = scriptsModules.split(',').map((name) => name.trim());
  return {
    command,
    args: (file: string) => [
      `--max-old-space-size=${Math.ceil(scriptMemory / (1024 * 1024))}`,
      // Few threads, and no warnings in the log of a script.
      ...['--v8-pool-size=1', '--no-warnings'],
      ...[file, scriptsModulesFolder, ...modules],
    ],
    programFile: programFile(import.meta.url, 'nodejs', 'cjs'),
    readable: [dirname(command), ...(scriptsModulesFolder === '' ? [] : [scriptsModulesFolder])],
    env: {},
  };
}
