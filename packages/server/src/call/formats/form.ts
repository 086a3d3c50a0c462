import { fail } from '@sluice/contract';
import { parseQuery } from '../address.ts';

/** Fields of a form body, at most `maxNames`; the first value of a repeated name counts. */
export function parseForm(text: string, maxNames: number): unknown {
  if (countSeparators(text) >= maxNames) throw fail('http.tooManyNames', { limit: maxNames });
  const form = parseQuery(text);
  const names = form.names().filter((name) => name !== '__proto__');
  return Object.fromEntries(names.map((name) => [name, form.get(name)]));
}

function countSeparators(text: string): number {
  let count = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count++;
  return count;
}
