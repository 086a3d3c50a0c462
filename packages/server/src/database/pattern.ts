// Patterns of configurations, put to texts of callers: safe even where a pattern may take for ever.
import vm from 'node:vm';

/** `/…/flags` between any of the usual delimiters, as the stored patterns have it. */
const delimited = /^([/#~@!%|])(.*)\1([a-zA-Z]*)$/s;

/** Flags that mean the same in both languages; `u` is always on, `D` is how `$` is here. */
const sameFlags = new Set(['i', 'm', 's']);
const emptyFlags = new Set(['u', 'D']);

/**
 * The pattern of a rule `match`: base64 of a text such as `/^a+$/i` (contract/database-tables.md §10), or that text
 * itself. Undefined for what is none, or says what only another engine of patterns knows.
 */
export function readPattern(stored: unknown): RegExp | undefined {
  if (typeof stored !== 'string') return undefined;
  const parts = delimited.exec(Buffer.from(stored, 'base64').toString('utf8')) ?? delimited.exec(stored);
  if (!parts) return undefined;
  const [, , body = '', flags = ''] = parts;
  const kept = [...flags].filter((it) => sameFlags.has(it));
  if ([...flags].some((it) => !sameFlags.has(it) && !emptyFlags.has(it))) return undefined;
  try {
    // With `u` what is not known is an error, and not the letter itself.
    return new RegExp(translated(body, kept.includes('m')), `u${[...new Set(kept)].join('')}`);
  } catch {
    return undefined;
  }
}

/** Beginning and end of the whole text, and signs with a backslash they do not need. */
const translated = (body: string, isMultiline: boolean): string =>
  body.replace(/\\(.)/gsu, (written, letter: string) => {
    if (letter === 'A' && !isMultiline) return '^';
    if ((letter === 'z' || letter === 'Z') && !isMultiline) return '$';
    if (/[\p{L}\p{N}^$\\.*+?()[\]{}|/-]/u.test(letter)) return letter === '-' ? '\\x2d' : written;
    return `\\u{${letter.codePointAt(0)!.toString(16)}}`;
  });

/** A text this short takes no simple pattern long. */
const short = 20;

/** Nothing is tried in two ways, and hardly anything repeated: a match of a short text takes some thousand steps. */
const isSimple = ({ source }: RegExp): boolean =>
  !/[|]|\)[*+?{]/.test(source) && (source.match(/[*+?{]/g)?.length ?? 0) <= 4;
/** Milliseconds a pattern may take for one text. */
const patience = 50;
/** Milliseconds for which a pattern that took too long is not put to texts of that kind again. */
const penalty = 60_000;

const slow = new WeakMap<RegExp, { from: number; until: number }>();
let place: { sandbox: { pattern: RegExp; text: string }; run(): unknown } | undefined;

/** Whether a text matches; one that can not be decided in time does not. */
export function matches(pattern: RegExp, text: string): boolean {
  if (text.length <= short && isSimple(pattern)) return pattern.test(text);
  const known = slow.get(pattern);
  // Half of a text that took too long may do so as well: otherwise each letter less could be tried in its turn.
  if (known && text.length >= known.from && performance.now() < known.until) return false;
  place ??= makePlace();
  Object.assign(place.sandbox, { pattern, text });
  try {
    return place.run() === true;
  } catch {
    slow.set(pattern, { from: Math.ceil(text.length / 2), until: performance.now() + penalty });
    return false;
  }
}

/** Only what runs there can be stopped. */
function makePlace(): NonNullable<typeof place> {
  const sandbox = { pattern: /^/u, text: '' };
  const context = vm.createContext(sandbox);
  const script = new vm.Script('pattern.test(text)');
  return { sandbox, run: () => script.runInContext(context, { timeout: patience }) };
}
