// What `{name}` in the texts of an email stands for (contract/sessions-and-accounts.md §6): values by name, and the same
// through a modifier, `{strtoupper(name)}`.
import { fail, fillBraces } from '@sluice/contract';
import type { Lookup } from '../access/lookups.ts';
import { withModifiers } from '../access/modifiers.ts';

/** Characters that placeholders may put in, in all texts of an email together. */
export const maxFilled = 4 * 1024 * 1024;

/** Values by name; undefined for a name that has none. */
export type Values = Lookup;

/** A text as HTML that shows it. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * A function that fills the texts of one email; a placeholder without a value stays as it was written. `escapes` says that
 * values are texts that go into HTML, where they must not be markup.
 */
export function createFiller(values: Values): (text: string, escapes?: boolean) => string {
  let filled = 0;
  const modified = withModifiers(values);
  return (text, isEscaped = false) =>
    fillBraces(text, (name) => {
      const value = modified(name.trim());
      if (value === undefined) return undefined;
      const shown = isEscaped ? escapeHtml(value) : value;
      filled += shown.length;
      if (filled > maxFilled) throw fail('mail.tooLong', { field: 'email', limit: maxFilled });
      return shown;
    });
}
