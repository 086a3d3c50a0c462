// Patterns of paths. They are matched by RE2, whose time grows with the length of the path times that of the pattern, whatever
// both are: `RegExp` takes minutes for a few nested repetitions.
import { RE2JS, RE2JSException } from 're2js';

/** Characters of a path that patterns are tried on. */
export const maxPathLength = 1_024;
/** Instructions that a pattern may come to. */
const maxProgram = 400;

/** Thrown by `compilePattern`. */
export class PatternError extends Error {}

/**
 * A test for paths without their first slash. `*` stands for any characters; a pattern that begins with `^` is a regular
 * expression, tried on the path with its slash. Letter case does not matter. Look-around and references back are a PatternError.
 */
export function compilePattern(pattern: string): (path: string) => boolean {
  if (pattern.startsWith('^')) {
    const expression = compile(pattern);
    return (path) => expression.test(`/${path}`);
  }
  const expression = compile(`^${pattern.split('*').map(RE2JS.quote).join('.*')}$`);
  return (path) => expression.test(path);
}

function compile(source: string): RE2JS {
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL);
  } catch (cause) {
    if (cause instanceof RE2JSException) throw new PatternError('it is no regular expression', { cause });
    throw cause;
  }
  if (expression.programSize() > maxProgram) throw new PatternError('it repeats too much');
  return expression;
}
