// Documents as text, JSON or YAML, in pieces, as their parts are made.

/** A part of a document: an object that opens, an entry of the one that is open, or its end. */
export type Part = { open: string } | { key: string; value: unknown } | 'close';

export type TextFormat = 'json' | 'yaml';

/** Characters of a piece that is sent. */
const pieceLength = 32 * 1024;

export async function* writeParts(parts: AsyncIterable<Part>, format: TextFormat): AsyncGenerator<string> {
  const write = format === 'json' ? jsonWriter() : yamlWriter();
  let piece = format === 'json' ? '{' : '';
  for await (const part of parts) {
    piece += write(part);
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}${format === 'json' ? '}\n' : ''}`;
}

function jsonWriter(): (part: Part) => string {
  const isEmpty = [true];
  const mark = () => {
    const comma = isEmpty.at(-1) ? '' : ',';
    isEmpty[isEmpty.length - 1] = false;
    return comma;
  };
  return (part) => {
    if (part === 'close') {
      isEmpty.pop();
      return '}';
    }
    if ('open' in part) {
      const text = `${mark()}${JSON.stringify(part.open)}:{`;
      isEmpty.push(true);
      return text;
    }
    return `${mark()}${JSON.stringify(part.key)}:${JSON.stringify(part.value)}`;
  };
}

function yamlWriter(): (part: Part) => string {
  let depth = 0;
  /** The line of an object that opened, and where it is: what is in it decides how it goes on. */
  let opened = '';
  const flush = () => {
    const text = opened === '' ? '' : `${opened}\n`;
    opened = '';
    return text;
  };
  return (part) => {
    if (part === 'close') {
      depth -= 1;
      const text = opened === '' ? '' : `${opened} {}\n`;
      opened = '';
      return text;
    }
    const before = flush();
    if ('open' in part) {
      opened = `${indent(depth)}${yamlText(part.open)}:`;
      depth += 1;
      return before;
    }
    return `${before}${yamlEntry(part.key, part.value, depth)}`;
  };
}

const indent = (depth: number): string => '  '.repeat(depth);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function yamlEntry(key: string, value: unknown, depth: number): string {
  const name = `${indent(depth)}${yamlText(key)}:`;
  return isObject(value) && Object.keys(value).length > 0
    ? `${name}\n${yamlLines(value, depth + 1)}`
    : `${name} ${yamlScalar(value)}\n`;
}

function yamlLines(value: Record<string, unknown> | unknown[], depth: number): string {
  if (!Array.isArray(value))
    return Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => yamlEntry(key, member, depth))
      .join('');
  return value
    .map((item) =>
      isObject(item) && Object.keys(item).length > 0
        ? `${indent(depth)}-\n${yamlLines(item, depth + 1)}`
        : `${indent(depth)}- ${yamlScalar(item)}\n`,
    )
    .join('');
}

function yamlScalar(value: unknown): string {
  if (typeof value === 'string') return yamlText(value);
  return isObject(value) ? (Array.isArray(value) ? '[]' : '{}') : String(value ?? null);
}

/** Words that YAML takes for something else. */
const words = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);

/** Plain where it cannot be taken for anything else, in quotes as JSON has them otherwise. */
function yamlText(text: string): string {
  if (/^[A-Za-z_]([\w ./-]*\w)?$/.test(text) && !words.has(text.toLowerCase())) return text;
  const escapeOne = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escapeOne);
}
