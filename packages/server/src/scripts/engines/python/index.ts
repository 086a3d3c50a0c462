// `python`: Python 3, in a confined process of its own for each run.
import { type ConfinedEngine, openConfinedEngine, type Program, programFile } from '../../confined/index.ts';
import { findInterpreter } from '../../confined/interpreter.ts';
import type { EngineType } from '../../engine.ts';

export const python: EngineType = pythonConfinedBy();

/** `confinements`: only these are tried, for tests. */
export function pythonConfinedBy(confinements?: ConfinedEngine['confinements']): EngineType {
  return {
    name: 'python',
    label: 'Python',
    description: 'Server-side script handler using the Python 3 interpreter.',
    isSandboxed: false,
    plainOptions: 'headers',
    open: (context) =>
      openConfinedEngine(
        {
          type: 'python',
          find: findPython,
          ownMemory,
          isOutOfMemory: (_code, printed) => /MemoryError|[Oo]ut of memory|Cannot allocate memory/.test(printed),
          ...(confinements === undefined ? {} : { confinements }),
        },
        context,
      ),
  };
}

/** Bytes of the interpreter and its modules. */
const ownMemory = 24 * 1024 * 1024;

const about = `
import json, sys
print(json.dumps({'version': sys.version_info[:2], 'command': sys.executable, 'folders': [sys.base_prefix, sys.prefix]}))
`;

interface PythonAnswer {
  version: [major: number, minor: number];
  /** The interpreter itself, where what was asked is a program that starts it. */
  command: string;
  /** Where its modules are. */
  folders: string[];
}

export async function findPython(): Promise<Program | { missing: string }> {
  const found = await findInterpreter({
    names: ['python3', 'python'],
    args: ['-I', '-c', about],
    read: (answer) => {
      const { version, command, folders } = answer as PythonAnswer;
      const [major, minor] = version;
      return major === 3 && minor >= 8 ? { command, folders } : undefined;
    },
  });
  if (!found) return { missing: 'Python 3.8 or newer is not installed: apt install python3' };
  return {
    command: found.command,
    // Nothing of the environment, no modules of a user, no files of bytecode, texts in UTF-8.
    args: (file) => ['-I', '-B', '-X', 'utf8', file],
    programFile: programFile(import.meta.url, 'python', 'py'),
    readable: [...new Set(found.folders)],
    env: {},
  };
}
