// JSON as text: formatted for reading without changing a value. Pure.

/** Longer texts are shown as they are. */
const maxFormattedLength = 1_000_000;

/** What is wrong with a text that should be JSON, in the engine's words; null when it is JSON. */
export function jsonProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Breaks and indents JSON. It works on the text, not on its values: a number keeps every digit, and a name that is there twice stays
 * there twice. A text that is not JSON stays as it is.
 */
export function formatJson(text: string): string {
  if (text.length > maxFormattedLength || jsonProblem(text) !== null) return text;
  // Whole strings, punctuation one by one, and whatever stands between.
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  let depth = 0;
  let formatted = '';
  for (const [index, token] of tokens.entries()) {
    const isEmpty = /[[{]/.test(token) && /[\]}]/.test(tokens[index + 1] ?? '');
    if (token === '}' || token === ']') {
      depth -= 1;
      const wasEmpty = /^[[{]$/.test(tokens[index - 1] ?? '');
      formatted += wasEmpty ? token : `${newLine(depth)}${token}`;
    } else if (token === '{' || token === '[') {
      depth += 1;
      formatted += isEmpty ? token : `${token}${newLine(depth)}`;
    } else if (token === ',') formatted += `,${newLine(depth)}`;
    else formatted += token === ':' ? ': ' : token;
  }
  return formatted;
}

const newLine = (depth: number): string => `\n${'  '.repeat(depth)}`;
