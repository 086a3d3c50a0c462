// Names of what a change makes besides tables and fields (contract/database-schema.md §4).
import { createHash } from 'node:crypto';

const prefixes = { unique: 'undx', index: 'ndx', reference: 'fk' };

/**
 * The name of an index or a foreign key: `undx_todo_name`. One that is longer than the engine allows is cut, with a digest
 * of the whole at its end.
 */
export function constraintName(
  kind: keyof typeof prefixes,
  table: string,
  columns: readonly string[],
  maxLength: number,
): string {
  const name = [prefixes[kind], table, ...columns].join('_').replaceAll('.', '_');
  if (Buffer.byteLength(name) <= maxLength) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${cutBytes(name, maxLength - digest.length - 1)}_${digest}`;
}

/** A name that is not taken, in any letter case: the name itself, else with a number behind it. */
export const freeName = (name: string, taken: Iterable<string>, maxLength: number): string =>
  new TakenNames(taken, maxLength).free(name);

/** The taken names, for callers that need thousands of free ones. No name that was taken becomes free again. */
export class TakenNames {
  private readonly names: Set<string>;
  private readonly maxLength: number;
  /** The number that was found free last, by the name it was for: of many alike each would try all before it. */
  private readonly numbers = new Map<string, number>();

  constructor(names: Iterable<string>, maxLength: number) {
    this.names = new Set(Array.from(names, (name) => name.toLowerCase()));
    this.maxLength = maxLength;
  }

  /** As `freeName`. */
  free(name: string): string {
    const inLowerCase = name.toLowerCase();
    for (let number = this.numbers.get(inLowerCase) ?? 1; ; number += 1) {
      const suffix = number === 1 ? '' : `_${number}`;
      const candidate = `${cutBytes(name, this.maxLength - suffix.length)}${suffix}`;
      if (this.names.has(candidate.toLowerCase())) continue;
      this.numbers.set(inLowerCase, number);
      return candidate;
    }
  }

  /** A free name, which is taken then. */
  claim(name: string): string {
    const free = this.free(name);
    this.names.add(free.toLowerCase());
    return free;
  }
}

/** The beginning of a text, as many whole characters as fit. */
function cutBytes(text: string, maxBytes: number): string {
  let size = 0;
  let end = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
