// Names in braces, `{name}`: where a text has them, and what they stand for put in.

/** Characters of a name in braces; what is longer stays as it was written. */
const maxName = 255;

const openingBrace = '{'.charCodeAt(0);
const closingBrace = '}'.charCodeAt(0);

/** Pieces that are joined in one go: millions that are added up one by one are all left to the garbage collector. */
const maxPieces = 250;

/**
 * Puts in what `{name}` stands for; where `lookUp` knows nothing it stays as it was written, and what was put in is not looked
 * at again. A text may hold millions of braces: it is read once, forwards.
 */
export function fillBraces(text: string, lookUp: (name: string) => string | undefined): string {
  let filled = '';
  let pieces: string[] = [];
  let done = 0;
  for (let start = text.indexOf('{'); start >= 0; ) {
    // Of many in a row the last one opens a name.
    while (text.charCodeAt(start + 1) === openingBrace) start += 1;
    const end = endOfName(text, start + 1);
    const code = text.charCodeAt(end);
    const value = code === closingBrace && end > start + 1 ? lookUp(text.slice(start + 1, end)) : undefined;
    if (value !== undefined) {
      if (start > done) pieces.push(text.slice(done, start));
      pieces.push(value);
      done = end + 1;
    }
    if (pieces.length > maxPieces) {
      filled += pieces.join('');
      pieces = [];
    }
    start = code === openingBrace ? end : text.indexOf('{', end);
  }
  return done === 0 ? text : filled + pieces.join('') + text.slice(done);
}

/** Where the name that begins at `start` is over: at the next brace of either kind, or where it is too long for one. */
function endOfName(text: string, start: number): number {
  const last = Math.min(text.length, start + maxName);
  let end = start;
  while (end < last && text.charCodeAt(end) !== openingBrace && text.charCodeAt(end) !== closingBrace) end += 1;
  return end;
}

/** The names that stand in braces in a text, without the blanks around them. */
export function namesInBraces(text: string): string[] {
  const names: string[] = [];
  fillBraces(text, (name) => {
    names.push(name.trim());
    return undefined;
  });
  return names;
}
