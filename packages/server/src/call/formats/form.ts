import { fail } from '@sluice/contract';
import { parseQuery } from '../address.ts';

/** Fields of a form body; the first value of a repeated name counts. */
export function parseForm(text: string, mostNames = Number.POSITIVE_INFINITY): unknown {
  if (text.split('&').length > mostNames) throw fail('http.tooManyNames', { limit: mostNames });
  const form = parseQuery(text);
  return Object.fromEntries(form.names().map((name) => [name, form.get(name)]));
}
