// Which routine an address names. What stands in parentheses are values, and no part of what roles are asked about
// (access/decide.ts): no text may be one routine there and another one here.
import { fail } from '@sluice/contract';

/** `add(1,2)` → its name, and the values in the parentheses; undefined without any. Nothing may follow those. */
export function addressed(text: string): { name: string; inline: string | undefined } {
  const parts = /^([^(]*)(?:\(([^)]*)\))?$/s.exec(text);
  if (!parts) throw fail('routine.address');
  return { name: parts[1] ?? '', inline: parts[2] };
}

/** Whether an address can say the name of a routine: roles take no notice of slashes at its ends. */
export const isSayable = (name: string): boolean => name !== '' && !/[()]|^\/|\/$/.test(name);
