// Names of tables and fields: what people see of them, and their order.
import pluralize from 'pluralize';

/**
 * Finds things by their names: as written, else in any case where just one is meant. Where two names differ by case alone, any
 * other spelling means neither. Of two things with one name the first counts.
 */
export function nameIndex<T>(items: Iterable<T>, nameOf: (item: T) => string): (name: string) => T | undefined {
  const exact = new Map<string, T>();
  const anyCase = new Map<string, T | undefined>();
  let longest = 0;
  for (const item of items) {
    const name = nameOf(item);
    if (exact.has(name)) continue;
    exact.set(name, item);
    const lower = name.toLowerCase();
    anyCase.set(lower, anyCase.has(lower) ? undefined : item);
    longest = Math.max(longest, name.length);
  }
  // What is sent as a name may be millions of letters long; in lower case some letters are two.
  return (name) => exact.get(name) ?? (name.length <= 2 * longest ? anyCase.get(name.toLowerCase()) : undefined);
}

/** `contact_info` → `Contact Info`. */
export const labelOf = (name: string): string =>
  name.replaceAll('_', ' ').replace(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());

/** The English plural of a label: `Todo` → `Todos`; what is plural stays. */
export const pluralOf = (label: string): string => pluralize(label);

/** Natural order without regard to case: `t2` before `T10`. */
export function naturalOrder(a: string, b: string): number {
  const leftChunks = chunks(a);
  const rightChunks = chunks(b);
  for (let i = 0; i < Math.min(leftChunks.length, rightChunks.length); i += 1) {
    const [l, r] = [leftChunks[i] as string, rightChunks[i] as string];
    const numbers = /^\d/.test(l) && /^\d/.test(r);
    const order = numbers ? compare(l.length, r.length) || compare(l, r) : compare(l, r);
    if (order !== 0) return order;
  }
  return leftChunks.length - rightChunks.length || compare(a, b);
}

/** Runs of digits without their leading zeros, and what stands between. */
const chunks = (text: string): string[] =>
  text
    .toLowerCase()
    .match(/\d+|\D+/g)
    ?.map((chunk) => chunk.replace(/^0+(?=\d)/, '')) ?? [];

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
