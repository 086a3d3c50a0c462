// How engines say that a script was ended, or ended itself.
import { fail } from '@sluice/contract';
import type { ScriptRun } from './engine.ts';

export const runFailures = ({ identifier: name, bounds }: Pick<ScriptRun, 'identifier' | 'bounds'>) => ({
  memory: () => fail('script.memory', { name, limit: bounds.memory }),
  tooMuchResult: () => fail('script.tooMuchResult', { name, limit: bounds.result }),
  /** Its process is gone, with the code or, negative, the signal that it ended by. */
  exit: (code: number) => fail('script.exit', { code }, { context: { script: name } }),
  /** What came back is no JSON object. */
  noEvent: () => fail('script.noEvent', { name }),
});
