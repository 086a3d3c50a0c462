// What the events of a call are called (contract/event-scripts-and-script-services.md §1, §2).
import type { Verb } from '@sluice/contract';
import { componentOf } from '../access/decide.ts';
import type { Match, RoutedOperation } from '../service/operation.ts';

/** Placeholders that an event is fired with and, after that, with the value of the address. */
const realPlaceholders = ['table_name', 'procedure_name', 'function_name', 'operation'];

/**
 * The name of an operation's events as lists have it, made of its path; `system.role.{id}`, where the address is that of a role.
 * In lower case, without verb.
 */
export const listedName = (service: string, { path }: Pick<RoutedOperation<never>, 'path'>): string =>
  nameOf(service, path.replaceAll('/', '.'));

const nameOf = (service: string, event: string): string =>
  (event === '' ? service : `${service}.${event}`).toLowerCase();

/**
 * The names that a call fires each of its steps with, verb included, in order: as lists have it, as older servers fire it where
 * that differs (`system.role`), each with its placeholder and then with the real name.
 */
export function eventNames(service: string, verb: Verb, { operation, values }: Match): string[] {
  const names = new Set<string>();
  for (const base of [listedName(service, operation), nameOf(service, operation.event)]) {
    names.add(`${base}.${verb.toLowerCase()}`);
    const placeholder = realPlaceholders.find((name) => base.includes(`{${name}}`));
    const value = new Map(Object.entries<string>(values)).get(placeholder ?? '');
    if (value === undefined) continue;
    // Without the arguments of a routine.
    const real = placeholder === 'table_name' ? value : componentOf(`_proc/${value}`).slice('_proc/'.length);
    names.add(`${base.replace(`{${placeholder}}`, () => real.toLowerCase())}.${verb.toLowerCase()}`);
  }
  return [...names];
}
