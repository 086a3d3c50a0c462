// A parsed value as small pieces, and back: making all of a large value in one go would hold up every other call.
import { pause } from '@sluice/sql';

/** JSON when it is small; a long text as it is; else the parts of a list or of an object. */
export type Slices = string | { text: string } | { isList: boolean; parts: Part[] };

/** Small neighbours as the JSON of a list or an object of them, or one that is large. */
type Part = string | { name: string; value: Slices };

/** Characters of a piece, roughly. */
const sliceLength = 32 * 1024;
/** Milliseconds after which other calls come first. */
const turnTime = 5;

/** Cuts a value of texts, numbers, booleans, null, lists and objects. */
export function slice(value: unknown): Slices {
  if (typeof value === 'string' && value.length > sliceLength) return { text: value };
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const names = isList ? undefined : Object.keys(value);
  const parts: Part[] = [];
  let neighbours: string[] = [];
  let length = 0;
  const endPiece = () => {
    if (neighbours.length > 0) parts.push(isList ? `[${neighbours.join(',')}]` : `{${neighbours.join(',')}}`);
    neighbours = [];
    length = 0;
  };
  for (const [index, member] of (isList ? value : Object.values(value)).entries()) {
    const name = names?.[index] ?? '';
    const sliced = slice(member);
    if (typeof sliced === 'string') {
      const text = isList ? sliced : `${JSON.stringify(name)}:${sliced}`;
      if (length + text.length > sliceLength) endPiece();
      neighbours.push(text);
      length += text.length;
    } else {
      endPiece();
      parts.push({ name, value: sliced });
    }
  }
  endPiece();
  if (parts.length === 0) return isList ? '[]' : '{}';
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : { isList, parts };
}

/** JSON writes neither -0 nor the infinity that it reads of `1e999`. */
function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? String(value) : value > 0 ? '1e999' : '-1e999';
}

/** The value that was cut; lets other calls in between. */
export async function assemble(slices: Slices): Promise<unknown> {
  let from = performance.now();
  const read = async (json: string): Promise<unknown> => {
    if (performance.now() - from > turnTime) {
      await pause();
      from = performance.now();
    }
    return JSON.parse(json);
  };
  const build = async (part: Slices): Promise<unknown> => {
    if (typeof part === 'string') return read(part);
    if ('text' in part) return part.text;
    return part.isList ? buildList(part.parts) : buildObject(part.parts);
  };
  const buildList = async (parts: Part[]): Promise<unknown[]> => {
    const list: unknown[] = [];
    for (const part of parts) {
      if (typeof part === 'string') list.push(...((await read(part)) as unknown[]));
      else list.push(await build(part.value));
    }
    return list;
  };
  const buildObject = async (parts: Part[]): Promise<unknown> => {
    const members: [name: string, value: unknown][] = [];
    for (const part of parts) {
      if (typeof part === 'string') members.push(...Object.entries((await read(part)) as object));
      else members.push([part.name, await build(part.value)]);
    }
    return Object.fromEntries(members);
  };
  return build(slices);
}
