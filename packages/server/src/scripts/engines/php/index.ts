// `php`: PHP 8 on the command line, in a confined process of its own for each run. No php.ini is read: what it would switch on is
// there for pages of a site, not for scripts.
import { readdirSync } from 'node:fs';
import { type ConfinedEngine, openConfinedEngine, type Program, programFile } from '../../confined/index.ts';
import { findInterpreter } from '../../confined/interpreter.ts';
import type { EngineType } from '../../engine.ts';

export const php: EngineType = phpConfinedBy();

/** `confinements`: only these are tried, for tests. */
export function phpConfinedBy(confinements?: ConfinedEngine['confinements']): EngineType {
  return {
    name: 'php',
    label: 'PHP',
    description: 'Server-side script handler using the PHP interpreter.',
    isSandboxed: false,
    plainOptions: 'curl',
    open: (context) =>
      openConfinedEngine(
        {
          type: 'php',
          find: () => findPhp(context.settings.scriptMemory),
          ownMemory,
          isOutOfMemory: (_code, printed) =>
            /Allowed memory size|[Oo]ut of memory|Cannot allocate memory/.test(printed),
          ...(confinements === undefined ? {} : { confinements }),
        },
        context,
      ),
  };
}

/** Bytes of the interpreter itself and its extensions. */
const ownMemory = 32 * 1024 * 1024;

/** Those that compute and nothing else, each after those that it needs; loaded where they are installed. */
const extensions = [
  ...['bcmath', 'calendar', 'ctype', 'dom', 'gmp', 'iconv', 'intl', 'mbstring', 'simplexml', 'tokenizer'],
  ...['xml', 'xmlreader', 'xmlwriter'],
];

const about = `echo json_encode([
  'version' => PHP_VERSION_ID, 'kind' => PHP_SAPI, 'command' => PHP_BINARY,
  'extensions' => ini_get('extension_dir'), 'loaded' => array_map('strtolower', get_loaded_extensions()),
]);`;

interface PhpAnswer {
  version: number;
  kind: string;
  command: string;
  /** The folder of the extensions. */
  extensions: string;
  loaded: string[];
}

/** `memory`: bytes that a script may use. */
export async function findPhp(memory: number): Promise<Program | { missing: string }> {
  const found = await findInterpreter({
    names: ['php', 'php8.4', 'php8.3', 'php8.2', 'php8.1'],
    args: ['-n', '-r', about],
    read: (answer) => {
      const php = answer as PhpAnswer;
      return php.version >= 80_100 && php.kind === 'cli' ? php : undefined;
    },
  });
  if (!found) return { missing: 'PHP 8.1 or newer is not installed: apt install php-cli' };
  const installed = namesIn(found.extensions);
  const added = extensions.filter((name) => installed.includes(`${name}.so`) && !found.loaded.includes(name));
  const settings = [
    `memory_limit=${memory}`,
    // The program says what went wrong.
    ...['display_errors=0', 'log_errors=0', 'html_errors=0'],
    ...['enable_dl=0', 'ffi.enable=0', 'short_open_tag=0'],
    ...added.map((name) => `extension=${name}`),
  ];
  return {
    command: found.command,
    args: (file) => ['-n', ...settings.flatMap((setting) => ['-d', setting]), file],
    programFile: programFile(import.meta.url, 'php', 'php'),
    readable: added.length > 0 ? [found.extensions] : [],
    env: {},
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
