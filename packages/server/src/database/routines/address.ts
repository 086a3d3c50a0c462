// Which routine an address names. The values in parentheses are no part of the component that roles decide about
// (access/decide.ts): no text may name one routine there and another one here.
import { fail } from '@sluice/contract';

/** `add(1,2)` → its name, and the values in the parentheses; undefined without any. Nothing may follow those. */
export function parseAddress(text: string): { name: string; inline: string | undefined } {
  const parts = /^([^(]*)(?:\(([^)]*)\))?$/s.exec(text);
  if (!parts) throw fail('routine.address');
  return { name: parts[1] ?? '', inline: parts[2] };
}

/** Whether an address can name a routine: roles ignore slashes at both ends of a name. */
export const isAddressable = (name: string): boolean => name !== '' && !/[()]|^\/|\/$/.test(name);
