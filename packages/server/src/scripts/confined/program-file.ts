// Where the program of an engine is: beside its source, or in a bundle.
import { fileURLToPath } from 'node:url';

/** `moduleUrl` of the file that asks; `engine`, the name of its folder; `ending`, that of `program.{ending}` in it. */
export const programFile = (moduleUrl: string, engine: string, ending: string): string =>
  fileURLToPath(new URL(moduleUrl.endsWith('.ts') ? `./program.${ending}` : `./${engine}.${ending}`, moduleUrl));
