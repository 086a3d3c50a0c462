// The order of a listing: folders first, then as chosen. Pure.
import type { FileItem } from '../../../files/index.ts';

export const orderFields = ['name', 'size', 'type', 'modified'] as const;
export type OrderField = (typeof orderFields)[number];

export interface FileOrder {
  by: OrderField;
  isDescending: boolean;
}

const firstOrder: FileOrder = { by: 'name', isDescending: false };

export function readOrder(orderText: string | null): FileOrder {
  const [by, direction] = (orderText ?? '').split(' ');
  const field = orderFields.find((name) => name === by);
  return field ? { by: field, isDescending: direction === 'desc' } : firstOrder;
}

/** For the address; empty for the order one begins with. */
export const writeOrder = ({ by, isDescending }: FileOrder): string =>
  by === firstOrder.by && !isDescending ? '' : `${by}${isDescending ? ' desc' : ''}`;

/** Names with numbers in the order of the numbers; made once, since making one takes longer than comparing a thousand names. */
const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const compareBy: Record<OrderField, (a: FileItem, b: FileItem) => number> = {
  name: (a, b) => names.compare(a.name, b.name),
  size: (a, b) => (a.size ?? -1) - (b.size ?? -1),
  type: (a, b) => names.compare(a.contentType, b.contentType),
  modified: (a, b) => (a.modified ?? 0) - (b.modified ?? 0),
};

export function sortItems(items: readonly FileItem[], { by, isDescending }: FileOrder): FileItem[] {
  const sign = isDescending ? -1 : 1;
  return [...items].sort(
    (a, b) =>
      Number(b.isFolder) - Number(a.isFolder) ||
      sign * compareBy[by](a, b) ||
      names.compare(a.name, b.name) ||
      (a.path < b.path ? -1 : 1),
  );
}

/** Every word of the search is somewhere in the name. */
export function matchItems(items: readonly FileItem[], search: string): readonly FileItem[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter(({ name }) => {
    const lowerCased = name.toLocaleLowerCase();
    return words.every((word) => lowerCased.includes(word));
  });
}
