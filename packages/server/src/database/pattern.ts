// Patterns of configurations, matched with texts of callers: safe even where a pattern may take for ever.
import vm from 'node:vm';

/** `/…/flags` between any of the usual delimiters, as the stored patterns have it. */
const delimitedPattern = /^([/#~@!%|])(.*)\1([a-zA-Z]*)$/s;

/** Flags that mean the same in both languages; `u` is always on, `D` is how `$` is here. */
const sameFlags = new Set(['i', 'm', 's']);
const emptyFlags = new Set(['u', 'D']);

/**
 * The pattern of a rule `match`: base64 of a text such as `/^a+$/i` (contract/database-tables.md §10), or that text
 * itself. Undefined for what is no pattern, or uses what only another engine of patterns knows.
 */
export function readPattern(stored: unknown): RegExp | undefined {
  if (typeof stored !== 'string') return undefined;
  const match = delimitedPattern.exec(Buffer.from(stored, 'base64').toString('utf8')) ?? delimitedPattern.exec(stored);
  if (!match) return undefined;
  const [, , body = '', flags = ''] = match;
  const usedFlags = [...flags].filter((flag) => sameFlags.has(flag));
  if ([...flags].some((flag) => !sameFlags.has(flag) && !emptyFlags.has(flag))) return undefined;
  try {
    // With `u` an unknown escape is an error, and not the letter itself.
    return new RegExp(translate(body, usedFlags.includes('m')), `u${[...new Set(usedFlags)].join('')}`);
  } catch {
    return undefined;
  }
}

/** Translates the anchors of the whole text, and escapes of characters that need none. */
const translate = (body: string, isMultiline: boolean): string =>
  body.replace(/\\(.)/gsu, (escaped, letter: string) => {
    if (letter === 'A' && !isMultiline) return '^';
    if ((letter === 'z' || letter === 'Z') && !isMultiline) return '$';
    if (/[\p{L}\p{N}^$\\.*+?()[\]{}|/-]/u.test(letter)) return letter === '-' ? '\\x2d' : escaped;
    return `\\u{${letter.codePointAt(0)!.toString(16)}}`;
  });

/** A simple pattern takes no time for a text this short. */
const maxTrustedLength = 20;

/** Nothing is tried in two ways, and hardly anything repeated: a match of a short text takes some thousand steps. */
const isSimple = ({ source }: RegExp): boolean =>
  !/[|]|\)[*+?{]/.test(source) && (source.match(/[*+?{]/g)?.length ?? 0) <= 4;
/** Milliseconds a pattern may take for one text; it is tried again once, since the process may have had to wait for others. */
const timeouts = [50, 200];
/** Milliseconds for which a pattern that took too long is not tried on texts of such length. */
const blockTime = 60_000;

const slowPatterns = new WeakMap<RegExp, { from: number; until: number }>();
let sandboxedTest: { sandbox: { pattern: RegExp; text: string }; run(timeout: number): unknown } | undefined;

/** Whether a text matches; one that cannot be decided in time does not. */
export function matchesPattern(pattern: RegExp, text: string): boolean {
  if (text.length <= maxTrustedLength && isSimple(pattern)) return pattern.test(text);
  const block = slowPatterns.get(pattern);
  // Half of a text that took too long may do so as well: otherwise texts shorter by one letter could be tried one by one.
  if (block && text.length >= block.from && performance.now() < block.until) return false;
  sandboxedTest ??= createSandboxedTest();
  Object.assign(sandboxedTest.sandbox, { pattern, text });
  for (const timeout of timeouts)
    try {
      return sandboxedTest.run(timeout) === true;
    } catch {
      // It did not end in time.
    }
  slowPatterns.set(pattern, { from: Math.ceil(text.length / 2), until: performance.now() + blockTime });
  return false;
}

/** Only a script in a context can be stopped. */
function createSandboxedTest(): NonNullable<typeof sandboxedTest> {
  const sandbox = { pattern: /^/u, text: '' };
  const context = vm.createContext(sandbox);
  const script = new vm.Script('pattern.test(text)');
  return { sandbox, run: (timeout) => script.runInContext(context, { timeout }) };
}
