import { parseQuery } from '../address.ts';

/** Fields of a form body; the first value of a repeated name counts. */
export function parseForm(text: string): unknown {
  const form = parseQuery(text);
  return Object.fromEntries(form.names().map((name) => [name, form.get(name)]));
}
