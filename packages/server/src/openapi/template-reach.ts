// How far a caller reaches a template of a service whose items, its tables say, are known.
import { pause } from '@sluice/sql';
import type { ListedOperation } from '../service/route-table.ts';
import { type Reach, reachOf, type Seeker } from './reach.ts';

/** What may stand for the placeholders of an operation. */
export interface TemplateReach {
  reach: Reach;
  /** Any item may, and what is no item. */
  isOpen: boolean;
  /** The placeholder that items stand in for, where there are any. */
  placeholder?: string;
  /** The items that may, all of them where it is open. */
  names: string[];
}

/** Undefined where the caller reaches no address of the operation. `itemNames` are the items of its resource. */
export async function templateReach(
  seeker: Seeker & { items: { names: Record<string, string[]> } },
  operation: ListedOperation,
): Promise<TemplateReach | undefined> {
  const { resource, placeholder } = operation.items ?? {};
  const items = resource === undefined ? [] : (seeker.items.names[resource] ?? []);
  const reach = reachOf(seeker, operation);
  if (placeholder === undefined || items.length === 0) return reach && { reach, isOpen: reach.isOpen, names: [] };
  if (reach?.isOpen) return { reach, isOpen: true, placeholder, names: items };
  const names: string[] = [];
  for (const name of items) {
    await pause();
    if (reachOf(seeker, operation, { [placeholder]: name })) names.push(name);
  }
  const [first] = names;
  if (first === undefined) return undefined;
  // What stands for the others goes with the first.
  const ofFirst = reachOf(seeker, operation, { [placeholder]: first }) ?? reach;
  return ofFirst && { reach: { ...ofFirst, isComplete: false }, isOpen: false, placeholder, names };
}
