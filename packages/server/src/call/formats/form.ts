import { fail } from '@sluice/contract';
import { parseQuery } from '../address.ts';

/** Fields of a form body; the first value of a repeated name counts. */
export function parseForm(text: string, maxNames = Number.POSITIVE_INFINITY): unknown {
  if (text.split('&').length > maxNames) throw fail('http.tooManyNames', { limit: maxNames });
  const form = parseQuery(text);
  return Object.fromEntries(form.names().map((name) => [name, form.get(name)]));
}
