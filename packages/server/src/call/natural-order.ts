/** Compares names by their signs, and numbers in them as numbers: `item9` before `item10`. */
export function naturally(a: string, b: string): number {
  const [left, right] = [a.split(/(\d+)/), b.split(/(\d+)/)];
  const at = left.findIndex((part, index) => part !== right[index]);
  if (at < 0) return left.length - right.length;
  const [one = '', other = ''] = [left[at], right[at]];
  // Every second part is a number.
  const difference = at % 2 === 1 ? Number(one) - Number(other) : 0;
  return difference || (one < other ? -1 : 1);
}
