// The text of an answer for the eye. Pure.

/** Characters that are set out at most: indenting can make much of little. */
const maxLength = 300_000;
/** Levels further down stand below each other. */
const maxIndent = 40;

/**
 * JSON with an item a line. Works on the text itself: every number keeps its digits, every object its order, and an answer that
 * was cut off is set out as far as it goes. What is no JSON stays as it is.
 */
export function prettyJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  const tokens = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs) ?? [];
  let pretty = '';
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (pretty.length > maxLength) break;
    const isEmpty = isClosing(token) && isOpening(tokens[index - 1]);
    if (isOpening(token)) depth += 1;
    if (isClosing(token)) depth -= 1;
    if (isClosing(token) && !isEmpty) pretty += newLine(depth);
    pretty += token === ':' ? ': ' : token;
    if (token === ',' || (isOpening(token) && !isClosing(tokens[index + 1]))) pretty += newLine(depth);
  }
  return pretty;
}

const isOpening = (token: string | undefined): boolean => token === '{' || token === '[';
const isClosing = (token: string | undefined): boolean => token === '}' || token === ']';
const newLine = (depth: number): string => `\n${'  '.repeat(Math.max(0, Math.min(depth, maxIndent)))}`;
