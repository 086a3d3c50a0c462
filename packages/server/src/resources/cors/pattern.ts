// Patterns of paths, matched in a time that grows with the length of the path times that of the pattern, whatever both are:
// all states that a pattern can be in are followed side by side, and none is ever gone back to. `RegExp` goes back, and takes
// minutes for a few nested repetitions.

/** Characters of a path that patterns are tried on. */
export const maxPathLength = 1_024;
/** What a pattern may come to once its repetitions are written out. */
const maxStates = 300;

type State =
  | { kind: 'character'; accepts: (character: string) => boolean; next: State }
  | { kind: 'start' | 'end'; next: State }
  | { kind: 'split'; next: State[] }
  | { kind: 'match' };

/** What is parsed: makes its states in front of those that follow. */
type Part = (next: State) => State;

/** Thrown by `compilePattern`. */
export class PatternError extends Error {}

/**
 * A test for paths without their first slash. `*` stands for any characters; a pattern that begins with `^` is a regular
 * expression, tried on the path with its slash. Letter case does not matter.
 */
export function compilePattern(pattern: string): (path: string) => boolean {
  if (!pattern.startsWith('^')) {
    const start = compile(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
    return (path) => matches(start, path);
  }
  try {
    new RegExp(pattern, 'i');
  } catch (cause) {
    throw new PatternError('it is no regular expression', { cause });
  }
  const start = compile(pattern);
  return (path) => matches(start, `/${path}`);
}

function compile(source: string): State {
  let count = 0;
  let position = 0;
  const countStep = () => {
    if (++count > maxStates) throw new PatternError('it repeats too much');
  };
  const state = <S extends State>(made: S): S => {
    countStep();
    return made;
  };
  const character =
    (accepts: (character: string) => boolean): Part =>
    (next) =>
      state({ kind: 'character', accepts, next });
  /** A class of characters in the words of `RegExp`, which is asked about one character at a time. */
  const oneOf = (text: string): Part => {
    const single = new RegExp(`^(?:${text})$`, 'is');
    return character((tried) => single.test(tried));
  };

  /** Alternatives up to the end or a closing parenthesis. */
  function parseAlternatives(): Part {
    const alternatives = [parseSequence()];
    while (source[position] === '|') {
      position += 1;
      alternatives.push(parseSequence());
    }
    if (alternatives.length === 1) return alternatives[0]!;
    return (next) => state({ kind: 'split', next: alternatives.map((part) => part(next)) });
  }

  function parseSequence(): Part {
    const parts: Part[] = [];
    while (position < source.length && !/[|)]/.test(source[position]!)) parts.push(parseRepeated());
    return (next) => parts.reduceRight((rest, part) => part(rest), next);
  }

  function parseRepeated(): Part {
    const part = parseOne();
    const [text, comma, least, most] = repetition(source.slice(position));
    if (text === '') return part;
    position += text.length;
    const min = Number(least);
    return (next) => {
      let rest = next;
      if (comma && most === '') {
        const loop = state({ kind: 'split', next: [next] });
        loop.next.unshift(part(loop));
        rest = loop;
      } else {
        for (let left = Number(comma ? most : least) - min; left > 0; left--)
          rest = state({ kind: 'split', next: [part(rest), next] });
      }
      for (let left = min; left > 0; left--) {
        // Something empty makes no state, however often it is repeated.
        countStep();
        rest = part(rest);
      }
      return rest;
    };
  }

  function parseOne(): Part {
    const sign = source[position]!;
    if (sign === '(') return parseGroup();
    if (sign === '[') return parseClass();
    if (sign === '\\') return parseEscape();
    position += 1;
    if (sign === '^') return (next) => state({ kind: 'start', next });
    if (sign === '$') return (next) => state({ kind: 'end', next });
    if (sign === '.') return character(() => true);
    return literal(sign);
  }

  function parseGroup(): Part {
    position += source.startsWith('(?:', position) ? 3 : 1;
    if (source[position] === '?') throw new PatternError('it looks ahead or behind');
    const part = parseAlternatives();
    position += 1;
    return part;
  }

  function parseClass(): Part {
    const text = /^\[(?:\\.|[^\]\\])*\]/s.exec(source.slice(position))![0];
    position += text.length;
    return oneOf(text);
  }

  function parseEscape(): Part {
    const sign = source[position + 1] ?? '';
    position += 2;
    if (/[dws]/i.test(sign)) return oneOf(`\\${sign}`);
    if (/[a-z0-9]/i.test(sign)) throw new PatternError(`it uses \\${sign}`);
    return literal(sign);
  }

  function literal(sign: string): Part {
    const lowerCase = sign.toLowerCase();
    return character((tried) => tried.toLowerCase() === lowerCase);
  }

  return parseAlternatives()(state({ kind: 'match' }));
}

/** The repetition a text begins with: all of it, its comma, fewest and most. */
function repetition(text: string): [text: string, comma: string, least: string, most: string] {
  const [all, sign, least = '', comma = '', most = ''] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(text) ?? [''];
  if (sign === '*') return [all, ',', '0', ''];
  if (sign === '+') return [all, ',', '1', ''];
  if (sign === '?') return [all, ',', '0', '1'];
  return [all, comma, least, most];
}

/** Whether the states that begin at any place of a text come to a match. */
function matches(start: State, text: string): boolean {
  let current: State[] = [];
  for (let place = 0; place <= text.length; place++) {
    const next: State[] = [];
    const seen = new Set<State>();
    const pending = [...current, start];
    for (let state = pending.pop(); state; state = pending.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      if (state.kind === 'match') return true;
      if (state.kind === 'split') pending.push(...state.next);
      else if (state.kind === 'start' ? place === 0 : state.kind === 'end' && place === text.length)
        pending.push(state.next);
      else if (state.kind === 'character' && place < text.length && state.accepts(text[place]!)) next.push(state.next);
    }
    current = next;
  }
  return false;
}
