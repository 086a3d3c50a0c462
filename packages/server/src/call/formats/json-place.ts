// Finds places in a JSON text that JSON.parse does not tell: of a mistake, and the path that leads to a position. Takes no
// memory for what it reads over, and no stack: texts are as large and as deep as a body may be.

interface Frame {
  isList: boolean;
  /** Of the current item, or member. */
  index: number;
  name: string;
}

/**
 * Where the first mistake is, or `target` when there is none before it; and the path of the value that stands there, such as
 * `resource[0].id`. Mistakes inside texts and numbers are read over: `JSON.parse` tells their position itself.
 */
export function findJsonPlace(text: string, target = text.length): { position: number; path: string } {
  const frames: Frame[] = [];
  let expected: 'value' | 'name' | 'colon' | 'comma' = 'value';
  /** Right behind an opening bracket. */
  let mayClose = false;
  let at = skipSpace(text, 0);
  while (at < target) {
    const frame = frames.at(-1);
    const char = text[at] as string;
    if (frame && (mayClose || expected === 'comma') && char === (frame.isList ? ']' : '}')) {
      frames.pop();
      expected = 'comma';
      at++;
    } else if (expected === 'value' && (char === '{' || char === '[')) {
      frames.push({ isList: char === '[', index: 0, name: '' });
      expected = char === '[' ? 'value' : 'name';
      at++;
    } else if (expected === 'value') {
      const end = endOfScalar(text, at);
      if (!end.isWhole) return { position: end.at, path: pathOf(frames) };
      expected = 'comma';
      at = end.at;
    } else if (expected === 'name' && frame && char === '"') {
      const end = endOfText(text, at);
      frame.name = text.slice(at + 1, end - 1);
      expected = 'colon';
      at = end;
    } else if (expected === 'colon' && char === ':') {
      expected = 'value';
      at++;
    } else if (expected === 'comma' && char === ',' && frame) {
      frame.index++;
      expected = frame.isList ? 'value' : 'name';
      at++;
    } else return { position: at, path: pathOf(frames) };
    mayClose = char === '{' || char === '[';
    at = skipSpace(text, at);
  }
  return { position: at, path: pathOf(frames) };
}

/** Behind the quotation mark that ends the text which begins at `start`. */
export function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1;
  return Math.min(at + 1, text.length);
}

export function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at++;
  return at;
}

/** Behind a text, a number or a word; of something else, the character that does not belong there. */
function endOfScalar(text: string, start: number): { at: number; isWhole: boolean } {
  if (text[start] === '"') return { at: endOfText(text, start), isWhole: true };
  let at = start;
  if (/[-\d]/.test(text[at] as string)) {
    while (at < text.length && '+-.eE0123456789'.includes(text[at] as string)) at++;
    return { at, isWhole: true };
  }
  const word = ['true', 'false', 'null'].find(([first]) => first === text[start]) ?? '';
  while (at - start < word.length && text[at] === word[at - start]) at++;
  return { at, isWhole: word !== '' && at - start === word.length };
}

const pathOf = (frames: Frame[]): string =>
  frames
    .map(({ isList, index, name }) => (isList ? `[${index}]` : `.${name}`))
    .join('')
    .replace(/^\./, '');
