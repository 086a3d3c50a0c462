// Places in the text of JSON: of a table, and of a field of it. Pure.

export interface JsonPlace {
  /** Counts from 0. */
  offset: number;
  /** Both count from 1. */
  line: number;
  column: number;
}

export function placeOf(text: string, offset: number): JsonPlace {
  const before = text.slice(0, offset).split('\n');
  return { offset, line: before.length, column: before.at(-1)!.length + 1 };
}

/** Where a part of JSON begins, by the keys and positions that lead there; `text` is valid, and has the part. */
export function findPart(text: string, path: readonly (string | number)[]): JsonPlace {
  let offset = skipBlanks(text, 0);
  for (const step of path)
    offset = typeof step === 'number' ? findItem(text, offset, step) : findValue(text, offset, step);
  return placeOf(text, offset);
}

const skipBlanks = (text: string, from: number): number => {
  let offset = from;
  while (/[ \t\n\r]/.test(text[offset] ?? '')) offset += 1;
  return offset;
};

/** The beginning of what stands behind a value and a comma. */
const nextOf = (text: string, value: number): number => skipBlanks(text, skipBlanks(text, endOfValue(text, value)) + 1);

function findItem(text: string, list: number, position: number): number {
  let offset = skipBlanks(text, list + 1);
  for (let index = 0; index < position; index += 1) offset = nextOf(text, offset);
  return offset;
}

/** Of a key that is there twice, the last value counts. */
function findValue(text: string, object: number, wanted: string): number {
  let found = object;
  let offset = skipBlanks(text, object + 1);
  while (text[offset] === '"') {
    const end = endOfValue(text, offset);
    const value = skipBlanks(text, skipBlanks(text, end) + 1);
    if (JSON.parse(text.slice(offset, end)) === wanted) found = value;
    offset = nextOf(text, value);
  }
  return found;
}

const token = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s,:[\]{}"]+/g;

function endOfValue(text: string, from: number): number {
  let depth = 0;
  token.lastIndex = from;
  for (;;) {
    const match = token.exec(text);
    if (!match) return text.length;
    if (match[0] === '[' || match[0] === '{') depth += 1;
    else if (match[0] === ']' || match[0] === '}') depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
}
